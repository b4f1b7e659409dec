import { eventDataHandlers } from '@gatehouse/proto/serving/event-data.ts'
import type { Db } from 'mongodb'
import type { AccesspointStore } from './accesspoints/store.ts'
import type { Ledger } from './door/ledger.ts'

/** What the service holds of events: check-ins before what they are counted by, and check-in points last, by which Redis has its sets. */
const collections = [
  { name: 'access_controls' },
  { name: 'signatures' },
  { name: 'guest_category_accesspoints' },
  { name: 'areas' },
  { name: 'late_changes' },
  { name: 'check_in_segments' },
  { name: 'entry_reports' },
  { name: 'accesspoints' },
]

/** Returns the handlers that delete what the service holds of a deleted event, in Redis too. */
export function checkinEventDataHandlers(db: Db, accesspoints: AccesspointStore, ledger: Ledger) {
  return eventDataHandlers(db, {
    collections,
    async before({ event_id }) {
      const points = await accesspoints.ofEvent(event_id)
      await ledger.forgetEvent(
        event_id,
        points.map(({ _id }) => _id),
      )
    },
  })
}
