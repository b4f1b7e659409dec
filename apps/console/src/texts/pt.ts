import { en, type Texts } from './en.ts'

/** The texts of the console. */
export const pt: Texts = { ...en }
