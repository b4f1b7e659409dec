import type { DrillClient } from '../client.ts'
import { make, makeEvent, makeGuests, makeLink } from '../drill-event.ts'
import type { ScannedGuest } from '../record.ts'
import type { Right } from './attempts.ts'

/** A check-in point. */
export interface DrillPoint {
  _id: string
  name: string
}

/** The ways into an area and out of it. */
export interface Doorway {
  entrance: DrillPoint
  exit: DrillPoint
}

/** The event of a drill with scanners. Its rights are the same in each area, and do not change. */
export interface ScannerEvent {
  /** In the order in which they come. */
  uids: string[]
  /** One for each area. */
  doorways: Doorway[]
  /** The guests who are on the list. */
  listed: string[]
  categories: string[]
  /** A guest and a point without limit, to scan after each fault. */
  probe: ScannedGuest
}

/** What guests of a kind may. */
interface Kind {
  /** How often each may enter. */
  limit: number
  party: number
  reentry?: true
}

const AREAS = 2
/** So few that areas are full now and then. */
const CAPACITY = 30
/** The guests on the list, by the first letter of their uid: once, twice, nowhere, with a party, and with one that comes in again. */
const KINDS: { [letter: string]: Kind } = {
  o: { limit: 1, party: 1 },
  t: { limit: 2, party: 1 },
  n: { limit: 0, party: 1 },
  p: { limit: 1, party: 4 },
  r: { limit: 1, party: 3, reentry: true },
}
/** The kinds of guests one after the other, again and again, with one who is not on the list. */
const ORDER = 'opoorotopornoxp'
const UNKNOWN: Right = { limit: 0, refusal: 1 }
const NO_RIGHT: Right = { limit: 0, refusal: 2 }

/** The size of a guest's party. */
export function partyOf(uid: string): number {
  return KINDS[uid.charAt(0)]?.party ?? 1
}

/** What a guest who is or is not on the list may at an entrance or an exit. Whoever may come in may go out. */
export function rightOf(uid: string, isExit: boolean): Right {
  const kind = KINDS[uid.charAt(0)]
  if (!kind) return UNKNOWN
  if (kind.limit === 0) return NO_RIGHT
  if (isExit) return { limit: -1, refusal: 2 }
  return { limit: kind.limit * kind.party, refusal: 3, ...(kind.reentry && { reentry: true }) }
}

/** Creates the event with `count` guests. */
export async function makeScannerEvent(client: DrillClient, guestCount: number): Promise<ScannerEvent> {
  client.phase.waitFor('an event with its doors')
  await makeEvent(client)
  const doorways: Doorway[] = []
  for (let area = 0; area < AREAS; area++) doorways.push(await makeDoorway(client, area))
  const categories = new Map<string, string>()
  for (const [letter, { limit, reentry }] of Object.entries(KINDS)) {
    const category = await make(client, 'guest_categories', { name: `Kind ${letter}` })
    categories.set(letter, category)
    if (limit === 0) continue
    for (const { entrance } of doorways)
      await makeLink(client, category, entrance._id, limit, reentry ? { reentry } : {})
  }
  const walkIns = await make(client, 'guest_categories', { name: 'Walk-ins', walk_in_enabled: true })
  for (const { entrance } of doorways) await makeLink(client, walkIns, entrance._id, 1)
  const uids = Array.from({ length: guestCount }, (_, n) => `${ORDER.charAt(n % ORDER.length)}${n}`)
  const categoryOf = (uid: string): string | undefined => categories.get(uid.charAt(0))
  const listed = uids.filter(categoryOf)
  await makeGuests(client, listed, categoryOf, (uid) => ({ party_size: partyOf(uid) }))
  const point = await make(client, 'accesspoints', { name: 'Probe' })
  const category = await make(client, 'guest_categories', { name: 'Probe' })
  await makeLink(client, category, point, -1)
  await make(client, 'guests', { guest_category_id: category, uid: 'probe' })
  const probe: ScannedGuest = { uid: 'probe', point, limit: -1, refusal: 3 }
  return {
    uids,
    doorways,
    listed: [...listed, 'probe'],
    categories: [...categories.values(), walkIns, category],
    probe,
  }
}

async function makeDoorway(client: DrillClient, number: number): Promise<Doorway> {
  const area_id = await make(client, 'areas', { name: `Hall ${number}`, capacity: CAPACITY })
  const [entrance, exit] = [`Door ${number}`, `Way out ${number}`]
  return {
    entrance: { _id: await make(client, 'accesspoints', { name: entrance, area_id }), name: entrance },
    exit: { _id: await make(client, 'accesspoints', { name: exit, area_id, direction: 'out' }), name: exit },
  }
}
