import { randomBytes, randomUUID } from 'node:crypto'
import type { Stack } from '@gatehouse/local/stack'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { wantedTypes } from '@gatehouse/proto/events/domain-events.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { accounts } from '@gatehouse/sso/resources'
import { type Process, startProcess } from '@gatehouse/test/harness/process.ts'
import { mainOf, type ServiceName, serviceNames } from '../services/services.ts'
import { uidOf } from './documents.ts'
import { send } from './send.ts'
import { openSignOns, type SignOnApp, type SignOns } from './sign-ons.ts'

/** The NATS user of the bench itself and of peers, which may do everything. */
export const BENCH = 'bench'

/** A whole system in separate processes. */
export interface BenchSystem {
  namespace: string
  url: string
  /** Gateway and services by name. */
  processes: Record<string, Process>
  /** Makes an event of the account with this slug, which it creates if there is none. */
  makeEvent(slug?: string): Promise<BenchEvent>
  /** Signs people in at a site of the account. */
  signOns: SignOns
}

/** An event, with what requests need of it. */
export interface BenchEvent {
  event_id: string
  category: string
  /** A point where the category may enter without a limit. */
  always: string
  /** A path below the event, with the token. `.json` is the event itself, `access_controls.json` its check-ins. */
  path(rest: string): string
  /** Makes points where the category may enter once. */
  pointsOnce(count: number): Promise<string[]>
  /** Checks these guests in at `always`, so that checkin has them cached. */
  greet(uids: string[]): Promise<void>
  /** Adds a webhook that receives each check-in. The returned function deletes it. */
  addWebhook(url: string): Promise<() => Promise<void>>
  /** Ends the watch of the event at once, not after a day. */
  unwatch(): Promise<void>
  /** Makes another event with guests whose badges are due. The returned function gives the number of badges made. */
  orderBadges(count: number): Promise<() => Promise<number>>
  /** Makes another event with one category and no guests, and gives its id. */
  emptyEvent(): Promise<string>
}

/** An event with its guests, behind a gateway. */
export interface BenchWorld extends BenchEvent, Pick<BenchSystem, 'url' | 'signOns'> {
  uids: string[]
  /** The `_id` of one of them. */
  someGuest: string
}

/** Functions that stop what was started, in the order of starting. */
export type Stopping = (() => unknown)[]

/** Services that always run; the others run only where they are needed. */
const ALWAYS: ServiceName[] = ['sso', 'guests', 'checkin', 'hooks']
/** All processes that a system can have. */
export const PROCESSES = ['gateway', ...serviceNames]

/** Scans of one batch. */
const CHUNK = 2_000
/** Guests created concurrently. */
const AT_ONCE = 16
/** Guests read at once. */
const PAGE = 500

/** Starts the gateway, the services that always run and those among `needed`. */
export async function startSystem(
  stores: Stack,
  needed: Set<string>,
  env: Record<string, object>,
  stopping: Stopping,
): Promise<BenchSystem> {
  const namespace = `bench-${randomUUID().slice(0, 8)}`
  const secretsKey = randomBytes(32).toString('base64')
  const config = {
    mongodb_url: stores.mongodbUrl,
    redis_url: stores.redisUrl,
    namespace,
    secrets_key: secretsKey,
    deadline_ms: 30_000,
    host: '127.0.0.1',
    port: 0,
    rate_limits: 'off',
    // The receiver of webhooks is on this machine.
    gatehouse_allow_private_hooks: true,
  }
  const processes: Record<string, Process> = {}
  const start = async (name: string): Promise<Process> => {
    const process = await startProcess(mainOf(name), { ...config, nats_url: stores.natsUrlOf(name), ...env[name] })
    stopping.push(() => process.stop())
    processes[name] = process
    return process
  }
  // hooks always runs: it announces that domain events are wanted, and without it all would be published.
  const services = [...ALWAYS, ...serviceNames.filter((name) => needed.has(name) && !ALWAYS.includes(name))]
  for (const name of services) await start(name)
  const { url } = await start('gateway')
  const bus = await connectBus({
    servers: stores.natsUrlOf(BENCH),
    namespace,
    name: BENCH,
    log: makeLog(BENCH, 'silent'),
  })
  stopping.push(() => bus.stop())
  const owner = await bootstrap(bus)
  let opened: ReturnType<typeof openSignOns> | undefined
  const signOns: SignOns = async (wanted) => {
    opened ??= openSignOns({
      account_id: owner.account_id,
      app: await makeApp(url, owner),
      mongodbUrl: stores.mongodbUrl,
      namespace,
      secretsKey,
    })
    return (await opened).issue(wanted)
  }
  stopping.push(async () => (await opened)?.close())
  const unwatch = async (event_id: string): Promise<void> => {
    const { db, close } = await openStore(stores.mongodbUrl, namespace, 'hooks')
    const { deletedCount } = await db.collection<{ _id: string }>('watches').deleteOne({ _id: event_id })
    await close()
    if (deletedCount !== 1) throw new Error('the event was not watched')
    bus.announce(wantedTypes, [])
  }
  return {
    namespace,
    url,
    processes,
    makeEvent: async (slug) => makeEvent(url, slug ? await bootstrap(bus, slug) : owner, unwatch),
    signOns,
  }
}

interface EventOwner {
  account_id: string
  auth_token: string
}

async function bootstrap(bus: Bus, slug = 'bench'): Promise<EventOwner> {
  return clientOf(bus, accounts).bootstrap({ body: { slug } })
}

/** Sends a POST request and gives the created resource. Throws if the answer is not 2xx. */
async function create<T = { _id: string }>(url: string, auth_token: string, path: string, body: object): Promise<T> {
  return (await send('POST', `${url}${path}?auth_token=${auth_token}`, body)).json() as Promise<T>
}

async function makeApp(url: string, { auth_token }: EventOwner): Promise<SignOnApp> {
  const redirect_uri = 'https://hub.example/callback'
  const body = { name: 'Hub', redirect_uris: [redirect_uri] }
  return { ...(await create<SignOnApp>(url, auth_token, '/api/v1/oauth_apps.json', body)), redirect_uri }
}

async function makeEvent(
  url: string,
  owner: EventOwner,
  unwatch: (event_id: string) => Promise<void>,
): Promise<BenchEvent> {
  const { account_id, auth_token } = owner
  const api = (path: string, body: object): Promise<{ _id: string }> => create(url, auth_token, path, body)
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
  return {
    event_id,
    category,
    always,
    path: (rest) =>
      `${own}${rest.startsWith('.') ? '' : '/'}${rest}${rest.includes('?') ? '&' : '?'}auth_token=${auth_token}`,
    pointsOnce: (count) => Promise.all(Array.from({ length: count }, () => point(1))),
    addWebhook: async (to) => {
      const hook = { url: to, event_types: ['check_in.created'], event_id }
      const { _id } = await api('/api/v1/webhooks.json', hook)
      return async () => {
        await fetch(`${url}/api/v1/webhooks/${_id}.json?auth_token=${auth_token}`, { method: 'DELETE' })
      }
    },
    unwatch: () => unwatch(event_id),
    orderBadges: (count) => orderBadges(url, owner, count),
    emptyEvent: async () => {
      const empty = await api('/api/v1/events.json', { title: 'Empty', account_id })
      await api(`/api/v1/events/${empty._id}/guest_categories.json`, { name: 'Visitors' })
      return empty._id
    },
    greet: async (greeted) => {
      for (let from = 0; from < greeted.length; from += CHUNK) {
        const scans = greeted.slice(from, from + CHUNK).map((guest_uid) => ({ accesspoint_id: always, guest_uid }))
        await api(`${own}/access_controls/batch_create.json`, scans)
      }
    },
  }
}

async function orderBadges(
  url: string,
  { account_id, auth_token }: EventOwner,
  count: number,
): Promise<() => Promise<number>> {
  const { _id } = await create(url, auth_token, '/api/v1/events.json', { title: 'Badges', account_id })
  const own = `/api/v1/events/${_id}`
  const design = { name: 'Speakers', badge_enabled: true, badge_qr_code_enabled: true }
  const category = await create(url, auth_token, `${own}/guest_categories.json`, design)
  for (let from = 0; from < count; from += AT_ONCE) {
    const orders = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) =>
      create(url, auth_token, `${own}/guests.json`, {
        guest_category_id: category._id,
        uid: uidOf(from + n),
        first_name: 'Ada',
        last_name: `Lovelace ${from + n}`,
        company_name: 'Analytical Engines',
        position: 'Speaker',
      }),
    )
    await Promise.all(orders)
  }
  return async () => {
    let made = 0
    for (let page = 1; ; page++) {
      const list = `${url}${own}/guests.json?per_page=${PAGE}&page=${page}&auth_token=${auth_token}`
      const guests = (await (await fetch(list)).json()) as { badge_completed: boolean }[]
      made += guests.filter(({ badge_completed }) => badge_completed).length
      if (guests.length < PAGE) return made
    }
  }
}

/** The world of an event that was filled with `guests` guests. */
export async function worldOf(
  { url, signOns }: Pick<BenchSystem, 'url' | 'signOns'>,
  event: BenchEvent,
  guests: number,
): Promise<BenchWorld> {
  const uids = Array.from({ length: guests }, (_, n) => uidOf(n))
  const found = (await (await fetch(url + event.path(`guests.json?uid=${uids[0]}`))).json()) as { _id: string }[]
  if (!found[0]) throw new Error('the stored guests cannot be found')
  return { ...event, url, signOns, uids, someGuest: found[0]._id }
}
