import { pseudonymOf } from '@gatehouse/proto/privacy/blanking.ts'
import type { ErasureCallbacks } from '@gatehouse/proto/privacy/serving.ts'
import type { EventTotals } from '../counting/event-totals.ts'
import type { LateChanges } from '../counting/late-changes.ts'
import type { Ledger } from '../door/ledger.ts'
import type { EntryReports } from '../entries/reports.ts'
import { arrivalOf, type CheckIn } from './store.ts'

/** Erases check-ins as late changes, so that counts and stored sums follow, and forgets their uids in Redis. Guests hears of the uids that take their place. */
export function checkInErasure(
  lateChanges: LateChanges,
  totals: EventTotals,
  ledger: Ledger,
  reports: EntryReports,
): ErasureCallbacks<CheckIn> {
  return {
    reads: ['accesspoint_id', 'access_stamp', 'arrived_at', 'guest_uid'],

    async changing(event_id, checkIns, change, key) {
      const arrivals = checkIns.map((checkIn) => arrivalOf(checkIn).getTime())
      const [from, to] = [new Date(Math.min(...arrivals)), new Date(Math.max(...arrivals))]
      await ledger.forget(event_id, checkIns)
      // What is left of a guest has the same uid as what is left of the check-ins.
      const uids = [...new Set(checkIns.map(({ guest_uid }) => pseudonymOf(guest_uid, key)))]
      await reports.changing(event_id, uids, () => lateChanges.during(event_id, from, to, change))
    },

    // What is sealed of these check-ins is read and stored again.
    changed: async (event_id) => void (await totals.count(event_id)),

    further: () => ({ $set: { updated_at: new Date() } }),

    // A scan that was under way while its guest was erased took a slot that was free only by that.
    clash: ({ _id }) => ({ slot: _id }),
  }
}
