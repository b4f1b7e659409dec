// @module-tag slow
import { apiOf } from '@gatehouse/test/harness/api.ts'
import { readPdf } from '@gatehouse/test/harness/pdf.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { complete } from '../../guests/guests/stored-guest.ts'
import { testGuest } from '../../guests/test-guest.ts'

/** Three parts of a file. */
const MANY = 250
/** What a big fair has. */
const FAIR = 10_000
const FAIR_MS = 120_000

describe('all badges in one PDF', () => {
  const client = new MongoClient(inject('mongodbUrl'))
  let system: System

  beforeAll(async () => {
    system = await startSystem({ with: ['badges'] })
  })
  afterAll(async () => {
    await system?.stop()
    await client.close()
  })

  const get = (event: TestEvent, query = '', init: RequestInit = {}, token = system.auth_token): Promise<Response> =>
    fetch(`${system.url}/api/v1/events/${event.id}/badges.pdf${query}`, {
      headers: { authorization: `Bearer ${token}` },
      ...init,
    })

  const read = async (event: TestEvent, query = '') => {
    const answer = await get(event, query)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    return readPdf(new Uint8Array(await answer.arrayBuffer()))
  }

  const category = async (event: TestEvent, name: string, fields: object = {}): Promise<string> =>
    (await event.make('guest_categories.json', { name, badge_enabled: true, ...fields }))._id

  /** Stores guests as they are stored, without ordering their badges. */
  async function fill({ id: event_id }: TestEvent, guest_category_id: string, count: number): Promise<void> {
    const guests = Array.from({ length: count }, (_, index) => {
      const last_name = `Guest${String(index).padStart(5, '0')}`
      const _id = `${event_id.slice(0, 16)}${index.toString(16).padStart(8, '0')}`
      return complete(
        testGuest({ _id, event_id, guest_category_id, uid: `uid-${index}`, first_name: 'Ada', last_name }),
      )
    })
    await client.db(`${system.namespace}_guests`).collection<{ _id: string }>('guests').insertMany(guests)
  }

  test('has them by last name, then first name, those of each category as its template says', async () => {
    const event = await TestEvent.open(system)
    const lines = [{ field: 'name' }]
    const { _id } = await event.make('badge_templates.json', { name: 'Card', width_mm: 86, height_mm: 54, lines })
    const card = await category(event, 'VIP', { badge_template_id: _id })
    const usual = await category(event, 'Press')
    await event.guest(usual, 'c', { first_name: 'Ada', last_name: 'Zuse' })
    await event.guest(card, 'b', { first_name: 'Grace', last_name: 'Hopper' })
    await event.guest(usual, 'a', { first_name: 'Ada', last_name: 'hopper' })
    await event.guest(await event.category('No badges'), 'd', { last_name: 'Nobody' })
    const { text, pages } = await read(event)
    expect(text).toBe('Press Ada hopper Grace Hopper b Press Ada Zuse')
    expect(pages.map(([width]) => Math.round((width * 25.4) / 72))).toEqual([105, 86, 105])
  })

  test('has those of categories, or of guests who have come in or have not, as the list of guests', async () => {
    const event = await TestEvent.open(system)
    const [vip, press, point] = [await category(event, 'VIP'), await category(event, 'Press'), await event.point()]
    for (const id of [vip, press]) await event.link(id, point)
    for (const [id, uid] of [
      [vip, 'Ada'],
      [vip, 'Bob'],
      [press, 'Cleo'],
    ] as const)
      await event.guest(id, uid, { last_name: uid })
    for (const uid of ['Ada', 'Cleo']) await event.scan(point, uid)
    const names = async (query: string) => (await read(event, query)).text.match(/Ada|Bob|Cleo/g)
    await expect.poll(() => event.read('guests.json?checked_in=true')).toHaveLength(2)
    expect(await names(`?category[]=${vip}`)).toEqual(['Ada', 'Bob'])
    expect(await names(`?category[]=${vip}&category[]=${press}&checked_in=true`)).toEqual(['Ada', 'Cleo'])
    expect(await names('?checked_in=false')).toEqual(['Bob'])
  })

  test('is one file of several parts, whose comments say how far it is', async () => {
    const event = await TestEvent.open(system)
    await fill(event, await category(event, 'VIP'), MANY)
    const bytes = new Uint8Array(await (await get(event)).arrayBuffer())
    const { text, pages } = await readPdf(bytes)
    expect(pages).toHaveLength(MANY)
    expect(text.match(/Guest\d+/g)).toEqual([...new Set(text.match(/Guest\d+/g))].sort())
    const comments = Buffer.from(bytes)
      .toString('latin1')
      .match(/^%Badges .*$/gm)
    expect(comments).toEqual([0, 100, 200].map((made) => `%Badges ${made} of ${MANY}`))
  })

  test('is refused where no guest has a badge', async () => {
    const event = await TestEvent.open(system)
    await event.guest(await event.category('No badges'), 'ada')
    const answer = await get(event)
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { error: 'No guest with these filters has a badge: their categories must have badges' },
    ])
    // That ended the account's turn.
    expect((await get(event)).status).toBe(404)
  })

  test('is made one at a time for an account, and others are not kept waiting', async () => {
    const event = await TestEvent.open(system)
    await fill(event, await category(event, 'VIP'), MANY)
    const first = await get(event)
    const second = await get(event)
    expect([second.status, await second.json()]).toEqual([
      409,
      { error: 'Another file of badges is being made for this account: wait until it is done, or cancel it' },
    ])
    const other = await system.account(`other-${event.id}`)
    const theirs = await TestEvent.open({ ...system, ...other, api: apiOf(system.url, other.auth_token) })
    const answer = await get(theirs, '', {}, other.auth_token)
    expect(await answer.text()).toContain('No guest with these filters')
    expect((await first.arrayBuffer()).byteLength).toBeGreaterThan(0)
    expect((await get(event)).status).toBe(200)
  })

  test('is made no further once the client has gone, who may begin anew at once', async () => {
    const event = await TestEvent.open(system)
    await fill(event, await category(event, 'VIP'), 2_000)
    const turns = client.db(`${system.namespace}_badges`).collection('print_turns')
    const leaving = new AbortController()
    const answer = await get(event, '', { signal: leaving.signal })
    expect(await turns.countDocuments({ _id: system.account_id as never })).toBe(1)
    leaving.abort()
    await answer.arrayBuffer().catch(() => undefined)
    await expect.poll(() => turns.countDocuments({ _id: system.account_id as never })).toBe(0)
    const again = await get(event, '?checked_in=false')
    expect(again.status).toBe(200)
    await again.body?.cancel()
    await expect.poll(() => turns.countDocuments({ _id: system.account_id as never })).toBe(0)
  })

  test('is of the own account’s events only', async () => {
    const event = await TestEvent.open(system)
    const other = await system.account(`stranger-${event.id}`)
    expect((await get(event, '', {}, other.auth_token)).status).toBe(404)
  })

  test('has 10,000 badges in less than two minutes', { ...deep, timeout: 300_000 }, async () => {
    const event = await TestEvent.open(system)
    await fill(event, await category(event, 'VIP', { badge_qr_code_enabled: true }), FAIR)
    const begun = performance.now()
    const bytes = new Uint8Array(await (await get(event)).arrayBuffer())
    const took = performance.now() - begun
    console.log(`10,000 badges: ${Math.round(took / 1_000)} s, ${Math.round(bytes.length / 1_000_000)} MB`)
    expect((await readPdf(bytes)).pages).toHaveLength(FAIR)
    expect(took).toBeLessThan(FAIR_MS)
  })
})
