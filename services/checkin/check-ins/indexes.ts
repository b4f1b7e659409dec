import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import type { IndexDescription } from 'mongodb'

/** The index of the accesses that guests have taken, which no two granted check-ins share. */
export const BY_SLOT = 'event_id_1_accesspoint_id_1_guest_uid_1_slot_1'
/** The index of all check-ins by their stamp. */
export const BY_STAMP = 'event_id_1_access_stamp_-1__id_-1'
/** The index of the check-ins that did not arrive at their stamp. */
export const BY_ARRIVAL = 'event_id_1_arrived_at_1'
/** The index of the check-ins that their devices decided otherwise. */
export const BY_CONFLICT = 'event_id_1_is_conflict_1_access_stamp_-1__id_-1'
/** The index of refused check-ins by guest. A granted one, which is what costs at the door, has no entry. */
export const BY_REFUSAL = 'event_id_1_guest_uid_1'

/**
 * The deleted check-ins of all events. They keep their ids for a day: a request that was also sent to a second process may still be on its way
 * when its check-in is deleted, and would store it again.
 */
const DELETED_SECONDS = 86_400

/** The indexes of the collection of check-ins. Each entry more slows every scan. */
export const checkInIndexes: IndexDescription[] = [
  {
    key: { event_id: 1, accesspoint_id: 1, guest_uid: 1, slot: 1 },
    unique: true,
    partialFilterExpression: { access_status: ACCESS_GRANTED },
  },
  { key: { event_id: 1, access_stamp: -1, _id: -1 } },
  { key: { event_id: 1, arrived_at: 1 }, partialFilterExpression: { arrived_at: { $exists: true } } },
  {
    key: { event_id: 1, is_conflict: 1, access_stamp: -1, _id: -1 },
    partialFilterExpression: { is_conflict: true },
  },
  {
    key: { event_id: 1, guest_uid: 1 },
    partialFilterExpression: { access_status: { $gt: ACCESS_GRANTED } },
  },
  {
    key: { deleted_at: 1 },
    expireAfterSeconds: DELETED_SECONDS,
    partialFilterExpression: { deleted_at: { $exists: true } },
  },
]
