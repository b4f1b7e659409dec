import { type KillableProcess, startKillable } from '@gatehouse/test/harness/killable.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep, killPoints, rounds } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const GRANTED = 0
/** In `npm test` the process is killed at every third answer. */
const STEP = rounds(3, 1)
const UNKNOWN = 1
const DEADLINE_MS = 2_000
/** Any write to a guest takes fewer answers of the store, beside those to what goes on in the background. */
const MAX_ANSWERS = 60

/** The only process of guests is killed -9 at each answer of its store, in turn. A retry must reach the door, which caches guests. */
describe('a guests process that dies in the middle', () => {
  let system: System
  let killable: KillableProcess
  let testEvent: TestEvent
  let category: string
  let accesspoint_id: string

  beforeAll(async () => {
    system = await startSystem({ guests: 0, checkins: 2, gateway: { deadline_ms: DEADLINE_MS } })
    killable = await startKillable('guests', system, { deadline_ms: DEADLINE_MS })
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
    accesspoint_id = (await testEvent.make('accesspoints.json', { name: 'Door' }))._id
    await testEvent.make('guest_category_accesspoints.json', {
      accesspoint_id,
      guest_category_id: category,
      max_allowed_accesses: -1,
    })
  })
  afterAll(async () => {
    await killable?.stop()
    await system?.stop()
  })

  const insist = (method: string, path: string, body?: object): Promise<Answer> =>
    killable.retry(testEvent, method, path, body)

  async function register(uid: string): Promise<string> {
    const { status, text, body } = await insist('POST', 'guests.json', {
      guest_category_id: category,
      last_name: 'L',
      uid,
    })
    expect(status, text).toBe(201)
    return body._id
  }

  /** The answer of each door for a guest. Enough scans for both to answer: with fewer the test proves less. */
  async function scans(guest_uid: string): Promise<Set<number>> {
    const scan = () => insist('POST', 'access_controls.json', { accesspoint_id, guest_uid })
    const answers = await Promise.all(Array.from({ length: 12 }, scan))
    return new Set(answers.map(({ body }) => body.access_status))
  }

  /** Does something to a guest that both doors know, at each answer of the store with a kill, until it is done without one. */
  async function atEachAnswer(write: (guest: { _id: string; uid: string }) => Promise<void>): Promise<void> {
    for (const nth of killPoints(STEP)) {
      expect(nth).toBeLessThan(MAX_ANSWERS)
      const uid = `mortal-${crypto.randomUUID()}`
      const _id = await register(uid)
      expect(await scans(uid)).toEqual(new Set([GRANTED]))
      const wasKilled = await killable.killAtAnswer(nth)
      await write({ _id, uid })
      const isKilled = wasKilled()
      await killable.serving()
      expect(await scans(uid), `killed at answer ${nth}`).toEqual(new Set([UNKNOWN]))
      if (isKilled) continue
      expect(nth, 'it was killed at least once').toBeGreaterThan(STEP)
      break
    }
  }

  test(
    'a guest whose deletion was answered is unknown to the door, even if only a second try was answered',
    deep,
    async () => {
      await atEachAnswer(async ({ _id }) => {
        const { status } = await insist('DELETE', `guests/${_id}.json`)
        expect([204, 404]).toContain(status)
      })
    },
  )

  test('a category whose change was answered has all links of the change, and the door knows them', deep, async () => {
    const back = (await testEvent.make('accesspoints.json', { name: 'Back' }))._id
    for (const nth of killPoints(STEP)) {
      expect(nth).toBeLessThan(MAX_ANSWERS)
      const _id = await testEvent.category()
      const uid = `linked-${crypto.randomUUID()}`
      await testEvent.guest(_id, uid)
      const links = [accesspoint_id, back].map((point) => ({ accesspoint_id: point, max_allowed_accesses: -1 }))
      const wasKilled = await killable.killAtAnswer(nth)
      const { status } = await insist('PUT', `guest_categories/${_id}.json`, { guest_category_accesspoints: links })
      expect(status, `killed at answer ${nth}`).toBe(204)
      expect(await scans(uid), `killed at answer ${nth}`).toEqual(new Set([GRANTED]))
      const { body } = await insist('GET', `guest_categories/${_id}.json`)
      expect(body.guest_category_accesspoints).toMatchObject(links)
      const isKilled = wasKilled()
      await killable.serving()
      if (isKilled) continue
      expect(nth, 'it was killed at least once').toBeGreaterThan(STEP)
      break
    }
  })

  test(
    'a uid that a guest has given up is unknown to the door, even if only a second try was answered',
    deep,
    async () => {
      await atEachAnswer(async ({ _id, uid }) => {
        const { status } = await insist('PUT', `guests/${_id}.json`, { uid: `new-${uid}` })
        expect(status).toBe(204)
        expect(await scans(`new-${uid}`)).toEqual(new Set([GRANTED]))
      })
    },
  )
})
