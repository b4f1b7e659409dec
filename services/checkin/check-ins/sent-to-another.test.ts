import { newRequestId } from '@gatehouse/proto/bus/request-ids.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import type { Process } from '@gatehouse/test/harness/process.ts'
import { startReplica, startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

/** A Redis that is away. */
const NOWHERE = 'redis://127.0.0.1:1'
const ROUNDS = 5

let system: System
let testEvent: TestEvent
let point: string

beforeAll(async () => {
  system = await startSystem({ checkins: 0 })
})
afterAll(() => system?.stop())

/** An event in which each guest may enter once. */
async function openEvent(): Promise<void> {
  testEvent = await TestEvent.open(system)
  const category = await testEvent.category()
  point = await testEvent.point()
  await testEvent.link(category, point, 1)
  for (let n = 0; n < ROUNDS; n++) await testEvent.guest(category, `guest ${n}`)
}

describe('a scan in work at a process', () => {
  let doomed: Process

  afterEach(() => doomed?.kill())

  /** Sends requests to a process that hangs, and starts another one. */
  async function sendAndHang(
    ...requests: (() => Promise<Answer>)[]
  ): Promise<{ answers: Promise<Answer>[]; other: Running }> {
    doomed = await startReplicaProcess('checkin', system)
    await openEvent()
    process.kill(doomed.pid, 'SIGSTOP')
    const answers = requests.map((send) => send())
    return { answers, other: await startReplica('checkin', system) }
  }

  const single = () => testEvent.api('POST', 'access_controls.json', { accesspoint_id: point, guest_uid: 'guest 0' })
  const item = { guest_uid: 'guest 1' }
  const batch = () => testEvent.api('POST', 'access_controls/batch_create.json', [{ ...item, accesspoint_id: point }])
  const keyed = (path: string, body: () => object) => () =>
    testEvent.api('POST', path, body(), { headers: { 'idempotency-key': `${path} ${testEvent.id}` } })
  const keyedSingle = keyed('access_controls.json', () => ({ accesspoint_id: point, guest_uid: 'guest 2' }))
  const keyedBatch = keyed('access_controls/batch_create.json', () => [
    { accesspoint_id: point, guest_uid: 'guest 3' },
    { accesspoint_id: point, guest_uid: 'guest 4', access_stamp: '2027-05-01T08:00:00Z' },
  ])

  test.each([
    ['which is killed', 'SIGKILL'],
    ['which hangs, and goes on after another one has answered', 'SIGCONT'],
  ] as const)('%s is answered by another process, and stored once', slow, async (_, signal) => {
    const { answers, other } = await sendAndHang(single, batch, keyedSingle, keyedBatch)
    if (signal === 'SIGKILL') await doomed.kill()
    for (const { status, text } of await Promise.all(answers)) expect(status, text).toBe(201)
    if (signal === 'SIGCONT') {
      process.kill(doomed.pid, signal)
      // It works on what it has before it ends.
      await doomed.stop()
    }
    const stored = await testEvent.all('access_controls.json')
    expect(stored.map(({ guest_uid, access_status }) => `${guest_uid}: ${access_status}`).toSorted()).toEqual(
      [0, 1, 2, 3, 4].map((n) => `guest ${n}: 0`),
    )
    const shown = (await Promise.all(answers)).flatMap(({ body }) => body)
    expect(shown).toEqual(expect.arrayContaining(stored))
    expect((await testEvent.read('statistics.json')).check_in_count).toBe(5)
    await other.stop()
  })
})

test(
  'a check-in that is deleted while a second process still has its scan stays deleted; a later scan of the same stamp is stored',
  slow,
  async () => {
    const replica = await startReplica('checkin', system)
    onTestFinished(() => replica.stop())
    await openEvent()
    const stamp = '2027-05-01T08:00:00Z'
    const send = (request_id: string) =>
      callOf('access_controls.batch_create', 'guest 0', request_id, { access_stamp: stamp })
    const before = newRequestId()
    const [stored] = (await send(before)) as [{ _id: string }]
    await testEvent.remove(`access_controls/${stored._id}.json`)
    expect(await send(before)).toMatchObject([{ _id: stored._id, access_status: 0 }])
    expect(await testEvent.all('access_controls.json')).toEqual([])
    expect((await testEvent.read('statistics.json')).check_in_count).toBe(0)
    const after = newRequestId(Date.now() + 3_600_000)
    expect(await send(after)).toMatchObject([{ _id: stored._id, access_status: 0 }])
    expect(await testEvent.all('access_controls.json')).toHaveLength(1)
  },
)

test.for([
  { clock: 'of the process that deletes is slow', deletedAfterMs: 60_001 },
  { clock: "of the scan's gateway is fast", deletedAfterMs: 1 },
])('it stays deleted also where the clock $clock', slow, async ({ deletedAfterMs }) => {
  const replica = await startReplica('checkin', system)
  onTestFinished(() => replica.stop())
  await openEvent()
  const byGateway = (ms: number): string => newRequestId(Date.now() + ms)
  const before = byGateway(60_000)
  const send = () => callOf('access_controls.create', 'guest 0', before)
  const { _id } = (await send()) as { _id: string }
  const { account_id, bus } = system
  const caller = { account_id, token_id: 'some token', scope: 'admin' as const }
  const params = { event_id: testEvent.id, id: _id }
  await bus.call(
    'checkin.access_controls.delete',
    { params, caller, request_id: byGateway(deletedAfterMs) },
    new Uint8Array(),
  )
  expect(await send()).toMatchObject({ _id })
  expect(await testEvent.all('access_controls.json')).toEqual([])
})

/** Asks checkin for an action with one item as the gateway does, under an id of its request. */
async function callOf(action: string, guest_uid: string, request_id: string, fields: object = {}): Promise<object> {
  const { account_id, bus } = system
  const caller = { account_id, token_id: 'some token', scope: 'admin' as const }
  const item = { accesspoint_id: point, guest_uid, ...fields }
  const body = Buffer.from(JSON.stringify(action.endsWith('batch_create') ? [item] : item))
  const reply = await bus.call(`checkin.${action}`, { params: { event_id: testEvent.id }, caller, request_id }, body)
  return JSON.parse(Buffer.from(reply.body).toString())
}

describe.each([
  ['with Redis', {}],
  ['without Redis', { redis_url: NOWHERE }],
] as const)('a scan that two processes get at once, %s', (_, settings) => {
  let replicas: Running[]

  beforeAll(async () => {
    replicas = await Promise.all([startReplica('checkin', system, settings), startReplica('checkin', system, settings)])
  })
  afterAll(async () => {
    for (const replica of replicas) await replica.stop()
  })

  test.each([
    ['access_controls.create', {}],
    ['access_controls.batch_create', {}],
    ['signatures.create', { points: { width: '1', height: '1', lines: [] } }],
    ['signatures.batch_create', { points: { width: '1', height: '1', lines: [] } }],
  ])('has one answer, and is stored once: %s', slow, async (action, fields) => {
    await openEvent()
    const [collection] = action.split('.')
    for (let n = 0; n < ROUNDS; n++) {
      const request_id = newRequestId()
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => callOf(action, `guest ${n}`, request_id, fields)),
      )
      for (const answer of answers) expect(answer).toEqual(answers[0])
    }
    const stored = await testEvent.all(`${collection}.json`)
    expect(stored.map(({ guest_uid }) => guest_uid).toSorted()).toEqual(
      Array.from({ length: ROUNDS }, (_, n) => `guest ${n}`),
    )
    for (const { access_status = 0 } of stored) expect(access_status).toBe(0)
  })
})
