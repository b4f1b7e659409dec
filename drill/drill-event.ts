import { forEachConcurrently } from '@gatehouse/proto/concurrency/for-each.ts'
import type { DoorClient } from './client.ts'
import type { ScannedGuest } from './record.ts'
import { inEvent, useEvent } from './scanning.ts'

/** The event of a drill and its rights, which do not change. */
export interface DrillEvent {
  uids: string[]
  /** Guests for the scans at full load. */
  queueUids: string[]
  category: string
  /** All check-in points with the rights of a guest. */
  pointsOf(uid: string): ScannedGuest[]
  /** Points where granted check-ins are deleted now and then. */
  withDeletions: Set<string>
  /** A guest and a point without limit, to scan after each fault. */
  probe: ScannedGuest
}

/** The limit of each point; undefined without a link. The second point of a limit has deletions. */
const LIMITS = [1, 1, 3, 3, -1, -1, 0, undefined]
/** The size of every fourth guest's party. */
const PARTY = 4
const CONCURRENCY = 32
const QUEUE_SIZE = 1_500

/** Creates the event. Devices scan the guests in order, so that there are always new ones. */
export async function makeDrillEvent(client: DoorClient, guestCount: number): Promise<DrillEvent> {
  client.phase.waitFor('an event with its doors')
  await makeEvent(client)
  const guest_category_id = await make(client, 'guest_categories', { name: 'Visitors' })
  const withDeletions = new Set<string>()
  const points: { point: string; limit: number | undefined }[] = []
  for (const [index, limit] of LIMITS.entries()) {
    const point = await make(client, 'accesspoints', { name: `Door ${index}` })
    if (limit !== undefined) await makeLink(client, guest_category_id, point, limit)
    if (LIMITS[index - 1] === limit) withDeletions.add(point)
    points.push({ point, limit })
  }
  const uids = Array.from({ length: guestCount }, (_, n) => `guest-${n}`)
  const queueUids = Array.from({ length: QUEUE_SIZE }, (_, n) => `crowd-${n}`)
  const parties = new Set(uids.filter((_, n) => n % 4 === 3))
  const partyOf = (uid: string): number => (parties.has(uid) ? PARTY : 1)
  await makeGuests(
    client,
    [...uids, ...queueUids, 'probe'],
    () => guest_category_id,
    (uid) => ({ party_size: partyOf(uid) }),
  )
  const places = new Map<string, ScannedGuest[]>()
  const pointsOf = (uid: string): ScannedGuest[] => {
    const known = places.get(uid)
    if (known) return known
    const made = points.map(({ point, limit }): ScannedGuest => {
      if (uid.startsWith('nobody-')) return { uid, point, limit: 0, refusal: 1 }
      const refusal = limit === undefined ? 2 : 3
      if (!parties.has(uid)) return { uid, point, limit: limit ?? 0, refusal }
      return {
        uid,
        point,
        limit: limit === undefined || limit < 1 ? (limit ?? 0) : limit * PARTY,
        party: PARTY,
        refusal,
      }
    })
    places.set(uid, made)
    return made
  }
  const probe = pointsOf('probe')[4] as ScannedGuest
  return { uids, queueUids, category: guest_category_id, pointsOf, withDeletions, probe }
}

/** Creates the event of the drill. */
export async function makeEvent(client: DoorClient): Promise<void> {
  const { account_id } = client.system
  const { _id } = await client.insist('POST', 'events.json', { title: 'Drill', account_id }, 'event')
  useEvent(_id)
}

/** Creates something in the event; returns its id. */
export async function make(client: DoorClient, resource: string, body: object): Promise<string> {
  const made = await client.insist('POST', inEvent(`${resource}.json`), body, crypto.randomUUID())
  return made._id ?? made.id
}

/** Creates guests in the event, each in its category. */
export async function makeGuests(
  client: DoorClient,
  uids: readonly string[],
  categoryOf: (uid: string) => string | undefined,
  fieldsOf: (uid: string) => object = () => ({}),
): Promise<void> {
  const { phase } = client
  let made = 0
  phase.waitFor(() => `the guests to be registered, ${uids.length - made} of whom are not yet`)
  await forEachConcurrently(uids, CONCURRENCY, phase.signal, async (uid) => {
    await make(client, 'guests', { guest_category_id: categoryOf(uid), uid, ...fieldsOf(uid) })
    made++
  })
}

/** Links a category to a point; returns the link's id. */
export async function makeLink(
  client: DoorClient,
  guest_category_id: string,
  accesspoint_id: string,
  max_allowed_accesses: number,
  terms: { reentry?: true } = {},
): Promise<string> {
  const link = { guest_category_id, accesspoint_id, max_allowed_accesses, ...terms }
  return make(client, 'guest_category_accesspoints', link)
}

/** An exhibitor, with the token of its devices. */
export interface ExhibitorAccess {
  _id: string
  access_token: string
}

/** Makes an exhibitor of the event. */
export async function makeExhibitor(client: DoorClient): Promise<ExhibitorAccess> {
  return client.insist('POST', inEvent('exhibitors.json'), { name: 'Stand' }, crypto.randomUUID())
}
