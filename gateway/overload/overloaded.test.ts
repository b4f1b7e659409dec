import { guests } from '@gatehouse/guests/resources'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { startLoad } from '@gatehouse/test/harness/http-load.ts'
import { startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, expect, test } from 'vitest'

/* Real load on the system's processes. It takes half a minute and measures time: `npm run test:deep` alone runs it, when nothing else runs. */

/** Seconds of scans, and connections that export meanwhile: some fifty times what is served at once. */
const [SECONDS, CONNECTIONS] = [8, 200]
/** Bounds in ms, for a machine of two cores: a scan is well within its deadline, a refusal comes long before an answer could. */
const [SCAN_MS, REFUSAL_MS] = [2_500, 1_000]

const system = await startSystem({ processes: true, guests: 0, gateway: { overload_refusals: 'on' } })
const guestsProcess = await startReplicaProcess('guests', system)
const testEvent = await TestEvent.open(system)
const point = await testEvent.point()
const category = await testEvent.category()
await testEvent.link(category, point, -1)
const query = { event_id: testEvent.id }
await clientOf(system.bus, guests).create_many({
  query,
  body: Array.from({ length: 500 }, (_, n) => ({
    _id: n.toString(16).padStart(24, '0'),
    guest_category_id: category,
    uid: `guest${n}`,
    last_name: `Lovelace ${n}`,
  })) as never,
})
afterAll(async () => {
  await guestsProcess.stop()
  await system.stop()
})

const quantile = (times: number[], share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN

/** Scans every 20 ms, however long answers take; returns the times of the granted ones, sorted. */
async function scans(seconds: number): Promise<number[]> {
  const times: number[] = []
  const sent: Promise<void>[] = []
  for (let n = 0; n < seconds * 50; n++) {
    const start = performance.now()
    const body = { accesspoint_id: point, guest_uid: `guest${n % 500}` }
    sent.push(
      testEvent.api('POST', 'access_controls.json', body).then((answer) => {
        expect([answer.status, answer.body.access_status], answer.text).toEqual([201, 0])
        times.push(performance.now() - start)
      }),
    )
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await Promise.all(sent)
  return times.sort((a, b) => a - b)
}

test('exports of many times the capacity: scans go on, and what is too much is refused quickly', async () => {
  const load = await startLoad({
    url: `${system.url}/api/v1/events/${testEvent.id}/guests.json?auth_token=${system.auth_token}`,
    connections: CONNECTIONS,
  })
  // The first are sent before the gateway has measured anything.
  await scans(2)
  const beside = await scans(SECONDS)
  const outcome = await load.stop()
  const { 200: served = [], 503: refused = [] } = outcome
  expect(Object.keys(outcome)).toEqual(['200', '503'])
  expect(quantile(beside, 0.99), `of ${beside.length} scans`).toBeLessThan(SCAN_MS)
  expect(quantile(refused, 0.5), `of ${refused.length} refusals`).toBeLessThan(REFUSAL_MS)
  expect(served.length).toBeGreaterThan(0)
})

test('afterwards nothing is refused', async () => {
  const list = async () => (await testEvent.api('GET', 'guests.json')).status
  await expect.poll(() => Promise.all(Array.from({ length: 30 }, list))).toEqual(Array(30).fill(200))
})
