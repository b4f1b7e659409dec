// @module-tag slow
import { gunzipSync } from 'node:zlib'
import { decide, readSnapshot, type Snapshot, updated } from '@gatehouse/door/snapshot.ts'
import { writeSnapshot } from '@gatehouse/door/snapshot-writing.ts'
import { hashUid } from '@gatehouse/door/uid-hash.ts'
import { requesterFor } from '@gatehouse/proto/bus/client.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { snapshots } from './resource.ts'

let system: System
beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.stop())

/** An event with a door that visitors may enter twice. */
async function open() {
  const testEvent = await TestEvent.open(system)
  const [category, point] = [await testEvent.category(), await testEvent.point()]
  await testEvent.link(category, point, 2)
  return { testEvent, category, point }
}

async function answerOf(testEvent: TestEvent, since?: string, headers: Record<string, string> = {}): Promise<Answer> {
  return testEvent.api('GET', `snapshot.json${since === undefined ? '' : `?since=${since}`}`, undefined, { headers })
}

async function wholeOf(testEvent: TestEvent): Promise<Snapshot> {
  return readSnapshot((await answerOf(testEvent)).text)
}

/** The same snapshot after the difference since its cursor. */
async function caughtUp(testEvent: TestEvent, snapshot: Snapshot): Promise<Snapshot> {
  const { body, text } = await answerOf(testEvent, snapshot.cursor)
  expect(body.kind).toBe('difference')
  return updated(snapshot, text)
}

async function statusOf(snapshot: Snapshot, accesspoint_id: string, uid: string): Promise<number | undefined> {
  return decide(snapshot, { accesspoint_id, hash: await hashUid(snapshot.salt, uid) })?.access_status
}

describe('a snapshot', () => {
  test('has what was answered before, and a difference from it has what has changed since', async () => {
    const { testEvent, category, point } = await open()
    const [ada] = [await testEvent.guest(category, 'ada'), await testEvent.guest(category, 'bob')]
    await testEvent.scan(point, 'ada')
    const snapshot = await wholeOf(testEvent)
    expect([...snapshot.accesspoints.values(), ...snapshot.categories.values()]).toEqual([
      { name: 'Door' },
      { name: 'Visitors' },
    ])
    expect([snapshot.guests.size, await statusOf(snapshot, point, 'cyd')]).toEqual([2, 1])
    await testEvent.scan(point, 'ada')
    await testEvent.guest(category, 'cyd')
    const after = await caughtUp(testEvent, snapshot)
    const statuses = ['ada', 'bob', 'cyd'].map((uid) => statusOf(after, point, uid))
    expect(await Promise.all(statuses)).toEqual([3, 0, 0])
    await testEvent.change(`guests/${ada}.json`, { uid: 'eve' })
    await caughtUp(testEvent, after)
    expect(await Promise.all(['ada', 'eve'].map((uid) => statusOf(after, point, uid)))).toEqual([1, 0])
    expect(after.guests).toEqual((await wholeOf(testEvent)).guests)
  })

  test('holds no uid, and no name unless the category allows that to devices', async () => {
    const { testEvent, category, point } = await open()
    const vip = (await testEvent.make('guest_categories.json', { name: 'VIP', device_names_enabled: true }))._id
    const names = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' }
    await testEvent.guest(category, 'uid-of-a-visitor', { ...names, first_name: 'Grace' })
    await testEvent.guest(vip, 'uid-of-a-vip', names)
    const { text } = await answerOf(testEvent)
    expect(text).toContain('Lovelace')
    for (const hidden of ['uid-of', 'Grace', 'example.org']) expect(text).not.toContain(hidden)
    const snapshot = readSnapshot(text)
    const vipHash = await hashUid(snapshot.salt, 'uid-of-a-vip')
    const scan = { accesspoint_id: point, hash: vipHash }
    expect(decide(snapshot, scan)).toMatchObject({
      guest: { first_name: 'Ada', last_name: 'Lovelace' },
      category: 'VIP',
    })
    await testEvent.change(`guest_categories/${vip}.json`, { device_names_enabled: false })
    await caughtUp(testEvent, snapshot)
    expect(decide(snapshot, scan)?.guest).toEqual({ guest_category_id: vip, access_privileges: [] })
    expect((await answerOf(testEvent)).text).not.toContain('Lovelace')
    await testEvent.change(`guest_categories/${vip}.json`, { device_names_enabled: true })
    await caughtUp(testEvent, snapshot)
    expect(decide(snapshot, scan)?.guest).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace' })
  })

  test('has notes, companies, positions and the fields on devices, where the category allows names; differences have their changes', async () => {
    const { testEvent, category, point } = await open()
    const vip = (await testEvent.make('guest_categories.json', { name: 'VIP', device_names_enabled: true }))._id
    const field = await testEvent.make('guest_fields.json', { key: 'seat', label: 'Seat', on_device: true })
    await testEvent.make('guest_fields.json', { key: 'diet' })
    const details = { company_name: 'Acme', position: 'Engineer', message: 'Call the host' }
    const guest_metadata = [
      { name: 'diet', value: 'vegan' },
      { name: 'seat', value: 'A1' },
    ]
    await testEvent.guest(category, 'visitor', { ...details, guest_metadata, message: 'Hidden' })
    const ada = await testEvent.guest(vip, 'ada', { ...details, guest_metadata })
    const { text } = await answerOf(testEvent)
    for (const hidden of ['Hidden', 'vegan', 'diet']) expect(text).not.toContain(hidden)
    const snapshot = readSnapshot(text)
    const [hash, visitor] = [await hashUid(snapshot.salt, 'ada'), await hashUid(snapshot.salt, 'visitor')]
    const known = () => decide(snapshot, { accesspoint_id: point, hash })?.guest
    const seats = () => known()?.guest_metadata
    expect(known()).toMatchObject({ ...details, guest_metadata: [{ name: 'seat', value: 'A1' }] })
    expect([...snapshot.fields]).toEqual([['seat', { label: 'Seat' }]])
    expect(snapshot.guests.get(visitor)).toEqual({ guest_category_id: category, access_privileges: [] })

    const changed = { company_name: 'Initech', position: null, message: 'x'.repeat(2_000) }
    await testEvent.change(`guests/${ada}.json`, { ...changed, guest_metadata: [{ name: 'seat', value: 'B2' }] })
    await caughtUp(testEvent, snapshot)
    expect(known()).toMatchObject({ company_name: 'Initech', message: `${'x'.repeat(999)}…` })
    expect([known()?.position, seats()]).toEqual([undefined, [{ name: 'seat', value: 'B2' }]])

    await testEvent.change(`guest_fields/${field._id}.json`, { on_device: false })
    await caughtUp(testEvent, snapshot)
    expect([seats(), snapshot.fields.size]).toEqual([undefined, 0])
    await testEvent.change(`guest_fields/${field._id}.json`, { on_device: true, label: 'Place' })
    await caughtUp(testEvent, snapshot)
    expect([seats(), snapshot.fields.get('seat')]).toEqual([[{ name: 'seat', value: 'B2' }], { label: 'Place' }])

    await testEvent.change(`guest_categories/${vip}.json`, { device_names_enabled: false })
    await caughtUp(testEvent, snapshot)
    expect(known()).toEqual({ guest_category_id: vip, access_privileges: [] })
    const { text: after } = await answerOf(testEvent)
    for (const hidden of ['Initech', 'xxx', 'B2']) expect(after).not.toContain(hidden)
  })

  test('says who came in, where whoever comes out may come in again and no longer counts, until the entry is deleted', async () => {
    const testEvent = await TestEvent.open(system)
    const category = await testEvent.category()
    const point = await testEvent.point()
    const exit = (await testEvent.make('accesspoints.json', { name: 'Exit', direction: 'out' }))._id
    await testEvent.link(category, point, 1, { reentry: true })
    for (const uid of ['ada', 'bob']) await testEvent.guest(category, uid, { party_size: 2 })
    const { _id } = await testEvent.scan(point, 'ada', { persons: 2 })
    const snapshot = await wholeOf(testEvent)
    const of = async (uid: string) => {
      const hash = await hashUid(snapshot.salt, uid)
      return [snapshot.uses, snapshot.entered.uses].map((all) => all.get(point)?.get(hash))
    }
    expect([await of('ada'), await of('bob')]).toEqual([
      [2, undefined],
      [undefined, undefined],
    ])
    await testEvent.scan(exit, 'ada')
    await caughtUp(testEvent, snapshot)
    expect(await of('ada')).toEqual([undefined, 2])
    expect(readSnapshot(writeSnapshot(snapshot)).entered).toEqual(snapshot.entered)
    await testEvent.remove(`access_controls/${_id}.json`)
    await caughtUp(testEvent, snapshot)
    expect(await of('ada')).toEqual([undefined, undefined])
  })

  test('says where guests sign, as soon as that is switched on, and keeps it', async () => {
    const { testEvent, point } = await open()
    const snapshot = await wholeOf(testEvent)
    expect(snapshot.accesspoints.get(point)?.signature).toBeUndefined()
    await testEvent.change(`accesspoints/${point}.json`, { signature_enabled: true })
    await caughtUp(testEvent, snapshot)
    expect(snapshot.accesspoints.get(point)?.signature).toBe(true)
    expect(readSnapshot(writeSnapshot(snapshot)).accesspoints).toEqual(snapshot.accesspoints)
  })

  test('forgets an erased guest', async () => {
    const { testEvent, category, point } = await open()
    await testEvent.guest(category, 'ada')
    await testEvent.scan(point, 'ada')
    const snapshot = await wholeOf(testEvent)
    await testEvent.make('erasures.json', { by: 'guest_uid', value: 'ada' })
    await expect.poll(async () => (await caughtUp(testEvent, snapshot)).guests.size).toBe(0)
  })

  test('is answered 304 to who has it, and compressed to who takes that', async () => {
    const { testEvent, category } = await open()
    await testEvent.guest(category, 'ada')
    const first = await answerOf(testEvent)
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('content-encoding')).toBe('gzip')
    const again = await answerOf(testEvent, undefined, { 'if-none-match': `"other", ${etag}` })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    const plain = await answerOf(testEvent, undefined, { 'accept-encoding': 'identity' })
    expect([plain.headers.get('content-encoding'), plain.text]).toEqual([null, first.text])
    await testEvent.guest(category, 'bob')
    expect((await answerOf(testEvent, undefined, { 'if-none-match': etag })).status).toBe(200)
  })

  test('a difference without changes is empty, and has the same cursor', async () => {
    const { testEvent, category } = await open()
    await testEvent.guest(category, 'ada')
    const { cursor } = await wholeOf(testEvent)
    const { body } = await answerOf(testEvent, cursor)
    expect(body).toMatchObject({ kind: 'difference', cursor, gone: '', guests: { hashes: '' } })
  })

  test.each(['1', 'abcdefabcdef-1-1', 'abcdefabcdef-1-99999999999999999999', '💃'])(
    'is whole, and says so, since a cursor that is too old or unknown: %j',
    async (cursor) => {
      const { testEvent, category } = await open()
      await testEvent.guest(category, 'ada')
      const { body, text } = await answerOf(testEvent, encodeURIComponent(cursor))
      expect(body).toMatchObject({ kind: 'whole', cursor_too_old: true })
      expect(readSnapshot(text).guests.size).toBe(1)
    },
  )

  test('belongs to the event and its account alone', async () => {
    const [one, other] = [await open(), await open()]
    await one.testEvent.guest(one.category, 'ada')
    const snapshot = await wholeOf(one.testEvent)
    expect((await wholeOf(other.testEvent)).guests.size).toBe(0)
    expect(await hashUid(snapshot.salt, 'ada')).not.toBe(await hashUid((await wholeOf(other.testEvent)).salt, 'ada'))
    const since = await answerOf(other.testEvent, snapshot.cursor)
    expect(since.body).toMatchObject({ kind: 'whole', cursor_too_old: true })
    const stranger = await system.account('stranger')
    const headers = { authorization: `Bearer ${stranger.auth_token}` }
    const answer = await fetch(`${system.url}/api/v1/events/${one.testEvent.id}/snapshot.json`, { headers })
    expect(answer.status).toBe(404)
  })

  test('has nothing of check-in points to which a device is not bound', async () => {
    const { testEvent, category, point } = await open()
    const lounge = await testEvent.point('Lounge')
    await testEvent.link(category, lounge)
    const privileges = [{ accesspoint_id: lounge, access_once: true }]
    await testEvent.guest(category, 'ada', { access_privileges_attributes: privileges })
    await testEvent.scan(lounge, 'ada')
    const ask = requesterFor(system.bus, snapshots, 'read')
    const { account_id } = system
    const caller: Caller = { account_id, token_id: 'device', scope: 'door', accesspoint_ids: [point] }
    const { body } = await ask({ params: { event_id: testEvent.id }, caller })
    const text = gunzipSync(body).toString()
    expect(text).not.toContain(lounge)
    const snapshot = readSnapshot(text)
    expect([...snapshot.accesspoints.keys(), snapshot.uses.size]).toEqual([point, 0])
    expect(snapshot.guests.values().toArray()).toEqual([{ guest_category_id: category, access_privileges: [] }])
    expect((await wholeOf(testEvent)).uses.size).toBe(1)
  })

  test('devices that ask at once share the reading, and each gets what it asked for', async () => {
    const { testEvent, category, point } = await open()
    await testEvent.guest(category, 'ada')
    const snapshot = await wholeOf(testEvent)
    await testEvent.scan(point, 'ada')
    const answers = Array.from({ length: 40 }, (_, n) => answerOf(testEvent, n % 2 === 0 ? snapshot.cursor : undefined))
    for (const [n, { body }] of (await Promise.all(answers)).entries()) {
      expect(body.kind).toBe(n % 2 === 0 ? 'difference' : 'whole')
      expect(body.guests.uses).toHaveLength(1)
    }
  })
})
