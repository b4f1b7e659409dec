import { startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const BATCH = 100
const BATCHES = 24
const ROUNDS = 2
const HOUR = 3_600_000

let system: System

beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.stop())

test(
  'statistics count the stored check-ins after kill -9 during late batches, and after the retries too',
  deep,
  async () => {
    const testEvent = await TestEvent.open(system)
    const [category, point] = [await testEvent.category(), await testEvent.point()]
    await testEvent.link(category, point)
    for (let n = 0; n < 20; n++) await testEvent.guest(category, `guest ${n}`)
    for (let round = 0; round < ROUNDS; round++) {
      const doomed = await startReplicaProcess('checkin', system)
      const now = Date.now()
      const batches = Array.from({ length: BATCHES }, (_, batch) =>
        Array.from({ length: BATCH }, (_, n) => ({
          accesspoint_id: point,
          guest_uid: `guest ${(batch * BATCH + n) % 25}`,
          access_stamp: new Date(now - 6 * HOUR + (round * BATCHES * BATCH + batch * BATCH + n) * 1_000).toISOString(),
        })),
      )
      const send = (batch: object): Promise<Answer> => testEvent.api('POST', 'access_controls/batch_create.json', batch)
      const answers = batches.map(send)
      const asking = testEvent.api('GET', 'statistics.json')
      // The others are being stored then.
      await Promise.race(answers)
      await doomed.kill()
      await expectExact(testEvent)
      await asking
      // The other process answers what this one has not.
      for (const { status } of await Promise.all(answers)) expect(status).toBe(201)
      await expectExact(testEvent)
      for (const { status } of await Promise.all(batches.map(send))) expect(status).toBe(201)
      const { check_in_count } = await expectExact(testEvent)
      expect(check_in_count).toBe((round + 1) * BATCHES * BATCH)
    }
  },
)

/** The batches that were cut off may still be stored for a moment: counts again until the count stays. */
async function expectExact(testEvent: TestEvent): Promise<Answer['body']> {
  const read = (path: string) => testEvent.readRetried(path)
  const all = () => testEvent.all('access_controls.json', 500, read)
  for (;;) {
    const before = await all()
    const statistics = await read('statistics.json')
    const after = await all()
    if (before.length !== after.length) continue
    const granted = after.filter(({ access_status }) => access_status === 0)
    expect(statistics).toMatchObject({
      check_in_count: after.length,
      checked_in_guest_count: new Set(granted.map(({ guest_uid }) => guest_uid)).size,
      by_status: [0, 1, 2, 3].map((access_status) => ({
        access_status,
        count: after.filter((each) => each.access_status === access_status).length,
      })),
    })
    return statistics
  }
}
