import type { Say } from '@gatehouse/proto/pages/languages.ts'
import type en from './languages/en.json'

/** Says a text of the page for leads. */
export type LeadsSay = Say<keyof typeof en>
