import { type CellProps, type EditorProps, type ItemProps, resource } from '../resources/resource.ts'
import { hasMade, isMadeHere } from '../server/server.ts'
import { may } from '../session/session.ts'
import { lazily } from '../view/lazily.tsx'

const cells = () => import('./cells.tsx')
const CheckInGuest = lazily<CellProps>(async () => (await cells()).CheckInGuest)
const CheckInResult = lazily<CellProps>(async () => (await cells()).CheckInResult)
const CheckInHeading = lazily<ItemProps>(async () => (await cells()).CheckInHeading)
const CheckInEditor = lazily<EditorProps>(async () => (await import('./check-in-editor.tsx')).CheckInEditor)

/** The check-ins of an event. */
export const checkIns = resource('/api/v1/events/{event_id}/access_controls.json', {
  columns: ['access_stamp', 'guest_uid', 'access_status', 'accesspoint_id', 'persons'],
  fields: ['accesspoint_id', 'guest_uid', 'persons'],
  filters: ['accesspoint_id', 'access_status', 'since', 'before', 'guest_uid', 'conflicts'],
  titles: { guest_uid: 'guest' },
  // Refused ones are among them.
  counted: 'count_scans',
  cells: { guest_uid: CheckInGuest, access_status: CheckInResult },
  whole: ['access_stamp', 'access_status'],
  Editor: CheckInEditor,
  Heading: CheckInHeading,
  submit: 'check_in',
  outcome: async (made, known) => (await import('./outcome.ts')).outcomeOf(made, known),
  deletion: 'undo',
  // Nothing comes of a refused one. At the door people undo their own alone (docs/interface.md 8.18).
  deletes: (item, session) => item.access_status === 0 && (may(session, 'organizer') || isMadeHere(item)),
  acts: (session) => may(session, 'organizer') || hasMade(),
})
