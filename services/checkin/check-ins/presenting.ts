import type { Reason } from '@gatehouse/door/decision.ts'
import type { StoredList } from '@gatehouse/proto/formats/raw-documents.ts'
import type { CheckIn } from './store.ts'

/** A check-in as clients see it. */
export type ShownCheckIn = CheckIn & { reason: Reason | null; persons: number }

const REASONS: (Reason | null)[] = [null, 'unknown_guest', 'no_right', 'used_up']

/** Returns why a check-in with a status is refused, unless it says otherwise; null if it is granted. */
export function reasonOf(access_status: number): Reason | null {
  return REASONS[access_status] ?? null
}

/** Adds what a check-in's document leaves out to it: one person, and the usual reason of its status. A copy would cost each scan more. */
export function shown(checkIn: CheckIn): ShownCheckIn {
  checkIn.reason ??= reasonOf(checkIn.access_status)
  checkIn.persons ??= 1
  return checkIn as ShownCheckIn
}

/** Returns a list of check-ins as clients see it. */
export function shownList(list: StoredList<CheckIn>): StoredList<ShownCheckIn> {
  return list.with(leftOut) as unknown as StoredList<ShownCheckIn>
}

function leftOut(get: <N extends keyof CheckIn>(name: N) => CheckIn[N]): Pick<ShownCheckIn, 'reason' | 'persons'> {
  return { reason: get('reason') ?? reasonOf(get('access_status')), persons: get('persons') ?? 1 }
}
