import { type Snapshot, updated } from '@gatehouse/door/snapshot.ts'
import { hashUid } from '@gatehouse/door/uid-hash.ts'
import { type KillableProcess, startKillable } from '@gatehouse/test/harness/killable.ts'
import { startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { retried } from '@gatehouse/test/harness/retried.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep, killPoints } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const DEADLINE_MS = 2_000
const BATCHES = 12

/** A device that asks for the difference again and again, whichever process answers. */
class Device {
  readonly #testEvent: TestEvent
  #snapshot: Snapshot | undefined

  constructor(testEvent: TestEvent) {
    this.#testEvent = testEvent
  }

  async catchUp(): Promise<Snapshot> {
    const since = this.#snapshot ? `?since=${this.#snapshot.cursor}` : ''
    const { status, text } = await retried(() => this.#testEvent.api('GET', `snapshot.json${since}`))
    expect(status, text).toBe(200)
    this.#snapshot = updated(this.#snapshot, text)
    return this.#snapshot
  }

  /** Expects that the device knows what the lists of the API show. */
  async expectExact(message: string): Promise<void> {
    const { guests, uses, salt } = await this.catchUp()
    const [listed, checkIns] = [
      await this.#testEvent.all('guests.json'),
      await this.#testEvent.all('access_controls.json'),
    ]
    const expected = listed.map(async ({ uid, guest_category_id }) => {
      const times = checkIns.filter(({ guest_uid, access_status }) => guest_uid === uid && access_status === 0).length
      return [await hashUid(salt, uid), [guest_category_id, times]] as const
    })
    const known = Array.from(guests, ([hash, { guest_category_id }]) => {
      const times = uses.values().reduce((sum, counts) => sum + (counts.get(hash) ?? 0), 0)
      return [hash, [guest_category_id, times]] as const
    })
    expect(new Map(known), message).toEqual(new Map(await Promise.all(expected)))
  }
}

describe('differences are exact', () => {
  let system: System
  let killable: KillableProcess
  let testEvent: TestEvent
  let categories: string[]
  let point: string

  beforeAll(async () => {
    system = await startSystem({ guests: 0, gateway: { deadline_ms: DEADLINE_MS } })
    killable = await startKillable('guests', system, { deadline_ms: DEADLINE_MS })
    testEvent = await TestEvent.open(system)
    categories = [await testEvent.category(), await testEvent.category('Crew')]
    point = await testEvent.point()
    for (const category of categories) await testEvent.link(category, point, -1)
  })
  afterAll(async () => {
    await killable?.stop()
    await system?.stop()
  })

  test(
    'after guests died in the middle of a creation, a change and a deletion that nobody tries again',
    deep,
    async () => {
      const [home = '', other = ''] = categories
      const device = new Device(testEvent)
      await device.catchUp()
      const writes = {
        creation: () => testEvent.api('POST', 'guests.json', { guest_category_id: home, uid: crypto.randomUUID() }),
        change: (_id: string) =>
          testEvent.api('PUT', `guests/${_id}.json`, { guest_category_id: other, uid: crypto.randomUUID() }),
        deletion: (_id: string) => testEvent.api('DELETE', `guests/${_id}.json`),
      }
      for (const [name, write] of Object.entries(writes)) {
        for (const nth of killPoints()) {
          const _id = await testEvent.guest(home, crypto.randomUUID())
          await device.catchUp()
          const wasKilled = await killable.killAtAnswer(nth)
          await write(_id)
          const isKilled = wasKilled()
          await killable.serving()
          await device.expectExact(`${name}, killed at answer ${nth}`)
          if (isKilled) continue
          expect(nth, 'it was killed at least once').toBeGreaterThan(1)
          break
        }
      }
    },
  )

  test('after checkin died in the middle of batches, whichever process answers', deep, async () => {
    const [home = ''] = categories
    const uids = Array.from({ length: 20 }, (_, n) => `guest ${n}`)
    for (const uid of uids) await testEvent.guest(home, uid)
    const device = new Device(testEvent)
    await device.catchUp()
    const doomed = await startReplicaProcess('checkin', system, { deadline_ms: DEADLINE_MS })
    await Promise.all(Array.from({ length: 8 }, () => device.catchUp()))
    const batch = uids.map((guest_uid) => ({ accesspoint_id: point, guest_uid }))
    const batches = Array.from({ length: BATCHES }, () =>
      testEvent.api('POST', 'access_controls/batch_create.json', batch),
    )
    await Promise.race(batches)
    await doomed.kill()
    await Promise.all([...batches, device.catchUp()])
    // What was cut off may still be stored for a moment.
    await expect.poll(() => device.expectExact('after the kill').then(() => true, String)).toBe(true)
    for (const uid of uids) await testEvent.scan(point, uid)
    await device.expectExact('after more scans')
  })
})
