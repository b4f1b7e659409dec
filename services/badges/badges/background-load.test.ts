import type { Process } from '@gatehouse/test/harness/process.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { proxyTo, type TcpProxy } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { MongoClient } from 'mongodb'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'

/** Batches of 1, 4, 10 and 1 badges. While the database is busy, the pauses between them add up to some seven seconds. */
const COUNT = 16
const TIMEOUT = { timeout: 60_000, interval: 100 }
/** Longer than badges give way to other work. */
const LATE_MS = 70_000

const client = new MongoClient(inject('mongodbUrl'))
let system: System
let proxy: TcpProxy
const running: Process[] = []

beforeAll(async () => {
  system = await startSystem()
  proxy = await proxyTo(inject('mongodbUrl'))
})
afterEach(async () => {
  proxy.slow(0)
  for (const process of running.splice(0)) await process.stop()
})
afterAll(async () => {
  await system?.stop()
  await proxy?.close()
  await client.close()
})

/** A badges process whose connection to the database the test can slow down. */
async function start(): Promise<Process> {
  const url = new URL(inject('mongodbUrl'))
  url.host = proxy.host
  const process = await startReplica('badges', system, { mongodb_url: url.href, deadline_ms: 5_000 })
  running.push(process)
  return process
}

/** Guests with badge orders, while no badges process runs. */
async function waiting(): Promise<{ testEvent: TestEvent; guests: Answer['body'][] }> {
  const testEvent = await TestEvent.open(system)
  const { _id } = await testEvent.make('guest_categories.json', { name: 'VIP', badge_enabled: true })
  const order = (_: unknown, index: number) =>
    testEvent.make('guests.json', { guest_category_id: _id, last_name: `Guest ${index}` })
  return { testEvent, guests: await Promise.all(Array.from({ length: COUNT }, order)) }
}

const badgesOf = ({ id }: TestEvent) =>
  client.db(`${system.namespace}_badges`).collection('badges').find({ event_id: id })

/** Seconds from the first badge to the last, once all are made. */
async function secondsFor(testEvent: TestEvent): Promise<number> {
  await vi.waitUntil(async () => (await testEvent.read('guests.json')).every(isCompleted), TIMEOUT)
  const times = (await badgesOf(testEvent).toArray()).map(({ created_at }) => created_at.getTime())
  expect(times).toHaveLength(COUNT)
  return (Math.max(...times) - Math.min(...times)) / 1_000
}

/** Faster than with pauses, on a machine which other processes may keep busy. */
const isQuick = (seconds: number): boolean => seconds < 5 * slowness()

/** How much longer a computation takes than its CPU time. */
function slowness(): number {
  const [begin, before] = [performance.now(), process.cpuUsage()]
  while (performance.now() - begin < 300);
  const { user, system } = process.cpuUsage(before)
  return (performance.now() - begin) / ((user + system) / 1_000)
}

const isCompleted = ({ badge_completed }: Answer['body']): boolean => badge_completed

test('badges are made without pauses while the database is idle', async () => {
  const took: number[] = []
  // Other tests may keep the machine busy, hence several tries, each by a new process, which has no baseline yet.
  while (took.length < 4 && !took.some(isQuick)) {
    const process = await start()
    took.push(await secondsFor((await waiting()).testEvent))
    await process.stop()
  }
  expect(took.some(isQuick), `${took}`).toBe(true)
})

test('badges pause between batches while the database is busy, and all of them are made', async () => {
  await start()
  proxy.slow(100)
  expect(await secondsFor((await waiting()).testEvent)).toBeGreaterThan(5)
})

test('badges which have waited for a minute are made without pauses, however busy the database is', async () => {
  const guests = client.db(`${system.namespace}_guests`).collection('guests')
  const took: number[] = []
  while (took.length < 4 && !took.some(isQuick)) {
    const { testEvent } = await waiting()
    await guests.updateMany({ event_id: testEvent.id }, { $set: { badge_due: new Date(Date.now() - LATE_MS) } })
    const process = await start()
    proxy.slow(50)
    took.push(await secondsFor(testEvent))
    proxy.slow(0)
    await process.stop()
  }
  expect(took.some(isQuick), `${took}`).toBe(true)
})

test('a badge whose link is opened is made before those which were ordered earlier', async () => {
  const { testEvent, guests } = await waiting()
  await start()
  await secondsFor(testEvent)
  const last = guests.at(-1)._id
  const { badge_url } = await testEvent.read(`guests/${last}.json`)
  proxy.slow(100)
  const change = (id: string) => testEvent.change(`guests/${id}.json`, { company_name: 'Analytical Engines' })
  await Promise.all(guests.slice(0, -1).map(({ _id }) => change(_id)))
  await change(last)
  const answer = await fetch(badge_url)
  expect(answer.status).toBe(200)
  expect((await testEvent.read(`guests/${last}.json`)).badge_completed).toBe(true)
  await secondsFor(testEvent)
  const made = await badgesOf(testEvent).toArray()
  const opened = made.find(({ guest_id }) => guest_id === last)?.created_at
  expect(made.some(({ created_at }) => created_at > opened)).toBe(true)
})
