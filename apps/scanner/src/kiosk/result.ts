import { mayEnter, type ScanOutcome } from '../scanning/outcome.ts'

/** What guests are told who check themselves in: no reason why not, which is for the staff. */
export type KioskResult = 'welcome' | 'goodbye' | 'party' | 'staff'

/** What a guest is told of an outcome. */
export function resultOf(outcome: ScanOutcome): KioskResult {
  if (outcome.kind === 'party') return 'party'
  if (!mayEnter(outcome)) return 'staff'
  return outcome.scan?.direction === 'out' ? 'goodbye' : 'welcome'
}

/** For how long a result is shown that the steward has set to stay. */
const LONGEST_S = 20
const STAFF_MS = 8_000
/** After so long without a touch or a key the guest has left. */
export const IDLE_MS = 20_000

/** How long a result is shown, in ms. A question waits for its answer until the guest has left. */
export function shownFor(result: KioskResult, seconds: number): number {
  if (result === 'party') return IDLE_MS
  return result === 'staff' ? STAFF_MS : (seconds || LONGEST_S) * 1_000
}
