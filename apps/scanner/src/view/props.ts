import type { Scanner } from '../scanner.ts'
import type { ScannerSay } from '../texts/texts.ts'

/** What each view gets. */
export interface ViewProps {
  scanner: Scanner
  say: ScannerSay
}
