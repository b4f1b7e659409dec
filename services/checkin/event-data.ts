import { type EventData, type EventOfAccount, eventDataHandlers } from '@gatehouse/proto/serving/event-data.ts'
import type { Db } from 'mongodb'
import type { AccesspointStore } from './accesspoints/store.ts'
import { BY_STAMP } from './check-ins/indexes.ts'
import type { Ledger } from './door/ledger.ts'
import type { EntryPoints } from './entries/entry-points.ts'

/** What the service holds of events: check-ins before what they are counted by, and check-in points last, by which Redis has its sets. */
export const collections: EventData['collections'] = [
  {
    name: 'access_controls',
    archived: { holds: 'check-ins, granted and refused', order: { access_stamp: 1, _id: 1 }, index: BY_STAMP },
    stays: 'check-ins that were deleted',
  },
  { name: 'signatures', archived: { holds: 'signatures of guests, as drawings', order: { access_stamp: 1, _id: 1 } } },
  {
    name: 'guest_category_accesspoints',
    archived: { holds: 'links: which guest category may enter where, how often and when', order: { _id: 1 } },
  },
  { name: 'areas', archived: { holds: 'areas', order: { created_at: 1, _id: 1 } } },
  { name: 'late_changes', stays: 'notes for counting: they are made anew' },
  { name: 'check_in_segments', stays: 'counts of check-ins: they are counted anew' },
  { name: 'former_accesspoints', stays: 'check-in points that were deleted: check-ins name them' },
  { name: 'entry_reports', stays: 'notes of entries that were about to be told' },
  { name: 'accesspoints', archived: { holds: 'check-in points', order: { created_at: 1, _id: 1 } } },
]

/** Returns the handlers that delete what the service holds of a deleted event, in Redis too, and that give it to archives and take it from them. */
export function checkinEventDataHandlers(db: Db, accesspoints: AccesspointStore, points: EntryPoints, ledger: Ledger) {
  // Redis only guesses who has come in: what it knows of another life of the event would cost time, and old rights be believed.
  const forget = async ({ event_id }: EventOfAccount): Promise<void> => {
    const points = await accesspoints.ofEvent(event_id)
    await ledger.forgetEvent(
      event_id,
      points.map(({ _id }) => _id),
    )
  }
  const arrived = async (event: EventOfAccount): Promise<void> => {
    await points.forget(event.event_id)
    await forget(event)
  }
  return eventDataHandlers(db, { collections, before: forget, arrived })
}
