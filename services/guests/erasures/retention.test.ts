import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { expect, test } from 'vitest'

const system = await sharedSystem()

const DAY_MS = 86_400_000

/** An event that ended `days` ago, with a guest. */
async function eventOf(days: number, fields: object): Promise<TestEvent> {
  const end_date = new Date(Date.now() - days * DAY_MS).toISOString()
  const testEvent = await TestEvent.open(system, { end_date, ...fields })
  await testEvent.guest(await testEvent.category(), 'ada', { last_name: 'Lovelace' })
  return testEvent
}

test(
  'an event is erased once, that many days after its end, by one of two replicas, and an act records it',
  slow,
  async () => {
    const over = await eventOf(31, { personal_data_days: 30 })
    const kept = [
      await eventOf(29, { personal_data_days: 30 }),
      await eventOf(31, {}),
      await eventOf(31, { personal_data_days: null }),
    ]
    // Processes look when they start.
    const replicas = await Promise.all([1, 2].map(() => startReplica('guests', system)))
    await expect
      .poll(() => over.read('erasures.json'))
      .toMatchObject([
        { cause: 'retention', everybody: true, state: 'done', report: [{ data: 'guests.guests', count: 1 }] },
      ])
    expect(await over.read('guests.json')).toMatchObject([{ last_name: null }])
    for (const event of kept) {
      expect(await event.read('erasures.json')).toEqual([])
      expect(await event.read('guests.json')).toMatchObject([{ last_name: 'Lovelace' }])
    }
    const acts = async () => (await system.api('GET', `audit_records.json?event_id=${over.id}&token_id=retention`)).body
    await expect.poll(acts).toMatchObject([{ action: 'guests.erasures.create', outcome: 'done' }])
    await Promise.all(replicas.map((replica) => replica.stop()))
  },
)

test('the days are not shown where they were never given, in JSON and XML', async () => {
  const without = await TestEvent.open(system)
  const shown = await system.api('GET', `events/${without.id}.json`)
  expect(shown.body).not.toHaveProperty('personal_data_days')
  expect((await system.api('GET', `events/${without.id}.xml`)).text).not.toContain('personal-data-days')
  expect((await system.api('PUT', `events/${without.id}.json`, { personal_data_days: 7 })).status).toBe(204)
  expect((await system.api('GET', `events/${without.id}.json`)).body.personal_data_days).toBe(7)
})
