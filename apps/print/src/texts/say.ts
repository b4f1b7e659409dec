import type { Say } from '@gatehouse/proto/pages/languages.ts'
import type en from './languages/en.json'

/** Says a text of the print station. */
export type PrintSay = Say<keyof typeof en>
