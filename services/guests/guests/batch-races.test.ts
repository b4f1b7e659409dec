// @module-tag slow
import { type KillableProcess, startKillable } from '@gatehouse/test/harness/killable.ts'
import { startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep, rounds, seed } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

const CREATE = 'guests/batch_create.json'
const UPDATE = 'guests/batch_update.json'
const DELETE = 'guests/batch_delete.json'
const MANY = 40
/** Guests whom the door knows. */
const SCANNED = 5
const GRANTED = 0
const UNKNOWN = 1
/** The process is killed at one in so many answers: what it leaves behind is looked for after seconds. */
const STEP = 4
/** A batch takes fewer answers of the store. */
const MAX_ANSWERS = 80

interface Crowd {
  event: TestEvent
  vip: string
  press: string
  door: string
  guests: { _id: string; uid: string }[]
}

/** An event with guests of whom both categories come in at its door. */
async function crowdOf(system: System): Promise<Crowd> {
  const event = await TestEvent.open(system)
  const [vip, press, door] = [await event.category('VIP'), await event.category('Press'), await event.point()]
  for (const category of [vip, press]) await event.link(category, door)
  const made = Array.from({ length: MANY }, (_, index) => event.make('guests.json', guestOf(vip, index)))
  return { event, vip, press, door, guests: await Promise.all(made) }
}

const guestOf = (guest_category_id: string, index: number) => ({ guest_category_id, uid: `guest-${index}` })

describe('batches of two processes', () => {
  let system: System
  let replica: Awaited<ReturnType<typeof startReplica>>
  beforeAll(async () => {
    system = await startSystem({ checkins: 2 })
    replica = await startReplica('guests', system)
  })
  afterAll(async () => {
    await replica?.stop()
    await system?.stop()
  })

  test('what others change of guests meanwhile is not lost, and is not changed back', async () => {
    for (let round = 0; round < rounds(3, 60); round++) {
      const { event, press, guests } = await crowdOf(system)
      const move = guests.map(({ _id }) => ({ _id, guest_category_id: press }))
      const answers = await Promise.all([
        event.api('POST', UPDATE, move),
        event.api('POST', UPDATE, move.toReversed()),
        event.api(
          'POST',
          UPDATE,
          guests.map(({ _id }, index) => ({ _id, last_name: `Name ${index}` })),
        ),
        ...guests.map(({ _id }, index) => event.api('PUT', `guests/${_id}.json`, { first_name: `First ${index}` })),
      ])
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 204]))
      const found = new Map((await event.all('guests.json')).map((guest) => [guest._id, guest]))
      for (const [index, { _id }] of guests.entries())
        expect(found.get(_id)).toMatchObject({
          guest_category_id: press,
          last_name: `Name ${index}`,
          first_name: `First ${index}`,
        })
    }
  })

  test('a guest who is deleted meanwhile is deleted, and every door knows, whatever else becomes of it', async () => {
    for (let round = 0; round < rounds(3, 60); round++) {
      const { event, press, door, guests } = await crowdOf(system)
      const items = guests.map(({ _id }) => ({ _id }))
      const answers = await Promise.all([
        event.api('POST', DELETE, items),
        event.api('POST', DELETE, items.toReversed()),
        event.api(
          'POST',
          UPDATE,
          guests.map(({ _id, uid }) => ({ _id, guest_category_id: press, uid: `new-${uid}` })),
        ),
        ...guests.map(({ _id }) => event.api('DELETE', `guests/${_id}.json`)),
        ...guests.map(({ uid }) => event.scan(door, uid)),
      ])
      for (const { status } of answers.slice(0, 3 + MANY) as Answer[]) expect([200, 204, 404, 422]).toContain(status)
      expect(await event.all('guests.json')).toEqual([])
      for (const uid of guests.flatMap((guest) => [guest.uid, `new-${guest.uid}`]))
        expect((await event.scan(door, uid)).access_status).toBe(UNKNOWN)
    }
  })

  test('no guest is put into a category that is deleted meanwhile', async () => {
    for (let round = 0; round < rounds(4, 100); round++) {
      const { event, vip, press, guests } = await crowdOf(system)
      const move = guests.map(({ _id }) => ({ _id, guest_category_id: press }))
      const [moved, deleted] = await Promise.all([
        event.api('POST', UPDATE, move),
        event.api('DELETE', `guest_categories/${press}.json`),
      ])
      const isGone = deleted.status === 204
      expect([moved.status, deleted.status]).toEqual(isGone ? [422, 204] : [200, 409])
      const errors = { guest_category_id: ['is not a guest category of the event'] }
      expect(moved.body).toEqual(guests.map(({ _id }) => (isGone ? { errors } : { _id })))
      const categories = (await event.all('guests.json')).map(({ guest_category_id }) => guest_category_id)
      expect(categories).toEqual(Array(MANY).fill(isGone ? vip : press))
    }
  })

  test('guests whom two requests register at once under the same keys, or with the same uids, are there once', async () => {
    for (let round = 0; round < rounds(3, 60); round++) {
      const { event, vip } = await crowdOf(system)
      const fresh = Array.from({ length: MANY }, (_, index) => ({
        guest_category_id: vip,
        last_name: `Fresh ${index}`,
      }))
      const keyed = fresh.map((item, index) => ({ ...item, idempotency_key: `${index}` }))
      const headers = { 'idempotency-key': crypto.randomUUID() }
      const answers = await Promise.all([
        event.api('POST', CREATE, keyed),
        event.api('POST', CREATE, keyed.toReversed()),
        event.api('POST', CREATE, fresh, { headers }),
        event.api('POST', CREATE, fresh, { headers }),
      ])
      const [one, other] = answers
      const idsOf = ({ body }: Answer): string[] => body.map(({ _id }: { _id: string }) => _id).sort()
      expect(idsOf(one)).toEqual(idsOf(other))
      const made = [...one.body, ...other.body].filter(({ created }) => created)
      expect(made).toHaveLength(MANY)
      // Where the first one was still at work, the second one was told so.
      for (const { status } of answers) expect([201, 409]).toContain(status)
      const same = Array.from({ length: MANY }, (_, index) => ({ guest_category_id: vip, uid: `same-${index}` }))
      const refused = await Promise.all([event.api('POST', CREATE, same), event.api('POST', CREATE, same)])
      expect(refused.flatMap(({ body }) => body).filter(({ errors }) => errors?.uid)).toHaveLength(MANY)
      expect(await event.all('guests.json')).toHaveLength(4 * MANY)
    }
  })

  test('no guest is registered in a category that is deleted meanwhile', async () => {
    for (let round = 0; round < rounds(4, 100); round++) {
      const { event, press } = await crowdOf(system)
      const items = Array.from({ length: MANY }, (_, index) => ({
        guest_category_id: press,
        last_name: `Fresh ${index}`,
      }))
      const [made, deleted] = await Promise.all([
        event.api('POST', CREATE, items),
        event.api('DELETE', `guest_categories/${press}.json`),
      ])
      const isGone = deleted.status === 204
      expect([made.status, deleted.status]).toEqual(isGone ? [422, 204] : [201, 409])
      expect(await event.all('guests.json')).toHaveLength(isGone ? MANY : 2 * MANY)
    }
  })

  test('guests of one batch who want each other’s uids, or one, never get the same', async () => {
    const { event, guests } = await crowdOf(system)
    const uids = guests.map(({ uid }) => uid)
    const turned = guests.map(({ _id }, index) => ({ _id, uid: uids[(index + 1) % MANY] }))
    await Promise.all([event.api('POST', UPDATE, turned), event.api('POST', UPDATE, turned.toReversed())])
    const found = (await event.all('guests.json')).map(({ uid }) => uid)
    expect(new Set(found)).toEqual(new Set(uids))
  })
})

/** The only process of guests is killed -9 at one answer of its store after another, and the request is sent again under its key. */
describe('a guests process that dies in the middle of a batch', () => {
  let system: System
  let killable: KillableProcess
  beforeAll(async () => {
    system = await startSystem({ guests: 0, checkins: 2, with: 'all', gateway: { deadline_ms: 2_000 } })
    killable = await startKillable('guests', system, { deadline_ms: 2_000 })
  })
  afterAll(async () => {
    await killable?.stop()
    await system?.stop()
  })

  /** The system as clients know it who send a request again under its key until it is answered; that of a killed process counts as running for a while. */
  const patient = (): System => ({
    ...system,
    api(method, path, body, init) {
      const headers = { 'idempotency-key': crypto.randomUUID(), ...init?.headers }
      const send = async () => {
        const answer = await system.api(method, path, body, { ...init, headers })
        return ![409, 503].includes(answer.status) && answer
      }
      return vi.waitUntil(send, { timeout: 120_000, interval: 200 })
    },
  })

  /** Sends a batch for a crowd with a kill at one answer of the store after another, until one is done without. Webhooks are told of each guest once. */
  async function withKills(type: string, send: (crowd: Crowd) => Promise<{ _id: string }[]>): Promise<void> {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    for (let nth = 1 + (seed % STEP); ; nth += STEP) {
      expect(nth).toBeLessThan(MAX_ANSWERS)
      const crowd = await crowdOf(patient())
      const { event, door } = crowd
      await patient().api('POST', 'webhooks.json', { url: receiver.url, event_types: [type], event_id: event.id })
      for (const { uid } of crowd.guests.slice(0, SCANNED))
        expect((await event.scan(door, uid)).access_status).toBe(GRANTED)
      const wasKilled = await killable.killAtAnswer(nth)
      const guests = await send(crowd)
      const isKilled = wasKilled()
      await killable.serving()
      const ids = new Set(guests.map(({ _id }) => _id))
      // It may be told of the crowd, too, which came just before it.
      const told = () => receiver.received.filter(({ json }) => ids.has(json.data._id))
      await expect.poll(() => new Set(told().map(({ json }) => json.data._id)), { timeout: 60_000 }).toEqual(ids)
      const deliveries = new Set(told().map(({ headers }) => headers['webhook-id']))
      expect(deliveries.size, `killed at answer ${nth}`).toBe(MANY)
      if (isKilled) continue
      expect(nth, 'it was killed at least once').toBeGreaterThan(STEP)
      break
    }
  }

  test(
    'guests whose change was answered have it, and the door knows, even if only a second try was answered',
    deep,
    async () => {
      await withKills('guest.updated', async ({ event, press, door, guests }) => {
        const answer = await event.api(
          'POST',
          UPDATE,
          guests.map(({ _id, uid }) => ({ _id, guest_category_id: press, uid: `new-${uid}` })),
        )
        expect([answer.status, answer.body]).toEqual([200, guests.map(({ _id }) => ({ _id }))])
        const found = (await event.read('guests.json?per_page=500')) as { guest_category_id: string }[]
        expect(found.map(({ guest_category_id }) => guest_category_id)).toEqual(Array(MANY).fill(press))
        for (const { uid } of guests.slice(0, SCANNED)) {
          expect((await event.scan(door, uid)).access_status).toBe(UNKNOWN)
          expect((await event.scan(door, `new-${uid}`)).access_status).toBe(GRANTED)
        }
        return guests
      })
    },
  )

  test(
    'guests whose deletion was answered are unknown to the door, even if only a second try was answered',
    deep,
    async () => {
      await withKills('guest.deleted', async ({ event, door, guests }) => {
        const { status } = await event.api(
          'POST',
          DELETE,
          guests.map(({ _id }) => ({ _id })),
        )
        // Those whom the first try has deleted are not there for the second.
        expect([200, 422]).toContain(status)
        expect(await event.read('guests.json')).toEqual([])
        for (const { uid } of guests.slice(0, SCANNED))
          expect((await event.scan(door, uid)).access_status).toBe(UNKNOWN)
        return guests
      })
    },
  )

  test(
    'guests whose registration was answered are there once, and so is each use of a code, even if only a second try was answered',
    deep,
    async () => {
      await withKills('guest.created', async ({ event, vip, door }) => {
        await event.make('promo_codes.json', { text: 'HALF', amount: 1, max_usage: MANY / 2 })
        const items = Array.from({ length: MANY }, (_, index) => ({
          guest_category_id: vip,
          uid: `fresh-${index}`,
          ...(index % 2 === 0 && { promo_code: 'HALF' }),
          ...(index % 4 < 2 && { idempotency_key: `${index}` }),
        }))
        const answer = await event.api('POST', CREATE, items)
        expect([answer.status, answer.body.map(({ uid }: { uid: string }) => uid)]).toEqual([
          201,
          items.map(({ uid }) => uid),
        ])
        const [found] = (await event.read('promo_codes.json')) as { times_used: number }[]
        expect([found?.times_used, (await event.read('guests.json?per_page=500')).length]).toEqual([MANY / 2, 2 * MANY])
        for (const { uid } of items.slice(0, SCANNED)) expect((await event.scan(door, uid)).access_status).toBe(GRANTED)
        return answer.body
      })
    },
  )
})
