import type { Process } from '@gatehouse/test/harness/process.ts'
import { type Received, type Receiver, startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { proxyTo, type TcpProxy } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
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

/** A hooks process whose way to the database the test can slow down; what is not answered within `timeoutMs` it tries again. */
async function hooks(timeoutMs = 10_000): Promise<Process> {
  const url = new URL(inject('mongodbUrl'))
  url.host = proxy.host
  const process = await startReplica('hooks', system, {
    mongodb_url: url.href,
    deadline_ms: 20_000,
    gatehouse_allow_private_hooks: true,
    hook_retry_delays: '0.2,0.2,0.2,0.2,0.2',
    hook_timeout_ms: timeoutMs,
  })
  ends.push(() => process.stop())
  return process
}

/** An event with a webhook of its check-ins, and what it tells. */
async function watched(): Promise<{ scan: (count: number) => Promise<CheckIn[]>; target: Receiver }> {
  const target = await startReceiver()
  ends.push(() => target.close())
  const testEvent = await TestEvent.open(system)
  const accesspoint_id = await testEvent.point()
  const webhook = { url: target.url, event_types: ['check_in.created'], event_id: testEvent.id }
  const { status, text } = await system.api('POST', 'webhooks.json', webhook)
  expect(status, text).toBe(201)
  let guests = 0
  const scan = async (count: number): Promise<CheckIn[]> => {
    const items = Array.from({ length: count }, () => ({ accesspoint_id, guest_uid: `guest-${guests++}` }))
    return testEvent.make('access_controls/batch_create.json', items)
  }
  return { scan, target }
}

const idOf = ({ json }: Received): string => json.data._id

/** How long a slow machine may take for what was put off. */
const BACKLOG_MS = 120_000

/** Each check-in is told as it was answered. */
async function expectPublished(target: Receiver, answered: CheckIn[]): Promise<void> {
  await target.until((received) => new Set(received.map(idOf)).size === answered.length, BACKLOG_MS)
  const told = new Map(target.received.map((received) => [idOf(received), received.json.data]))
  for (const checkIn of answered) expect(told.get(checkIn._id)).toEqual(checkIn)
}

test('while the database of hooks is slow deliveries go on, and the backlog is told in full when it is quick again', async () => {
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
  // Each once: nothing was tried twice.
  expect(target.received.length).toBe(answered.length)
})

test('kill -9 of hooks while it lags behind loses nothing', async () => {
  // A claim ends three time-outs after its courier died.
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

test('what happened while hooks was away is told in full when it is back, each once', async () => {
  const first = await hooks()
  const { scan, target } = await watched()
  await first.kill()
  const answered: CheckIn[] = []
  for (let time = 0; time < 5; time++) answered.push(...(await scan(300)))
  expect(target.received).toEqual([])
  await hooks()
  await expectPublished(target, answered)
  expect(target.received.length).toBe(answered.length)
})
