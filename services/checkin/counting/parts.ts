import type { Admissions } from './admissions.ts'
import type { GuestsByPoint, PackedCheckIns } from './packed-check-ins.ts'
import { Totals } from './totals.ts'

/** What some check-ins add up to. */
export interface Part {
  totals: Totals
  /** Undefined if guests are not counted. */
  guestsByPoint: GuestsByPoint | undefined
}

/** What check-ins add up to, with their guests if those are counted. */
export function partOf(rows: PackedCheckIns, admissions: Admissions | undefined): Part {
  return { totals: Totals.of(rows), guestsByPoint: admissions && rows.guestsByPoint() }
}
