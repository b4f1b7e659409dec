import { en, type Texts } from './en.ts'

/** The texts of the console. */
export const pl: Texts = { ...en }
