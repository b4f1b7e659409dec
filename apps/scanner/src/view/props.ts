import type { Scanner } from '../scanner.ts'
import type { ScannerSay } from '../texts/say.ts'

/** What each view gets. */
export interface ViewProps {
  scanner: Scanner
  say: ScannerSay
}
