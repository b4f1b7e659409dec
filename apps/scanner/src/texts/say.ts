import type { Say } from '@gatehouse/proto/pages/languages.ts'
import type en from './languages/en.json'

/** The key of a text of the scanner. */
export type ScannerKey = keyof typeof en

/** Says a text of the scanner. */
export type ScannerSay = Say<ScannerKey>
