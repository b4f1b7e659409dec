import type { Station } from '../station.ts'
import type { PrintSay } from '../texts/say.ts'

/** What each view gets. */
export interface ViewProps {
  station: Station
  say: PrintSay
}
