import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sharedSystem } from './harness/shared-system.ts'
import { TestEvent } from './harness/test-event.ts'

/* What nobody sees at the ends of codes and cells (docs/interface.md 1.25), at every place where a code is given. */

const system = await sharedSystem()

let testEvent: TestEvent
let [category, point, leadPath] = ['', '', '']

beforeAll(async () => {
  testEvent = await TestEvent.open(system)
  category = await testEvent.category()
  point = await testEvent.point()
  await testEvent.link(category, point, -1)
  await testEvent.guest(category, '\ufeffcr0001\r\n', { last_name: ' Lovelace\u200b', guest_metadata: { seat: '7\t' } })
  const { access_token } = await testEvent.make('exhibitors.json', { name: 'Acme' })
  leadPath = `devices/${access_token}/connections/batch_create.json`
})

const SPELLINGS = ['cr0001\r\n', '\ufeffcr0001', '\u00a0\u2060cr0001\t', '\u200bcr0001\u200f\0', ' cr0001 ']
const drawing = { width: '1', height: '1', lines: [] }

test('a guest is stored without it, in the uid, in names and in metadata', async () => {
  const [guest] = await testEvent.read('guests.json?uid=cr0001&guest_metadata=true')
  expect([guest.uid, guest.last_name, guest.guest_metadata]).toEqual([
    'cr0001',
    'Lovelace',
    [{ name: 'seat', value: '7' }],
  ])
})

describe('a scanned code is that of the guest', () => {
  test.each(SPELLINGS)('%j', async (guest_uid) => {
    const scan = { accesspoint_id: point, guest_uid }
    const checkIn = await testEvent.scan(point, guest_uid)
    const [ofBatch] = await testEvent.make('access_controls/batch_create.json', [scan])
    const signature = await testEvent.make('signatures.json', { ...scan, points: drawing })
    const [signed] = await testEvent.make('signatures/batch_create.json', [{ ...scan, points: drawing }])
    const lead = await system.api('POST', leadPath, [{ guest_uid, author: 'Bob' }], { token: '' })
    expect([checkIn, ofBatch, signature, signed, lead.body[0]].map((each) => each.guest_uid)).toEqual(
      Array(5).fill('cr0001'),
    )
    expect([checkIn.access_status, ofBatch.access_status]).toEqual([0, 0])
    const uid = encodeURIComponent(guest_uid)
    expect(await testEvent.read(`guests.json?uid=${uid}`)).toHaveLength(1)
    expect((await testEvent.read(`access_controls.json?guest_uid=${uid}`)).length).toBeGreaterThan(1)
    const token = leadPath.split('/')[1]
    const shown = await system.api('GET', `lead_guests/${uid}.json?access_token=${token}`, undefined, { token: '' })
    expect([shown.status, shown.body.uid]).toEqual([200, 'cr0001'])
  })
})

test('a batch item in another spelling with the same stamp is the same scan', async () => {
  const item = { accesspoint_id: point, access_stamp: '2026-05-01T08:00:00Z' }
  const items = ['cr0001', 'cr0001\r\n'].map((guest_uid) => ({ ...item, guest_uid }))
  const [one, other] = await testEvent.make('access_controls/batch_create.json', items)
  expect(other).toEqual(one)
})

test('a NUL inside a text is 422 and names the field, in single requests and in batches', async () => {
  const wrong = { errors: { guest_uid: ['is not valid'] } }
  const scan = { accesspoint_id: point, guest_uid: 'cr\u00000001' }
  const [single, batch, guest] = [
    await testEvent.api('POST', 'access_controls.json', scan),
    await testEvent.api('POST', 'access_controls/batch_create.json', [scan]),
    await testEvent.api('POST', 'guests.json', { guest_category_id: category, last_name: 'A\0', company_name: 'B\0C' }),
  ]
  expect([single.status, single.body]).toEqual([422, wrong])
  expect([batch.status, batch.body]).toEqual([422, [wrong]])
  expect([guest.status, guest.body]).toEqual([422, { errors: { company_name: ['is not valid'] } }])
})

test('control characters inside a name are 422 and name the field; a long text has lines and tabs; a uid may hold any', async () => {
  const refused = ["can't contain control characters"]
  for (const control of ['\x01', '\t', '\n', '\r', '\x1b[2J', '\x7f', '\x85', '\x9b31m']) {
    const guest = {
      guest_category_id: category,
      last_name: `A${control}B`,
      guest_metadata: [{ name: 'n', value: 'x' }],
    }
    const answer = await testEvent.api('POST', 'guests.json', guest)
    expect([answer.status, answer.body]).toEqual([422, { errors: { last_name: refused } }])
  }
  const metadata = (value: string) => ({ guest_category_id: category, last_name: 'A', guest_metadata: { note: value } })
  const answer = await testEvent.api('POST', 'guests.json', metadata('a\x1b[2J'))
  expect([answer.status, answer.body]).toEqual([422, { errors: { 'guest_metadata.0.value': refused } }])
  await testEvent.make('guests.json', metadata('a\r\n\tb'))
  const uid = `]d201${crypto.randomUUID()}\x1d21`
  expect(await testEvent.make('guests.json', { guest_category_id: category, uid })).toMatchObject({ uid })
  expect(await testEvent.scan(point, uid)).toMatchObject({ access_status: 0 })
})

describe('a guest whose uid is older than the rule', () => {
  const client = new MongoClient(inject('mongodbUrl'))
  const OLD = '\u00a0old1 '
  let id = ''
  beforeAll(async () => {
    id = await testEvent.guest(category, 'before')
    const stored = client.db(`${system.namespace}_guests`).collection<{ _id: string }>('guests')
    await stored.updateOne({ _id: id }, { $set: { uid: OLD } })
  })
  afterAll(() => client.close())

  test('is reached by just this uid, at the door, in lists and by exhibitors, also where another has what is visible of it', async () => {
    const uid = encodeURIComponent(OLD)
    expect((await testEvent.read(`guests.json?uid=${uid}`))[0]._id).toBe(id)
    expect(await testEvent.read(`guests/${id}.json`)).toMatchObject({ uid: OLD })
    expect(await testEvent.scan(point, OLD)).toMatchObject({ access_status: 0, guest_uid: OLD })
    const items = [{ accesspoint_id: point, guest_uid: OLD }]
    expect(await testEvent.make('access_controls/batch_create.json', items)).toMatchObject([{ access_status: 0 }])
    const lead = await system.api('POST', leadPath, [{ guest_uid: OLD, author: 'Bob' }], { token: '' })
    expect(lead.body).toMatchObject([{ guest_uid: OLD }])
    await testEvent.guest(category, 'old1')
    expect((await testEvent.scan(point, 'old1\n')).guest_uid).toBe('old1')
    expect((await testEvent.scan(point, OLD)).guest_uid).toBe(OLD)
    const erased = await testEvent.api('POST', 'erasures.json', { by: 'guest_uid', value: OLD })
    expect(erased.status).toBe(201)
    await expect.poll(async () => (await testEvent.read(`guests/${id}.json`)).uid).toMatch(/^erased-/)
    expect((await testEvent.read('guests.json?uid=old1'))[0].uid).toBe('old1')
  })
})
