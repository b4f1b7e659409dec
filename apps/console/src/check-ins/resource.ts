import { dotted } from '@gatehouse/proto/pages/direction.ts'
import { resource } from '../resources/resource.ts'
import { isMadeHere } from '../server/server.ts'
import { may } from '../session/session.ts'
import { CheckInGuest, CheckInHeading, CheckInResult } from './cells.tsx'
import { guestWithUid } from './guest-names.ts'
import { checkInWords } from './refusal.ts'

/** The check-ins of an event. */
export const checkIns = resource('/api/v1/events/{event_id}/access_controls.json', {
  columns: ['access_stamp', 'guest_uid', 'access_status', 'accesspoint_id', 'persons'],
  fields: ['accesspoint_id', 'guest_uid', 'persons'],
  filters: ['accesspoint_id', 'access_status', 'since', 'before', 'guest_uid', 'conflicts'],
  titles: { guest_uid: 'guest' },
  cells: { guest_uid: CheckInGuest, access_status: CheckInResult },
  whole: ['access_status'],
  Heading: CheckInHeading,
  submit: 'check_in',
  async outcome(made, { say, times, names }) {
    // The check-in is made, whether its guest can be read or not.
    const guest = await guestWithUid(String(made.event_id), String(made.guest_uid)).catch(() => undefined)
    return dotted([guest?.name ?? String(made.guest_uid), ...checkInWords(say, times, made, names?.accesspoint_id)])
  },
  deletion: 'undo',
  // Nothing comes of a refused one. At the door people undo their own alone (docs/interface.md 8.18).
  deletes: (item, session) => item.access_status === 0 && (may(session, 'organizer') || isMadeHere(item)),
})
