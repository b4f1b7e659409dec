import { randomUUID } from 'node:crypto'
import { type Bus, connectBus } from '@gatehouse/proto/bus.ts'
import { clientOf } from '@gatehouse/proto/calls.ts'
import { makeLog } from '@gatehouse/proto/log.ts'
import { openStore } from '@gatehouse/proto/mongo.ts'
import { accounts } from '@gatehouse/sso/resources'
import { type Process, startProcess } from '@gatehouse/test/process.ts'
import { ObjectId } from 'mongodb'
import { searchWords, sortName } from '../services/guests/guests/search.ts'
import type { StoredGuest } from '../services/guests/guests/store.ts'

/** Where the servers are. */
export interface Stores {
  mongodbUrl: string
  natsUrl: string
  redisUrl: string
}

/** A whole system in processes of its own, with an event full of guests. */
export interface World {
  namespace: string
  url: string
  /** Gateway and services by name. */
  processes: Record<string, Process>
  event_id: string
  category: string
  /** A point where the category may enter as often as it likes. */
  always: string
  uids: string[]
  someGuest: string
  /** The path of something of the event, with the token: `access_controls.json`. */
  path(rest: string): string
  /** Makes points where the category may enter once. */
  pointsOnce(count: number): Promise<string[]>
  /** Has the door look up these guests, as if they had been there lately. */
  greet(uids: string[]): Promise<void>
}

/** What has to be ended, in the order of beginning. */
export type Stopping = (() => unknown)[]

/** Guests go in this many at once. */
const CHUNK = 2_000

/** Starts gateway, checkin, guests and sso, makes an event and puts `guestCount` guests in it. */
export async function startWorld(
  stores: Stores,
  guestCount: number,
  env: Record<string, object>,
  stopping: Stopping,
): Promise<World> {
  const namespace = `bench-${randomUUID().slice(0, 8)}`
  const config = {
    mongodb_url: stores.mongodbUrl,
    nats_url: stores.natsUrl,
    redis_url: stores.redisUrl,
    namespace,
    deadline_ms: 30_000,
    host: '127.0.0.1',
    port: 0,
    rate_limits: 'off',
  }
  const processes: Record<string, Process> = {}
  const start = async (name: string, main: string): Promise<Process> => {
    const process = await startProcess(main, { ...config, ...env[name] })
    stopping.push(() => process.stop())
    processes[name] = process
    return process
  }
  for (const name of ['sso', 'guests', 'checkin']) await start(name, `services/${name}/main.ts`)
  const gateway = await start('gateway', 'gateway/main.ts')
  const bus = await connectBus({ servers: stores.natsUrl, namespace, name: 'bench', log: makeLog('bench', 'silent') })
  stopping.push(() => bus.stop())
  const { account_id, auth_token } = await bootstrap(bus)

  const api = async (path: string, body: unknown): Promise<{ _id: string }> => {
    const answer = await fetch(`${gateway.url}${path}?auth_token=${auth_token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { _id: string }
  }
  const { _id: event_id } = await api('/api/v1/events.json', { title: 'Bench', account_id })
  const own = `/api/v1/events/${event_id}`
  const { _id: category } = await api(`${own}/guest_categories.json`, { name: 'Visitors' })
  const point = async (max_allowed_accesses: number): Promise<string> => {
    const { _id } = await api(`${own}/accesspoints.json`, { name: 'Door' })
    const link = { guest_category_id: category, accesspoint_id: _id, max_allowed_accesses }
    await api(`${own}/guest_category_accesspoints.json`, link)
    return _id
  }
  const always = await point(-1)
  const { uids, someGuest } = await insertGuests(stores.mongodbUrl, namespace, event_id, category, guestCount)

  return {
    namespace,
    url: gateway.url,
    processes,
    event_id,
    category,
    always,
    uids,
    someGuest,
    path: (rest) => `${own}/${rest}${rest.includes('?') ? '&' : '?'}auth_token=${auth_token}`,
    pointsOnce: (count) => Promise.all(Array.from({ length: count }, () => point(1))),
    greet: async (greeted) => {
      for (let from = 0; from < greeted.length; from += CHUNK) {
        const scans = greeted.slice(from, from + CHUNK).map((guest_uid) => ({ accesspoint_id: always, guest_uid }))
        await api(`${own}/access_controls/batch_create.json`, scans)
      }
    },
  }
}

async function bootstrap(bus: Bus): Promise<{ account_id: string; auth_token: string }> {
  return clientOf(bus, accounts).bootstrap({ body: { slug: 'bench' } })
}

/** Straight into the collection, as the store would: a hundred thousand requests would be most of the bench. */
async function insertGuests(url: string, namespace: string, event_id: string, category: string, count: number) {
  const store = await openStore(url, namespace, 'guests')
  const guests = store.db.collection<StoredGuest>('guests')
  const uids: string[] = []
  let someGuest = ''
  const begin = Date.now() - count
  for (let from = 0; from < count; from += CHUNK) {
    const documents = Array.from({ length: Math.min(CHUNK, count - from) }, (_, index) =>
      guest(from + index, event_id, category, new Date(begin + from + index)),
    )
    await guests.insertMany(documents, { ordered: false })
    uids.push(...documents.map(({ uid }) => uid))
    someGuest ||= documents[0]?._id ?? ''
  }
  await store.close()
  return { uids, someGuest }
}

const FIRST_NAMES = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Radia', 'Niklaus', 'Frances', 'Tony']

function guest(n: number, event_id: string, guest_category_id: string, created_at: Date): StoredGuest {
  const fields = {
    guest_category_id,
    email: `guest${n}@example.org`,
    first_name: FIRST_NAMES[n % FIRST_NAMES.length] as string,
    last_name: `Visitor${n}`,
    company_name: `Company ${n % 5_000}`,
    position: 'Engineer',
    phone_number: null,
    uid: `G${String(n).padStart(8, '0')}`,
    message: null,
    rsvp_status: 'accepted' as const,
    access_privileges: [],
    guest_metadata: [],
  }
  return {
    _id: new ObjectId().toHexString(),
    ...fields,
    event_id,
    badge_completed: false,
    badge_url: null,
    created_at,
    updated_at: created_at,
    revision: 0,
    search_words: searchWords(fields),
    sort_name: sortName(fields),
  }
}
