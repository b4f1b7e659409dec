import { type KillableProcess, startKillable } from '@gatehouse/test/harness/killable.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep, seed } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Any erasure takes fewer answers of the store, beside those to what goes on in the background. */
const MAX_ANSWERS = 60
/** Each kill takes ten seconds. */
const STEP = 4

/**
 * The only process of guests is killed -9 at every fourth answer of its store. What it began has to end by itself. It takes minutes: the next
 * process waits some seconds for the claim of the dead one.
 */
describe('an erasure whose process dies in the middle', deep, () => {
  let system: System
  let killable: KillableProcess
  let testEvent: TestEvent
  let category: string
  let point: string

  beforeAll(async () => {
    system = await startSystem({ guests: 0, with: ['leads', 'partners', 'badges', 'hooks'] })
    killable = await startKillable('guests', system)
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
    point = await testEvent.point()
  })
  afterAll(async () => {
    await killable?.stop()
    await system?.stop()
  })

  test('goes on by itself, and its report says what was found before', async () => {
    let seen = 0
    const ofEvent = (): Promise<Answer['body'][]> => testEvent.read('erasures.json')
    for (let nth = 1 + (seed % STEP); ; nth += STEP) {
      const uid = `uid-${nth}`
      const guest = await testEvent.guest(category, uid, { last_name: 'Lovelace' })
      for (const _ of [1, 2]) await testEvent.scan(point, uid)
      const cancel = await killable.killAtAnswer(nth)
      await testEvent.api('POST', 'erasures.json', { by: 'guest_id', value: guest })
      await killable.serving()
      // If it was killed before it had stored anything, the client has to ask again.
      if ((await ofEvent()).length < seen + 1) await testEvent.make('erasures.json', { by: 'guest_id', value: guest })
      await expect.poll(ofEvent).toMatchObject(Array(++seen).fill({ state: 'done' }))
      // The second pass may have been killed, or nothing yet.
      const wasKilled = cancel()
      await killable.serving()
      expect((await ofEvent())[0]?.report).toMatchObject([
        { data: 'guests.guests', count: 1 },
        { data: 'checkin.access_controls', count: 2 },
      ])
      const checkIns = await testEvent.read('access_controls.json')
      expect(JSON.stringify(checkIns)).not.toContain(`"${uid}"`)
      expect((await testEvent.read('statistics.json')).guest_count).toBe(
        new Set(checkIns.map((each: { guest_uid: string }) => each.guest_uid)).size,
      )
      if (!wasKilled || nth > MAX_ANSWERS) break
    }
  })
})
