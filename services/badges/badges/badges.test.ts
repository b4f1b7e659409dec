// @module-tag slow
import { PublicLinks } from '@gatehouse/badges/links'
import { badgeOrders } from '@gatehouse/guests/resources'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { managerOf } from '@gatehouse/proto/events/streams.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { pdftotext, readPdf } from '@gatehouse/test/harness/pdf.ts'
import { type Receiver, startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { startReplica, startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { type Answer, SECRETS_KEY, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep, rounds } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'

type Guest = Answer['body']

const TIMEOUT = { timeout: 120_000, interval: 100 }
const ENABLED = { badge_enabled: true, badge_qr_code_enabled: true, badge_ecard_in_qr_code_enabled: true }

describe('badges', () => {
  const client = new MongoClient(inject('mongodbUrl'))
  let system: System
  let testEvent: TestEvent
  let receiver: Receiver

  beforeAll(async () => {
    system = await startSystem({ with: ['badges', 'hooks'] })
    receiver = await startReceiver()
    testEvent = await TestEvent.open(system, { badge_complete_hook_url: `${receiver.url}/badge` })
  })
  afterAll(async () => {
    await system?.stop()
    await receiver?.close()
    await client.close()
  })

  const category = async (fields: object = ENABLED): Promise<string> =>
    (await testEvent.make('guest_categories.json', { name: 'Speaker', ...fields }))._id

  const guest = async (guest_category_id: string, fields: object = {}): Promise<Guest> =>
    testEvent.make('guests.json', { guest_category_id, first_name: 'Ada', last_name: 'Lovelace', ...fields })

  const read = (id: string, query = ''): Promise<Guest> => testEvent.read(`guests/${id}.json${query}`)

  /** The guest once its badge is there. */
  const completed = (id: string, query = ''): Promise<Guest> =>
    vi.waitFor(async () => {
      const found = await read(id, query)
      expect(found.badge_completed).toBe(true)
      return found
    }, TIMEOUT)

  async function fetched(url: string): Promise<Uint8Array> {
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    return new Uint8Array(await answer.arrayBuffer())
  }

  const textOf = async (url: string): Promise<string> => (await readPdf(await fetched(url))).text

  const stored = (guest_ids: string[]): Promise<number> =>
    client
      .db(`${system.namespace}_badges`)
      .collection('badges')
      .countDocuments({ guest_id: { $in: guest_ids } })

  test('a guest of a category with badges gets one in the background: a PDF under a public link, which the event’s hook receives', async () => {
    const made = await guest(await category(), { company_name: 'Analytical Engines', position: 'Countess' })
    expect([made.badge_completed, made.badge_url]).toEqual([false, null])
    const done = await completed(made._id, '?badges=true')
    expect(await textOf(done.badge_url)).toBe(`Speaker Ada Lovelace Countess Analytical Engines ${made.uid}`)
    expect(done.badges).toEqual([
      {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        name: 'badge.pdf',
        url: done.badge_url.replace(/\.pdf$/, '/file.pdf'),
        content_type: 'application/pdf',
        created_at: expect.any(String),
      },
    ])
    expect(Date.parse(done.updated_at)).toBeGreaterThan(Date.parse(made.updated_at))
    const xml = await testEvent.api('GET', `guests/${made._id}.xml?badges=true`)
    expect(xml.text).toContain('<badge-completed type="boolean">true</badge-completed>')
    expect(xml.text).toContain(`<badges type="array"><badge><_id>${done.badges[0]._id}</_id>`)

    const told = await receiver.until((all) => all.some(({ json }) => json._id === made._id))
    const { json, path } = told.find((each) => each.json._id === made._id) ?? {}
    expect([path, json._type, json.badge_url, json.qrcode_url]).toEqual([
      '/badge',
      'Guest',
      done.badge_url,
      made.qrcode_url,
    ])
  })

  test('pdftotext extracts the name from the PDF behind badge_url', async () => {
    const made = await guest(await category(), { first_name: 'Екатерина', last_name: 'Łukasiewicz' })
    const { badge_url } = await completed(made._id)
    expect(await pdftotext(await fetched(badge_url))).toContain('Екатерина Łukasiewicz')
  })

  test('badge_url answers 302 with the absolute address of the PDF, which is the url in badges, and the redirect is not cached', async () => {
    const made = await guest(await category())
    const { badge_url, badges } = await completed(made._id, '?badges=true')
    const answer = await fetch(badge_url, { redirect: 'manual' })
    const location = answer.headers.get('location') ?? ''
    expect([answer.status, location, await answer.text()]).toEqual([302, badges[0].url, ''])
    expect(location).toMatch(
      new RegExp(`^${system.url}/api/v1/events/${testEvent.id}/guests/${made._id}/badge/[\\w-]+/file\\.pdf$`),
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const file = await fetch(location, { redirect: 'manual' })
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(file.headers.get('cache-control')).toBe('private, max-age=60')
  })

  test('the address of the PDF with .svg is a picture of the badge as it would be made now', async () => {
    const made = await guest(await category())
    const { badges } = await completed(made._id, '?badges=true')
    const answer = await fetch(badges[0].url.replace(/pdf$/, 'svg'))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(await answer.text()).toMatch(/^<svg .*width="105.001mm" height="148.001mm"/)
    const wrong = badges[0].url.replace(/[\w-]+\/file\.pdf$/, 'wrong/file.svg')
    expect((await fetch(wrong)).status).toBe(404)
  })

  test('badge_url and the PDF answer 404 without Retry-After to a wrong secret, and for a guest without a badge', async () => {
    const [mine, other] = [await guest(await category()), await guest(await category({}))]
    const { badge_url, badges } = await completed(mine._id, '?badges=true')
    const [, secret = ''] = /badge\/([\w-]+)\.pdf$/.exec(badge_url) ?? []
    for (const url of [badge_url, badges[0].url]) {
      const wrong = [`${secret}A`, secret.slice(0, -3), 'x', `${secret.slice(0, -4)}AAAA`]
      for (const wrongly of [...wrong.map((each) => url.replace(secret, each)), url.replace(mine._id, other._id)]) {
        const { status, headers } = await fetch(wrongly, { redirect: 'manual' })
        expect([status, headers.get('location'), headers.get('retry-after')]).toEqual([404, null, null])
      }
    }
    expect([other.badge_completed, other.badge_url]).toEqual([false, null])
  })

  test('a change of printed fields replaces the badge; other changes do not', async () => {
    const made = await guest(await category())
    const { badge_url } = await completed(made._id)
    await testEvent.change(`guests/${made._id}.json`, { rsvp_status: 'accepted', message: 'Welcome' })
    expect((await read(made._id)).badge_completed).toBe(true)

    await testEvent.change(`guests/${made._id}.json`, { last_name: 'King' })
    await vi.waitFor(async () => expect(await textOf(badge_url)).toBe(`Speaker Ada King ${made.uid}`), TIMEOUT)
    expect((await completed(made._id)).badge_url).toBe(badge_url)
    expect(await stored([made._id])).toBe(1)
    await receiver.until((all) => all.filter(({ json }) => json._id === made._id).length === 2)
  })

  test('the badge shows the last of many quick changes', async () => {
    const made = await guest(await category())
    for (let round = 0; round < 25; round++) {
      await testEvent.change(`guests/${made._id}.json`, { last_name: `Number${round}` })
    }
    await completed(made._id)
    const { badge_url } = await read(made._id)
    expect(await textOf(badge_url)).toBe(`Speaker Ada Number24 ${made.uid}`)
    expect(await stored([made._id])).toBe(1)
  })

  test('enabling badges of a category makes those of its guests, and renaming it makes them again', async () => {
    const id = await category({})
    const guests = await Promise.all(Array.from({ length: rounds(6, 12) }, () => guest(id)))
    const elsewhere = await guest(await category({}))
    await testEvent.change(`guest_categories/${id}.json`, { badge_enabled: true })
    const late = await guest(id)
    const done = await Promise.all([...guests, late].map(({ _id }) => completed(_id)))
    expect(await textOf(done[0].badge_url)).toBe('Speaker Ada Lovelace')
    await testEvent.change(`guest_categories/${id}.json`, { name: 'Press' })
    for (const { badge_url } of done)
      await vi.waitFor(async () => expect(await textOf(badge_url)).toBe('Press Ada Lovelace'), TIMEOUT)
    expect((await read(elsewhere._id)).badge_completed).toBe(false)
  })

  test('guests who are created while badges of their category are being enabled get theirs too', async () => {
    const id = await category({})
    const registering = Array.from({ length: rounds(16, 40) }, () => guest(id))
    await registering[3]
    await testEvent.change(`guest_categories/${id}.json`, { badge_enabled: true })
    for (const { _id } of await Promise.all(registering)) await completed(_id)
  })

  test('a guest loses the badge on moving to a category without badges, and gets it again on moving back', async () => {
    const [withBadges, without] = [await category(), await category({})]
    const made = await guest(withBadges)
    const { badge_url } = await completed(made._id)
    await testEvent.change(`guests/${made._id}.json`, { guest_category_id: without })
    expect(await read(made._id, '?badges=true')).toMatchObject({ badge_completed: false, badge_url: null, badges: [] })
    expect((await fetch(badge_url)).status).toBe(404)
    await testEvent.change(`guests/${made._id}.json`, { guest_category_id: withBadges })
    expect((await completed(made._id)).badge_url).toBe(badge_url)
  })

  test('badges with a QR code are made again when the event begins to cipher', async () => {
    const own = await TestEvent.open(system)
    const id = (await own.make('guest_categories.json', { name: 'VIP', ...ENABLED }))._id
    const made = await own.make('guests.json', { guest_category_id: id, last_name: 'Babbage' })
    const badge = async (): Promise<Answer['body'] | undefined> => {
      const found = await own.read(`guests/${made._id}.json?badges=true`)
      return found.badges[0]
    }
    const first = await vi.waitUntil(badge, TIMEOUT)
    await system.api('PUT', `events/${own.id}.json`, { qr_code_ciphering_enabled: true })
    await vi.waitFor(async () => {
      const next = await badge()
      expect(next && next.created_at > first.created_at).toBe(true)
    }, TIMEOUT)
  })

  test('badge_url answers 404 with Retry-After while the badge is being made, and 302 afterwards', async () => {
    const own = await TestEvent.open(system, { qr_code_ciphering_enabled: true })
    const events = client.db(`${system.namespace}_guests`).collection<{ _id: string; ciphering: string }>('events')
    const stored = await events.findOne({ _id: own.id })
    // No badge can be drawn while its QR code cannot be ciphered.
    await events.updateOne({ _id: own.id }, { $set: { ciphering: 'unreadable' } })
    const { _id } = await own.make('guest_categories.json', { name: 'Speaker', ...ENABLED })
    const made = await own.make('guests.json', { guest_category_id: _id, last_name: 'Lovelace' })
    const links = new PublicLinks({ public_url: system.url, secrets_key: SECRETS_KEY })
    for (const url of [links.of('badge', own.id, made._id), links.ofBadgeFile(own.id, made._id)]) {
      const early = await fetch(url, { redirect: 'manual' })
      expect([early.status, early.headers.get('retry-after'), early.headers.get('location')]).toEqual([404, '1', null])
    }
    await events.updateOne({ _id: own.id }, { $set: { ciphering: stored?.ciphering ?? '' } })
    const url = links.of('badge', own.id, made._id)
    await expect.poll(async () => (await fetch(url, { redirect: 'manual' })).status).toBe(302)
    expect((await own.read(`guests/${made._id}.json`)).badge_url).toBe(url)
  })

  test('deleting a guest deletes its badge, and the link answers 404 at once', async () => {
    const made = await guest(await category())
    const { badge_url } = await completed(made._id)
    expect((await testEvent.api('DELETE', `guests/${made._id}.json`)).status).toBe(204)
    expect((await fetch(badge_url)).status).toBe(404)
    await vi.waitFor(async () => expect(await stored([made._id])).toBe(0), TIMEOUT)
  })

  test('the queue finds orders that were never announced, also after JetStream lost its stream', async () => {
    const id = await category()
    const manager = await managerOf(system.bus)
    await manager.streams.delete(`${system.namespace}_badges`)
    const guests = await Promise.all(Array.from({ length: 5 }, () => guest(id)))
    for (const { _id } of guests) await completed(_id)
    expect(await clientOf(system.bus, badgeOrders).due({ body: { after: [], limit: 10 } })).toEqual([])
  })

  // Entries are looked for every ten seconds.
  test(
    'a completed badge that several entries of the guests service say reaches the hook under one id',
    deep,
    async () => {
      const made = await guest(await category())
      await completed(made._id)
      const all = [made, await guest(await category())]
      await completed(all[1]._id)
      const db = client.db(`${system.namespace}_guests`)
      const items = all.map(({ _id }) => ({ _id, badge_order: 1 }))
      const entries = [items, items.slice(0, 1), items.slice(1)].map((items, n) => ({
        _id: `left behind ${n}` as never,
        type: 'badge.completed',
        event_id: testEvent.id,
        items,
        at: new Date(Date.now() - 10_000),
      }))
      await db.collection('outbox').insertMany(entries)
      await expect.poll(() => db.collection('outbox').countDocuments({ _id: /^left/ as never }), TIMEOUT).toBe(0)
      const last = await guest(await category())
      const told = await receiver.until((received) => received.some(({ json }) => json._id === last._id))
      const idsOf = (_id: string) =>
        new Set(told.flatMap(({ json, headers }) => (json._id === _id ? headers['webhook-id'] : [])))
      expect(all.map(({ _id }) => idsOf(_id).size)).toEqual([1, 1])
    },
  )

  test('messages of the queue that are not orders are dropped', async () => {
    const order = { event_id: testEvent.id, guest_id: 'f'.repeat(24), due: '2026-05-01T08:30:00.250Z' }
    for (const text of ['', 'null', '{', '{}', JSON.stringify({ ...order, due: 'x' }), JSON.stringify(order)])
      system.bus.connection.publish(`${system.namespace}.work.badges`, text)
    const manager = await managerOf(system.bus)
    const left = async () => (await manager.streams.info(`${system.namespace}_badges`)).state.messages
    await completed((await guest(await category()))._id)
    await vi.waitFor(async () => expect(await left()).toBe(0), TIMEOUT)
  })
})

describe('badge makers', () => {
  const client = new MongoClient(inject('mongodbUrl'))
  let system: System
  let testEvent: TestEvent
  const processes: Running[] = []
  const start = async (): Promise<Running> => {
    const worker = await startReplica('badges', system)
    processes.push(worker)
    return worker
  }

  beforeAll(async () => {
    system = await startSystem()
    testEvent = await TestEvent.open(system)
  })
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.stop()))
    await system?.stop()
    await client.close()
  })

  const badgesOf = () => client.db(`${system.namespace}_badges`).collection('badges')

  test('two processes complete the work of a killed one: each guest gets one badge', deep, async () => {
    const id = (await testEvent.make('guest_categories.json', { name: 'VIP', ...ENABLED }))._id
    const made: Guest[] = []
    let left = 0
    // Tries again if the process had made all badges before it was killed.
    for (let round = 0; left === 0 && round < 5; round++) {
      const guests = Array.from({ length: 60 }, (_, index) =>
        testEvent.make('guests.json', { guest_category_id: id, last_name: `Guest ${index}` }),
      )
      made.push(...(await Promise.all(guests)))
      const before = await badgesOf().countDocuments()
      const victim = await startReplicaProcess('badges', system)
      await vi.waitUntil(async () => (await badgesOf().countDocuments()) > before + 3, { ...TIMEOUT, interval: 10 })
      await victim.kill()
      left = made.length - (await badgesOf().countDocuments())
    }
    expect(left).toBeGreaterThan(0)

    await Promise.all([start(), start()])
    const listed = await vi.waitFor(async () => {
      const all: Guest[] = await testEvent.read('guests.json')
      expect(all.filter((each) => each.badge_completed)).toHaveLength(made.length)
      return all
    }, TIMEOUT)
    const owners = (await badgesOf().find().toArray()).map((badge) => badge.guest_id)
    expect(owners.sort()).toEqual(listed.map(({ _id }) => _id).sort())
  })

  test('a starting process deletes badges of guests who were deleted while none ran', async () => {
    await start()
    const id = (await testEvent.make('guest_categories.json', { name: 'Press', ...ENABLED }))._id
    const made: Guest[] = await Promise.all(
      Array.from({ length: 3 }, () => testEvent.make('guests.json', { guest_category_id: id, last_name: 'Press' })),
    )
    const left = () => badgesOf().countDocuments({ guest_id: { $in: made.map(({ _id }) => _id) } })
    await vi.waitFor(async () => expect(await left()).toBe(3), TIMEOUT)
    await Promise.all(processes.splice(0).map((each) => each.stop()))
    for (const { _id } of made.slice(0, 2)) await testEvent.remove(`guests/${_id}.json`)
    expect(await left()).toBe(3)
    await start()
    await vi.waitFor(async () => expect(await left()).toBe(1), TIMEOUT)
  })

  test('a process that is stopped completes its batch, and the others make the rest', async () => {
    if (processes.length === 0) await start()
    const id = (await testEvent.make('guest_categories.json', { name: 'Crew', ...ENABLED }))._id
    const second = await start()
    const made = await Promise.all(
      Array.from({ length: 20 }, () => testEvent.make('guests.json', { guest_category_id: id, last_name: 'Crew' })),
    )
    await second.stop()
    await vi.waitFor(async () => {
      const all: Guest[] = await testEvent.read(`guests.json?category[]=${id}`)
      expect(all.filter((each) => each.badge_completed)).toHaveLength(made.length)
    }, TIMEOUT)
  })
})
