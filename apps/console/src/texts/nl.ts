import { en, type Texts } from './en.ts'

/** The texts of the console. */
export const nl: Texts = { ...en }
