import { resource } from '../resources/resource.ts'
import { CheckInGuest, CheckInResult } from './cells.tsx'

/** The check-ins of an event. */
export const checkIns = resource('/api/v1/events/{event_id}/access_controls.json', {
  columns: ['access_stamp', 'guest_uid', 'access_status', 'accesspoint_id', 'persons'],
  fields: ['accesspoint_id', 'guest_uid', 'persons'],
  filters: ['accesspoint_id', 'access_status', 'since', 'before', 'guest_uid', 'conflicts'],
  titles: { guest_uid: 'guest' },
  cells: { guest_uid: CheckInGuest, access_status: CheckInResult },
  deletion: 'undo',
  // Nothing comes of a refused one.
  deletes: ({ access_status }) => access_status === 0,
})
