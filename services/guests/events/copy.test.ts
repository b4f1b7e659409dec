// @module-tag slow
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type Answer, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { MongoClient } from 'mongodb'
import { afterAll, describe, expect, inject, test } from 'vitest'

// Its own: answers are lost here, and copies completed for all accounts.
const system = await startSystem({ with: ['promo', 'partners', 'leads', 'badges'] })
const mongo = await MongoClient.connect(inject('mongodbUrl'))
afterAll(async () => {
  await mongo.close()
  await system.stop()
})

interface Stored {
  _id: string
  event_id: string
}
const stored = (service: string, name: string) => mongo.db(`${system.namespace}_${service}`).collection<Stored>(name)

/** An event with one of each thing that is copied and of some that are not. */
async function furnished(fields: object = {}) {
  const original = await TestEvent.open(system, {
    title: 'Fair 2026',
    timezone: 'Europe/Paris',
    start_date: '2026-03-20T08:00:00Z',
    end_date: '2026-03-22T17:00:00Z',
    lead_guest_fields: ['uid'],
    ...fields,
  })
  const area = await original.make('areas.json', { name: 'Hall', capacity: 80 })
  const door = await original.make('accesspoints.json', { name: 'Door', area_id: area._id })
  const exit = await original.make('accesspoints.json', { name: 'Exit', direction: 'out' })
  const link = {
    accesspoint_id: door._id,
    max_allowed_accesses: 2,
    valid_from: '2026-03-21T08:00:00.000Z',
    valid_until: null,
    period: 'day',
    reentry: true,
  }
  const vip = await original.make('guest_categories.json', {
    name: 'VIP',
    badge_enabled: true,
    form_checkin_point_mapping: { Field1: exit._id, Field2: 'other' },
    guest_category_accesspoints: [link],
  })
  const press = await original.make('guest_categories.json', { name: 'Press' })
  await original.make('guest_fields.json', { key: 'diet', label: 'Diet', on_device: true })
  await original.make('invitation_types.json', {
    name: 'Evening',
    guest_category_id: vip._id,
    subject: 'Come, {{first_name}}',
    message: 'Dear {{last_name}}',
  })
  await original.guest(vip._id, 'ada', { last_name: 'Lovelace' })
  await original.scan(door._id, 'ada')
  await original.make('partners.json', { name: 'Acme', uid: 'acme' })
  await original.make('promo_codes.json', { text: 'EARLY' })
  await original.make('exhibitors.json', { name: 'Stand' })
  return { original, area, door, exit, vip, press, link }
}

const copyOf = (original: TestEvent, body: object = {}, init = {}): Promise<Answer> =>
  original.api('POST', 'copy.json', body, init)

/** What an event has of all that is copied, without ids and times. */
async function contentOf(event: TestEvent): Promise<object> {
  const [areas, points, categories, fields, types] = await Promise.all(
    ['areas', 'accesspoints', 'guest_categories', 'guest_fields', 'invitation_types'].map((path) =>
      event.read(`${path}.json`),
    ),
  )
  const nameOf = (list: { _id: string; name: string }[], id: string) => list.find(({ _id }) => _id === id)?.name
  const link = (each: Record<string, string>) => ({
    ...each,
    accesspoint_id: nameOf(points, each.accesspoint_id as string),
    guest_category_id: nameOf(categories, each.guest_category_id as string),
  })
  const own = (each: Record<string, unknown>) => {
    const { _id, event_id, object_id, created_at, updated_at, ...rest } = each
    expect([event_id, object_id ?? event.id]).toEqual([event.id, event.id])
    return rest
  }
  const linked = (each: Answer['body']) => ({
    ...own(each),
    guest_category_accesspoints: each.guest_category_accesspoints.map(link),
  })
  return {
    areas: areas.map(own).map((each: object) => ({ ...each, inside_count: 0 })),
    points: points.map(linked).map((each: Answer['body']) => ({ ...each, area_id: nameOf(areas, each.area_id) })),
    categories: categories.map(linked).map((each: Answer['body']) => ({ ...each, form_checkin_point_mapping: {} })),
    fields: fields.map(own),
    types: types
      .map(own)
      .map((each: Answer['body']) => ({ ...each, guest_category_id: nameOf(categories, each.guest_category_id) })),
  }
}

describe('a copy of an event', () => {
  test('has everything but people, in the same order, under its own ids', async () => {
    const { original, exit } = await furnished()
    const { status, body } = await copyOf(original)
    expect(status).toBe(201)
    const copy = new TestEvent(system, body._id)
    const { _id, guest_count, check_in_count, created_at, updated_at, ...settings } = (
      await system.api('GET', `events/${original.id}.json`)
    ).body
    expect([guest_count, check_in_count]).toEqual([1, 1])
    expect(body).toMatchObject({ ...settings, guest_count: 0, check_in_count: 0, signature_count: 0 })
    expect((await system.api('GET', `events/${copy.id}.json`)).body).toEqual(body)
    expect(await contentOf(copy)).toEqual(await contentOf(original))
    const points = await copy.read('accesspoints.json')
    expect(points.map(({ _id }: Stored) => _id)).not.toContain(exit._id)
    const [vip] = await copy.read('guest_categories.json')
    expect(vip.form_checkin_point_mapping).toEqual({ Field1: points[1]._id, Field2: 'other' })
    for (const path of ['guests', 'access_controls', 'partners', 'promo_codes', 'exhibitors', 'devices'])
      expect(await copy.read(`${path}.json`), path).toEqual([])
  })

  test('lets in its own guests, by the links of its own categories', async () => {
    const { original } = await furnished()
    const copy = new TestEvent(system, (await copyOf(original, { start_date: '2020-03-20T08:00:00Z' })).body._id)
    const [[door], [vip, press]] = [await copy.read('accesspoints.json'), await copy.read('guest_categories.json')]
    await copy.guest(vip._id, 'ada', { last_name: 'Lovelace' })
    await copy.guest(press._id, 'bob', { last_name: 'Byron' })
    expect((await copy.scan(door._id, 'ada')).access_status).toBe(0)
    expect((await copy.scan(door._id, 'bob')).access_status).toBe(2)
  })

  test('takes title and dates; the end and the times of links move with the start, by the clocks of the event', async () => {
    const { original } = await furnished()
    const moved = (await copyOf(original, { title: 'Fair 2027', start_date: '2027-04-02T07:00:00Z' })).body
    expect(moved).toMatchObject({
      title: 'Fair 2027',
      start_date: '2027-04-02T07:00:00.000Z',
      // Summer time begins in between: it still ends at six in the evening.
      end_date: '2027-04-04T16:00:00.000Z',
    })
    const [category] = await new TestEvent(system, moved._id).read('guest_categories.json')
    expect(category.guest_category_accesspoints[0]).toMatchObject({
      valid_from: '2027-04-03T07:00:00.000Z',
      valid_until: null,
    })
    const given = (await copyOf(original, { start_date: null, end_date: '2026-03-21T17:00:00Z' })).body
    expect(given).toMatchObject({ start_date: null, end_date: '2026-03-21T17:00:00.000Z' })
  })

  test('with an end before its start is refused', async () => {
    const { original } = await furnished()
    expect(await original.refused('copy.json', { end_date: '2026-03-01T00:00:00Z' })).toEqual({
      end_date: ["can't be before start_date"],
    })
    expect(Object.keys(await original.refused('copy.json', { title: '', start_date: 'soon' }))).toEqual([
      'title',
      'start_date',
    ])
  })

  test('has its own key for QR codes', async () => {
    const { original } = await furnished({ qr_code_ciphering_enabled: true })
    const { _id } = (await copyOf(original)).body
    const [one, other] = await Promise.all(
      [original.id, _id].map(
        (id) => stored('guests', 'events').findOne({ _id: id }) as Promise<{ ciphering?: string }>,
      ),
    )
    expect(one?.ciphering).toBeTypeOf('string')
    expect(other?.ciphering).toBeTypeOf('string')
    expect(other?.ciphering).not.toBe(one?.ciphering)
  })

  test('is refused to a token that is bound to the event, and of an event of another account', async () => {
    const { original } = await furnished()
    const bound = await system.api('POST', 'tokens.json', { name: 'bound', scope: 'admin', event_id: original.id })
    const before = (await system.api('GET', 'events.json')).body.length
    expect((await copyOf(original, {}, { token: bound.body.token })).status).toBe(403)
    const other = await system.account(`a${crypto.randomUUID().slice(0, 8)}`)
    expect((await copyOf(original, {}, { token: other.auth_token })).status).toBe(404)
    expect((await system.api('GET', 'events.json')).body).toHaveLength(before)
  })
})

describe('an interrupted copy of an event', () => {
  /** Makes a copy as it is when a process died after its first steps, by a request that can be repeated. */
  async function interrupted(since: Date) {
    const { original } = await furnished()
    const init = { headers: { 'idempotency-key': crypto.randomUUID() } }
    const { _id: event_id } = (await copyOf(original, {}, init)).body
    const copying = { event_id: original.id, since }
    await stored('guests', 'events').updateOne({ _id: event_id }, { $set: { copying } })
    await stored('guests', 'idempotency_keys').deleteMany({})
    await stored('partners', 'invitation_types').deleteMany({ event_id })
    await stored('guests', 'guest_categories').deleteOne({ event_id, name: 'VIP' } as object)
    await stored('checkin', 'guest_category_accesspoints').deleteMany({ event_id })
    return { original, copy: new TestEvent(system, event_id), init }
  }

  test('is not there for anybody', async () => {
    const { copy } = await interrupted(new Date())
    expect(await copy.status('GET', 'guest_categories.json')).toBe(404)
    const listed = (await system.api('GET', 'events.json')).body.map(({ _id }: Stored) => _id)
    expect(listed).not.toContain(copy.id)
  })

  test('is completed by the repeated request: everything is there once', async () => {
    const { original, copy, init } = await interrupted(new Date())
    const again = await copyOf(original, {}, init)
    expect([again.status, again.body._id]).toEqual([201, copy.id])
    expect(await contentOf(copy)).toEqual(await contentOf(original))
  })

  test('is completed without a request once no request can be at work', async () => {
    const { original, copy } = await interrupted(new Date(Date.now() - 3_600_000))
    const replica = await startReplica('guests', system)
    await expect.poll(() => copy.status('GET', 'guest_fields.json'), { timeout: 60_000 }).toBe(200)
    await replica.stop()
    expect(await contentOf(copy)).toEqual(await contentOf(original))
  })

  test('once complete stays as it was changed since, though its request is repeated', async () => {
    const { original } = await furnished()
    const init = { headers: { 'idempotency-key': crypto.randomUUID() } }
    const copy = new TestEvent(system, (await copyOf(original, {}, init)).body._id)
    const [, press] = await copy.read('guest_categories.json')
    await copy.remove(`guest_categories/${press._id}.json`)
    await stored('guests', 'idempotency_keys').deleteMany({})
    expect((await copyOf(original, {}, init)).body._id).toBe(copy.id)
    expect(await copy.read('guest_categories.json')).toHaveLength(1)
  })
})
