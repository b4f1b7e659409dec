import { startKillable } from '@gatehouse/test/harness/killable.ts'
import { retried } from '@gatehouse/test/harness/retried.ts'
import { startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep, seed } from '@gatehouse/test/rounds.ts'
import { expect, onTestFinished, test } from 'vitest'
import { leftOf } from '../testing/left-of-event.ts'

// Takes several minutes: what a killed process had leased is free after one.

const KILLS = 12
/** The deletion of a small event takes more answers of the store, so that nearly every round has its kill. */
const ANSWERS = 12

test('whenever its process dies, a deleted event is gone at once, and in the end everything of it', deep, async () => {
  const system = await startSystem({ guests: 0, with: 'all' })
  const killable = await startKillable('guests', system, { deadline_ms: 2_000, erasure_second_pass_ms: 1_000 })
  onTestFinished(async () => {
    await killable.stop()
    await system.stop()
  })
  const deleted: string[] = []
  let kills = 0
  for (let round = 0; round < KILLS; round++) {
    const event = await TestEvent.open(system, { title: 'Gala' })
    const [category, door] = [await event.category('VIP'), await event.point('Main entrance')]
    await event.link(category, door)
    await event.guest(category, 'ada', { last_name: 'Lovelace' })
    await event.scan(door, 'ada')
    const wasKilled = await killable.killAtAnswer(1 + ((seed + round * 7) % ANSWERS))
    // Without a key: one whose first try was killed counts as running for longer than it is repeated.
    const remove = () => system.api('DELETE', `events/${event.id}.json?title=Gala`)
    // After one that was killed it may be gone already.
    expect([204, 404]).toContain((await retried(remove, killable.serving)).status)
    const read = () => system.api('GET', `events/${event.id}.json`)
    expect((await retried(read, killable.serving)).status).toBe(404)
    deleted.push(event.id)
    // The kill may come while the data is deleted.
    await expect.poll(async () => wasKilled() || (await leftOf(system, event.id)).length === 0).toBe(true)
    if (wasKilled()) kills++
    await killable.serving()
  }
  expect(kills).toBeGreaterThan(KILLS / 2)
  for (const id of deleted)
    await expect.poll(() => leftOf(system, id), { timeout: 240_000, interval: 1_000 }).toEqual([])
})
