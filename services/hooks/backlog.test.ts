import type { Process } from '@gatehouse/test/harness/process.ts'
import { type Received, type Receiver, startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { retried } from '@gatehouse/test/harness/retried.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { proxyTo, type TcpProxy } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'

type CheckIn = Answer['body']

let system: System
let proxy: TcpProxy
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  system = await startSystem()
  proxy = await proxyTo(inject('mongodbUrl'))
})
afterEach(async () => {
  proxy.slow(0)
  for (const end of ends.splice(0).toReversed()) await end()
})
afterAll(async () => {
  await system?.stop()
  await proxy?.close()
})

/**
 * A hooks process whose connection to the database the test can slow down. It retries deliveries that are not answered within `timeoutMs`.
 */
async function hooks(timeoutMs = 10_000): Promise<Process> {
  const url = new URL(inject('mongodbUrl'))
  url.host = proxy.host
  const process = await startReplicaProcess('hooks', system, {
    mongodb_url: url.href,
    deadline_ms: 20_000,
    gatehouse_allow_private_hooks: true,
    hook_retry_delays: '0.2,0.2,0.2,0.2,0.2',
    hook_timeout_ms: timeoutMs,
  })
  ends.push(() => process.stop())
  return process
}

/** An event with a webhook of its check-ins, and its receiver. */
async function watched(): Promise<{ scan: (count: number) => Promise<CheckIn[]>; target: Receiver }> {
  const target = await startReceiver()
  ends.push(() => target.close())
  const testEvent = await TestEvent.open(system)
  const accesspoint_id = await testEvent.point()
  const webhook = { url: target.url, event_types: ['check_in.created'], event_id: testEvent.id }
  // A process that has just started may be slow to answer.
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const { status, text } = await retried(() => system.api('POST', 'webhooks.json', webhook, { headers }))
  expect(status, text).toBe(201)
  let guests = 0
  const scan = async (count: number): Promise<CheckIn[]> => {
    const items = Array.from({ length: count }, () => ({ accesspoint_id, guest_uid: `guest-${guests++}` }))
    return testEvent.make('access_controls/batch_create.json', items)
  }
  return { scan, target }
}

const idOf = ({ json }: Received): string => json.data._id

/** How long a slow machine may take for a backlog. */
const BACKLOG_MS = 120_000

/** Each check-in is delivered as it was answered. */
async function expectPublished(target: Receiver, answered: CheckIn[]): Promise<void> {
  await target.until((received) => new Set(received.map(idOf)).size === answered.length, BACKLOG_MS)
  const told = new Map(target.received.map((received) => [idOf(received), received.json.data]))
  for (const checkIn of answered) expect(told.get(checkIn._id)).toEqual(checkIn)
}

test('deliveries go on while the database is slow, and all arrive once it is fast again', deep, async () => {
  await hooks()
  const { scan, target } = await watched()
  proxy.slow(100)
  const answered: CheckIn[] = []
  for (let time = 0; time < 20; time++) answered.push(...(await scan(50)))
  await target.until(({ length }) => length > 0)
  const more = target.received.length
  await target.until(({ length }) => length > more)
  proxy.slow(0)
  await expectPublished(target, answered)
  // Each once, without retries.
  expect(target.received.length).toBe(answered.length)
})

test('kill -9 of hooks with a backlog loses nothing', deep, async () => {
  // A claim expires three time-outs after its process died.
  const first = await hooks(1_000)
  const { scan, target } = await watched()
  proxy.slow(100)
  const answered: CheckIn[] = []
  for (let time = 0; time < 20; time++) answered.push(...(await scan(50)))
  await target.until(({ length }) => length > 0)
  expect(new Set(target.received.map(idOf)).size).toBeLessThan(answered.length)
  await first.kill()
  proxy.slow(0)
  await hooks()
  await expectPublished(target, answered)
})

test('check-ins from while hooks was away are delivered when it is back, each once', deep, async () => {
  const first = await hooks()
  const { scan, target } = await watched()
  await first.kill()
  const answered: CheckIn[] = []
  // More than a batch of 250.
  for (let time = 0; time < 5; time++) answered.push(...(await scan(300)))
  expect(target.received).toEqual([])
  await hooks()
  await expectPublished(target, answered)
  expect(target.received.length).toBe(answered.length)
})
