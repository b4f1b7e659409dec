import type { Say } from '@gatehouse/proto/pages/languages.ts'
import type guide from './guide/en.json'
import type kiosk from './kiosk/en.json'
import type en from './languages/en.json'

/** The key of a text of the scanner. */
export type ScannerKey = keyof typeof en

/** Says a text of the scanner. */
export type ScannerSay = Say<ScannerKey>

/** Says a text of the stewards' guide. */
export type GuideSay = Say<keyof typeof guide>

/** Says a text of kiosk mode and of the PIN. */
export type KioskSay = Say<keyof typeof kiosk>
