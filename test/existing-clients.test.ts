import { afterAll, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from './harness/receiver.ts'
import { sharedSystem } from './harness/shared-system.ts'
import { SsoSite } from './harness/sso-site.ts'
import { TestEvent } from './harness/test-event.ts'
import { slow } from './rounds.ts'

/**
 * Public clients of the existing service, as they call it and as they read its answers. Each is a row: what it asks one after the other, and what
 * it makes of that. The account has `answers_updates`, and the webhook `access_statuses`, as docs/guides/moving.md says.
 */

const system = await sharedSystem()

// biome-ignore lint/suspicious/noExplicitAny: clients read any field
type Any = any

/** What the clients find. */
interface World {
  event: string
  category: string
  badged: string
  point: string
  receiver: Receiver
  /** The guest with a badge. */
  ada: Any
}

interface Got {
  status: number
  text: string
  json: Any
  headers: Headers
}

/** Calls an address as a client does: with the token in the query, whatever else is there. */
async function call(method: string, path: string, body?: string, type?: string): Promise<Got> {
  const url = `${path.startsWith('http') ? '' : `${system.url}/api/v1/`}${path}`.replace('TOKEN', system.auth_token)
  const headers = type === undefined ? {} : { 'content-type': type }
  const response = await fetch(url, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) })
  const text = await response.text()
  const json = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined
  return { status: response.status, text, json, headers: response.headers }
}
const get = (path: string) => call('GET', path)
const send = (method: string, path: string, body: object) =>
  call(method, path, JSON.stringify(body), 'application/json')

/** The children of the root by their names, as an XML parser gives them; null where an element has no text. */
function elements(document: string, name: string): Record<string, string | null>[] {
  return [...document.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, inner = '']) =>
    Object.fromEntries(
      [...inner.matchAll(/<([\w-]+)(?: [^>]*?)?(?:\/>|>([^<]*))/g)].map(([, field, text]) => [field, text || null]),
    ),
  )
}

/** All guests in XML, page by page until the root has no elements. */
async function guestsInXml(event: string): Promise<Record<string, string | null>[]> {
  const guests = []
  for (let page = 1; ; page++) {
    const { status, text } = await get(`events/${event}/guests.xml?page=${page}&auth_token=TOKEN`)
    expect(status).toBe(200)
    const found = elements(text, 'guest')
    if (found.length === 0) return guests
    guests.push(...found)
  }
}

/** The hook of a granted check-in. */
async function checkedIn(world: World, uid: string): Promise<Any> {
  const point = { accesspoint_id: world.point, guest_uid: uid }
  // Hooks of old clients come with a guest alone.
  await send('POST', `${world.event}/access_controls.json?auth_token=TOKEN`, { ...point, guest_uid: `no ${uid}` })
  const { json } = await send('POST', `${world.event}/access_controls.json?auth_token=TOKEN`, point)
  const all = await world.receiver.until((received) => received.some((each) => each.json?._id === json._id))
  expect(all.every((each) => each.json?._type !== 'AccessControl' || each.json.guest)).toBe(true)
  return all.find((each) => each.json?._id === json._id)?.json
}

const clients: [name: string, run: (world: World) => Promise<unknown>, finds: (world: World) => unknown][] = [
  [
    'a script in Ruby that makes a QR code reads the first guest in XML',
    async ({ event }) => {
      const [first = {}] = await guestsInXml(event)
      return Object.keys(first).filter((name) => ['uid', 'first-name', 'last-name', 'email', 'position'].includes(name))
    },
    () => ['email', 'first-name', 'last-name', 'position', 'uid'],
  ],
  [
    'a script in Ruby that downloads badges follows the location of each badge-url that is not empty',
    async ({ event, badged }) => {
      const guests = (await guestsInXml(event)).filter((guest) => guest['guest-category-id'] === badged)
      const files = guests.flatMap((guest) => (guest['badge-url'] ? [guest['badge-url']] : []))
      const location = (await get(files[0] ?? '')).headers.get('location')
      return [files.length, (await get(location ?? '')).text.slice(0, 5)]
    },
    () => [2, '%PDF-'],
  ],
  [
    'a script in Ruby that updates metadata by uid wants 200 for each update',
    async ({ event }) => {
      const [guest] = (await guestsInXml(event)).filter(({ uid }) => uid === 'bob')
      const metadata =
        '<guest-metadata type="array"><element><name>seat</name><value>12</value></element></guest-metadata>'
      const path = `events/${event}/guests/${guest?._id}`
      const { status } = await call(
        'PUT',
        `${path}.xml?auth_token=TOKEN`,
        `<guest>${metadata}</guest>`,
        'application/xml',
      )
      return [status, (await get(`${path}.json?auth_token=TOKEN&guest_metadata=true`)).json.guest_metadata]
    },
    () => [200, [{ name: 'seat', value: '12' }]],
  ],
  [
    'two exports in Ruby count pages by guest_count, and join leads with guests and the meta_data of exhibitors',
    async ({ event }) => {
      const { guest_count } = (await get(`events/${event}.json?auth_token=TOKEN`)).json
      const guests = new Map<string, Any>()
      for (let page = 1; page <= Math.ceil(guest_count / 500); page++) {
        const path = `events/${event}/guests.json?page=${page}&auth_token=TOKEN&guest_metadata=true`
        for (const guest of (await get(path)).json) guests.set(guest.uid, guest)
      }
      const exhibitors = (await get(`events/${event}/exhibitors.json?&auth_token=TOKEN`)).json
      const lines = exhibitors.map(async ({ _id, name, meta_data, email }: Any) => {
        const leads = (await get(`events/${event}/exhibitors/${_id}/connections.json?&auth_token=TOKEN`)).json
        return leads.map((lead: Any) => {
          const guest = guests.get(lead.guest_uid)
          const stand = guest.guest_metadata.find((each: Any) => each.name === 'num_stand')?.value
          return [name, meta_data, email, lead.author, guest.first_name, stand, lead.comments[0].content]
        })
      })
      return (await Promise.all(lines)).flat()
    },
    () => [['Acme', 'Hall 3', 'acme@example.org', 'Ann', 'Ada', 'W-110', 'call back']],
  ],
  [
    'a script in PHP creates a guest in XML and shows the answer',
    async ({ event, category }) => {
      const guest = `<guest><guest-category-id>${category}</guest-category-id><email>john@acme.example</email><last-name>Smith</last-name>
        <phone-number>001122334455</phone-number><guest-metadata type="array"><element><name>dog</name><value>Yes</value></element></guest-metadata></guest>`
      const made = await call('POST', `events/${event}/guests.xml?auth_token=TOKEN`, guest, 'text/xml')
      const [shown] = elements(made.text, 'guest')
      return [made.status, shown?.['phone-number'], shown?.status]
    },
    () => [201, '001122334455', 'registered'],
  ],
  [
    'a bridge in Ruby posts the guest of a hook to another event, as a form',
    async (world) => {
      const { guest } = await checkedIn(world, 'ada')
      const target = await TestEvent.open(system)
      const form = new URLSearchParams({ 'guest[guest_category_id]': await target.category() })
      for (const name of [
        'email',
        'uid',
        'order_uid',
        'first_name',
        'last_name',
        'company_name',
        'position',
        'message',
      ])
        if (guest[name] !== null) form.append(`guest[${name}]`, guest[name])
      for (const { name, value } of guest.guest_metadata) {
        form.append('guest[guest_metadata][][name]', name)
        form.append('guest[guest_metadata][][value]', value)
      }
      const type = 'application/x-www-form-urlencoded'
      const path = `events/${target.id}/guests.json?auth_token=TOKEN`
      const made = await call('POST', path, String(form), type)
      const again = await call('POST', path, String(form), type)
      return [made.status, made.json.uid, made.json.order_uid, again.status, Object.keys(again.json.errors)]
    },
    () => [201, 'ada', 'ORD-1', 422, ['uid']],
  ],
  [
    'a receiver of hooks in PHP reads status, order and registration of a guest, and one of its metadata',
    async ({ event, receiver }) => {
      const [{ _id }] = (await get(`events/${event}/guests.json?uid=ada&auth_token=TOKEN`)).json
      await send('PUT', `events/${event}/guests/${_id}.json?auth_token=TOKEN`, { position: 'Countess' })
      const isHook = (each: Any): boolean => each.json?._id === _id && each.json.position === 'Countess'
      const all = await receiver.until((received) => received.some(isHook))
      const { json } = all.find(isHook) as Any
      const member = json.guest_metadata.find((each: Any) => each.name === 'adherent_uuid').value
      return [json.status, json.event_id, json.order_uid, new Date(json.registered_at).toISOString(), member]
    },
    ({ event }) => ['registered', event, 'ORD-1', '2026-03-01T08:00:00.000Z', 'member-7'],
  ],
  [
    'an app with Next.js finds events and check-in points, and checks in by the wrapped uid',
    async ({ event }) => {
      const events = (await get('events.json?per_page=10&checkin_app=true&auth_token=TOKEN&search=clients')).json
      const points = (await get(`events/${event}/accesspoints.json?auth_token=TOKEN&per_page=10`)).json
      const scans = ['bob', 'bob', 'nobody'].map((guest_uid) => ({ guest_uid, accesspoint_id: points[0]._id }))
      const statuses = []
      for (const access_control of scans)
        statuses.push(
          (await send('POST', `events/${event}/access_controls.json?auth_token=TOKEN`, { access_control })).json,
        )
      return [events[0]._id, events[0].title, points[0].name, statuses.map(({ access_status }) => access_status)]
    },
    ({ event }) => [event, 'Fair of clients', 'Door', [0, 3, 1]],
  ],
  [
    'an app with Next.js filters found guests by status and company, shows one, and parses what a change answers',
    async ({ event, ada }) => {
      const found = (await get(`events/${event}/guests.json?auth_token=TOKEN&search=lovelace`)).json
      const kept = found.filter((each: Any) => each.status === 'registered' && each.company_name === 'Engines')
      const path = `events/${event}/guests/${ada._id}.json?auth_token=TOKEN`
      const shown = (await get(`${path}&guest_metadata=true`)).json
      const changed = await send('PUT', path, { phone_number: '+33 1' })
      const missing = (await get(path.replace(ada._id, 'f'.repeat(24)))).json
      return [
        kept.length,
        Array.isArray(shown.guest_metadata),
        changed.status,
        changed.json.phone_number,
        typeof missing.error,
      ]
    },
    () => [1, true, 200, '+33 1', 'string'],
  ],
  [
    'an app with Next.js lists events and categories by their ids',
    async ({ event, category }) => {
      const events = (await get('events.json?per_page=20&auth_token=TOKEN')).json
      const { title, organizer, start_date } = (await get(`events/${event}.json?auth_token=TOKEN`)).json
      const categories = (await get(`events/${event}/guest_categories.json?auth_token=TOKEN`)).json
      const known = categories.find((each: Any) => each._id === category)
      return [events.some((each: Any) => each._id === event), title, organizer, Date.parse(start_date), known.name]
    },
    () => [true, 'Fair of clients', 'Acme', Date.parse('2026-05-01T00:00:00Z'), 'Visitors'],
  ],
  [
    'a toolkit with Vite shows whose the token is, looks guests up by uid, and searches by status',
    async ({ event }) => {
      const me = (await get('me.json?auth_token=TOKEN')).json
      const path = `events/${event}/guests.json?auth_token=TOKEN`
      const [guest, ...others] = (await get(`${path}&uid=ada&documents=false&guest_metadata=false`)).json
      const search = encodeURIComponent('status:registered sort:registered-desc')
      const found = (await get(`${path}&search=${search}&per_page=1000`)).json
      const refused = await get(`${path.replace('TOKEN', 'wrong')}`)
      return [
        typeof me.id,
        me.email,
        me.first_name,
        me.last_name,
        guest.uid,
        others.length,
        found.at(-1).uid,
        refused.status,
      ]
    },
    () => ['string', null, 'bootstrap', null, 'ada', 0, 'ada', 403],
  ],
  [
    'a sync with Deno finds categories by the numbers of stands, and keeps registered guests alone',
    async ({ event, ada }) => {
      const path = `events/${event}/guests.json?auth_token=TOKEN&page=1&guest_metadata=true`
      const hits = (await get(`${path}&per_page=25&search=W110`)).json
      const categories = [...new Set(hits.map((each: Any) => each.guest_category_id))]
      const guests = (await get(`${path}&per_page=500&category%5B%5D=${categories[0]}`)).json
      const stands = guests.flatMap((guest: Any) => {
        const stand = guest.guest_metadata.find(({ name }: Any) => name === 'num_stand')?.value
        return stand && guest.status === 'registered' ? [[guest.uid, stand]] : []
      })
      const points = (await get(`events/${event}/accesspoints.json?auth_token=TOKEN&per_page=500&page=1`)).json
      return [categories, stands, points.length < 500, ada.guest_category_id]
    },
    ({ badged }) => [[badged], [['ada', 'W-110']], true, badged],
  ],
]

let opened: Promise<World> | undefined
let receiver: Receiver | undefined
afterAll(() => receiver?.close())

/** Opens the world in the first test, since it waits for badges. */
async function open(): Promise<World> {
  const fields = { title: 'Fair of clients', organizer: 'Acme', start_date: '2026-05-01' }
  const testEvent = await TestEvent.open(system, fields)
  const category = await testEvent.category()
  const badged = (await testEvent.make('guest_categories.json', { name: 'Exhibitors', badge_enabled: true }))._id
  const point = await testEvent.point()
  await testEvent.link(badged, point, -1)
  await testEvent.link(category, point, 1)
  const ada = await testEvent.make('guests.json', {
    guest_category_id: badged,
    ...{ uid: 'ada', first_name: 'Ada', last_name: 'Lovelace', company_name: 'Engines', order_uid: 'ORD-1' },
    registered_at: '2026-03-01T09:00:00+01:00',
    guest_metadata: { num_stand: 'W-110', adherent_uuid: 'member-7' },
  })
  await testEvent.guest(badged, 'eve', { status: 'unfinished', guest_metadata: { num_stand: 'W-111' } })
  await testEvent.guest(category, 'bob', { first_name: 'Bob' })
  const badges = async () =>
    (await testEvent.read(`guests.json?category[]=${badged}`)).map((each: Any) => each.badge_completed)
  await expect.poll(badges).toEqual([true, true])
  const exhibitor = await testEvent.make('exhibitors.json', {
    ...{ name: 'Acme', email: 'acme@example.org', meta_data: 'Hall 3' },
  })
  const lead = { guest_uid: 'ada', author: 'Ann', comments: [{ content: 'call back' }] }
  await system.api('POST', `devices/${exhibitor.access_token}/connections/batch_create.json`, [lead], { token: '' })
  receiver = await startReceiver()
  const hook = { url: `${receiver.url}/hook`, event_id: testEvent.id, payload: 'legacy', access_statuses: [0] }
  expect((await system.api('POST', 'webhooks.json', hook)).status).toBe(201)
  await system.api('PUT', 'account.json', { answers_updates: true })
  await expect
    .poll(async () => (await testEvent.api('PUT', `accesspoints/${point}.json`, { name: 'Door' })).status)
    .toBe(200)
  return { event: testEvent.id, category, badged, point, receiver, ada }
}

test.each(clients)('%s', async (_, run, finds) => {
  opened ??= open()
  const world = await opened
  expect(await run(world)).toEqual(finds(world))
})

describe('a client of single sign-on', () => {
  const states = { state: 'abc123', scope: '' }

  // The gem knows one host, which is the sso_host of the account; there as at the root.
  test.each([
    ['demo', 'a demo with Sinatra: an empty scope, and a verifier of 36 characters without a challenge', {}, true],
    ['gem', 'a gem: further parameters, no verifier, and me.json', { scope: 'public', hd: 'x', auth: 'y' }, false],
  ])('%s: %s', slow, async (slug, _, params, hasVerifier) => {
    const site = await SsoSite.open(system, `client-${slug}`)
    const app = await site.app()
    const { id, email } = await site.contact()
    const back = await site.signIn(site.visitor(), app, email, { ...states, ...params })
    expect(back.searchParams.get('state')).toBe('abc123')
    const verifier = { code_verifier: hasVerifier ? crypto.randomUUID() : null }
    const token = await site.token(app, back.searchParams.get('code') ?? '', verifier)
    expect([token.status, token.body.token_type]).toEqual([200, 'Bearer'])
    const headers = { authorization: `Bearer ${token.body.access_token}` }
    const me = await fetch(`${system.url}/api/v1/me.json`, { headers })
    expect(await me.json()).toMatchObject({ id, email, first_name: 'Ada', last_name: 'Lovelace' })
    const out = `${site.sso}/contacts/sign_out?redirect_uri=${app.redirect_uri}`
    const left = await fetch(out, { redirect: 'manual' })
    expect([left.status, left.headers.get('location')]).toEqual([303, app.redirect_uri])
  })
})
