import { type KillableProcess, startKillable } from '@gatehouse/test/harness/killable.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const GRANTED = 0
const NOT_AUTHORIZED = 2
const DEADLINE_MS = 2_000
/** Every second request goes to the process that is killed. */
const TRIES = 20

/** One of two checkin processes is killed -9 at an answer of its store. The other knows its changes when a second attempt is answered. */
describe('a checkin process that dies during a deletion', () => {
  let system: System
  let killable: KillableProcess
  let testEvent: TestEvent
  let guest_category_id: string

  beforeAll(async () => {
    system = await startSystem({ gateway: { deadline_ms: DEADLINE_MS } })
    killable = await startKillable('checkin', system, { deadline_ms: DEADLINE_MS })
    testEvent = await TestEvent.open(system)
    guest_category_id = await testEvent.category()
    await testEvent.make('guests.json', { guest_category_id, last_name: 'Lovelace', uid: 'ada' })
  })
  afterAll(async () => {
    await killable?.stop()
    await system?.stop()
  })

  const insist = (method: string, path: string, body?: object): Promise<Answer> =>
    killable.retry(testEvent, method, path, body)

  /** The answers of both processes to a scan at a point. */
  async function scans(accesspoint_id: string): Promise<Answer[]> {
    const scan = () => insist('POST', 'access_controls.json', { accesspoint_id, guest_uid: 'ada' })
    return Promise.all(Array.from({ length: 12 }, scan))
  }

  /** Deletes something of a point that both processes have cached, until the one was killed at each answer of the store. */
  async function atEachAnswer(
    answers: number,
    path: (point: string, link: string) => string,
    look: (point: string, hint: string) => Promise<void>,
  ): Promise<void> {
    for (let nth = 1; nth <= answers; nth++) {
      for (let tries = 0, isKilled = false; !isKilled; tries++) {
        expect(tries).toBeLessThan(TRIES)
        const { body: point } = await insist('POST', 'accesspoints.json', { name: 'Door' })
        const link = await insist('POST', 'guest_category_accesspoints.json', {
          accesspoint_id: point._id,
          guest_category_id,
          max_allowed_accesses: -1,
        })
        expect(new Set((await scans(point._id)).map(({ body }) => body.access_status))).toEqual(new Set([GRANTED]))
        const wasKilled = await killable.killAtAnswer(nth)
        const { status } = await insist('DELETE', path(point._id, link.body._id))
        expect([204, 404]).toContain(status)
        isKilled = wasKilled()
        await killable.serving()
        await look(point._id, `killed at answer ${nth}`)
      }
    }
  }

  test('a deleted link lets no guest in, also if only a second attempt was answered', deep, async () => {
    await atEachAnswer(
      1,
      (_point, link) => `guest_category_accesspoints/${link}.json`,
      async (point, hint) => {
        const statuses = (await scans(point)).map(({ body }) => body.access_status)
        expect(new Set(statuses), hint).toEqual(new Set([NOT_AUTHORIZED]))
      },
    )
  })

  test(
    'a deleted check-in point is gone with its links, also if only a second attempt was answered',
    deep,
    async () => {
      await atEachAnswer(
        3,
        (point) => `accesspoints/${point}.json`,
        async (point, hint) => {
          expect(new Set((await scans(point)).map(({ status }) => status)), hint).toEqual(new Set([422]))
          expect(await testEvent.read(`guest_category_accesspoints.json?accesspoint_id=${point}`), hint).toEqual([])
        },
      )
    },
  )
})
