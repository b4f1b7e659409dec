import type { DrillClient } from '../client.ts'
import { make, makeEvent, makeGuests, makeLink } from '../drill-event.ts'
import type { ScannedGuest } from '../record.ts'
import type { Right } from './attempts.ts'

/** The event of a drill with scanners. Its rights are the same at each door, and do not change. */
export interface ScannerEvent {
  /** In the order in which they come. */
  uids: string[]
  doors: string[]
  /** A guest and a point without limit, to scan after each fault. */
  probe: ScannedGuest
}

const DOORS = 2
/** What guests on the list may, by the first letter of their uid. */
const RIGHTS: { [letter: string]: Right } = {
  o: { limit: 1, refusal: 3 },
  t: { limit: 2, refusal: 3 },
  n: { limit: 0, refusal: 2 },
}
const UNKNOWN: Right = { limit: 0, refusal: 1 }
/** The kinds of guests one after the other, again and again, with one who is not on the list. */
const KINDS = 'ooooooototonox'

/** What a guest may. */
export function rightOf(uid: string): Right {
  return RIGHTS[uid.charAt(0)] ?? UNKNOWN
}

/** Creates the event with `count` guests. */
export async function makeScannerEvent(client: DrillClient, guestCount: number): Promise<ScannerEvent> {
  client.phase.waitFor('an event with its doors')
  await makeEvent(client)
  const doors: string[] = []
  for (let door = 0; door < DOORS; door++) doors.push(await make(client, 'accesspoints', { name: `Door ${door}` }))
  const categories = new Map<string, string>()
  for (const [letter, { limit }] of Object.entries(RIGHTS)) {
    const category = await make(client, 'guest_categories', { name: `Kind ${letter}` })
    categories.set(letter, category)
    if (limit > 0) for (const door of doors) await makeLink(client, category, door, limit)
  }
  const uids = Array.from({ length: guestCount }, (_, n) => `${KINDS.charAt(n % KINDS.length)}${n}`)
  const categoryOf = (uid: string): string | undefined => categories.get(uid.charAt(0))
  await makeGuests(client, uids.filter(categoryOf), categoryOf)
  const point = await make(client, 'accesspoints', { name: 'Probe' })
  const category = await make(client, 'guest_categories', { name: 'Probe' })
  await makeLink(client, category, point, -1)
  await make(client, 'guests', { guest_category_id: category, uid: 'probe' })
  return { uids, doors, probe: { uid: 'probe', point, limit: -1, refusal: 3 } }
}
