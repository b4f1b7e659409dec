import { managerOf, streamNameOf } from '@gatehouse/proto/events/streams.ts'
import type { Process } from '@gatehouse/test/harness/process.ts'
import { type Receiver, startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ServiceName } from '../services.ts'

/** How long a request waits for a dead process. */
const TIMEOUT_MS = 5_000
/** An outbox entry of check-ins counts as abandoned after 20 s, and these are looked for every 5 s. */
const ABANDONED_MS = 60_000

/** One of two processes of a service is killed -9 while it writes, and the other one publishes its changes. */
describe('changes by a process that died are published', () => {
  let system: System
  let testEvent: TestEvent
  let category: string
  let target: Receiver
  let victim: Process | undefined

  beforeAll(async () => {
    system = await startSystem({ with: ['hooks', 'leads'], gateway: { deadline_ms: TIMEOUT_MS } })
  })
  afterAll(() => system?.stop())
  beforeEach(async () => {
    testEvent = await TestEvent.open(system, { network_enabled: true })
    category = await testEvent.category()
    target = await startReceiver()
    await system.api('POST', 'webhooks.json', { url: target.url, event_id: testEvent.id })
  })
  afterEach(async () => {
    await victim?.stop()
    victim = undefined
    await target.close()
  })

  async function startVictim(service: ServiceName): Promise<void> {
    victim = await startReplicaProcess(service, system, { deadline_ms: TIMEOUT_MS })
  }

  /** Kills the process after the first answer, while the others are on their way, and returns all answers. */
  async function killed(answers: Promise<Answer>[]): Promise<Answer[]> {
    await Promise.race(answers)
    await victim?.kill()
    return Promise.all(answers)
  }

  /** Acts while the stream refuses messages, and kills the process before the stream accepts them again. */
  async function whileStreamRefuses<T>(act: () => Promise<T>): Promise<T> {
    const manager = await managerOf(system.bus)
    const limit = (max_msg_size: number) => manager.streams.update(streamNameOf(system.bus, 'domain'), { max_msg_size })
    await limit(1)
    const done = await act()
    await victim?.kill()
    await limit(-1)
    return done
  }

  /** The ids that were delivered with a type. */
  const published = (type: string): Set<string> =>
    new Set(target.received.filter(({ json }) => json.type === type).map(({ json }) => json.data._id))
  const untilPublished = (type: string, ids: Set<string>, withinMs?: number): Promise<unknown> =>
    target.until(() => ids.isSubsetOf(published(type)), withinMs).then(() => expect(published(type)).toEqual(ids))

  const create = (uid: string): Promise<Answer> =>
    testEvent.api('POST', 'guests.json', { guest_category_id: category, uid })
  const stored = async (): Promise<Map<string, Answer['body']>> =>
    new Map((await testEvent.all('guests.json')).map((guest) => [guest._id, guest]))
  const idsOf = (guests: Iterable<Answer['body']>): Set<string> => new Set([...guests].map(({ _id }) => _id))
  const uids = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${name}-${index}`)

  test('guests that are created, changed and deleted: exactly the stored changes are published', deep, async () => {
    const [created, changed, deleted] = [new Set<string>(), new Set<string>(), new Set<string>()]
    let failed = 0
    // Again if the process had done everything before it was killed.
    for (let round = 0; failed === 0 && round < 5; round++) {
      const before = await Promise.all(uids(`before-${round}`, 100).map(create))
      const ids = before.map(({ body }) => body._id)
      await startVictim('guests')
      const answers = await killed(
        uids(`guest-${round}`, 50).flatMap((uid, index) => [
          create(uid),
          testEvent.api('PUT', `guests/${ids[index]}.json`, { position: 'Host' }),
          testEvent.api('DELETE', `guests/${ids[50 + index]}.json`),
        ]),
      )
      failed += answers.filter(({ status }) => status >= 500).length
      const left = await stored()
      for (const id of [...ids, ...left.keys()]) created.add(id)
      for (const { _id, position } of left.values()) if (position === 'Host') changed.add(_id)
      for (const id of ids) if (!left.has(id)) deleted.add(id)
    }
    expect(failed).toBeGreaterThan(0)
    await untilPublished('guest.created', created)
    await untilPublished('guest.updated', changed)
    await untilPublished('guest.deleted', deleted)
  })

  test('changes of guests that were answered while the stream refused messages', deep, async () => {
    const guests = await Promise.all(uids('before', 20).map(create))
    await untilPublished('guest.created', idsOf(guests.map(({ body }) => body)))
    await startVictim('guests')
    const { created, gone } = await whileStreamRefuses(async () => ({
      created: await Promise.all(uids('while', 20).map(create)),
      gone: await Promise.all(guests.map(({ body }) => testEvent.api('DELETE', `guests/${body._id}.json`))),
    }))
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(gone.map(({ status }) => status))).toEqual(new Set([204]))
    await untilPublished('guest.created', idsOf([...guests, ...created].map(({ body }) => body)))
    await untilPublished('guest.deleted', idsOf(guests.map(({ body }) => body)))
  })

  test('leads: exactly the stored ones are published', deep, async () => {
    const exhibitor = await testEvent.make('exhibitors.json', { name: 'Acme' })
    const names = uids('lead', 180)
    await Promise.all(names.map(create))
    const path = `devices/${exhibitor.access_token}/connections/batch_create.json`
    const submit = (from: number): Promise<Answer> => {
      const items = names.slice(from, from + 3).map((guest_uid) => ({ guest_uid, author: 'Ann' }))
      return system.api('POST', path, items, { token: '' })
    }
    const batches = [...names.keys().filter((index) => index % 3 === 0)]
    await startVictim('leads')
    await killed(batches.slice(0, 40).map(submit))
    await startVictim('leads')
    const answers = await whileStreamRefuses(() => Promise.all(batches.slice(40).map(submit)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    await untilPublished('lead.created', idsOf(await testEvent.read(`exhibitors/${exhibitor._id}/connections.json`)))
  })

  test('check-ins: exactly the stored ones of both processes are published', deep, async () => {
    const point = await testEvent.point()
    const scan = (uid: string) =>
      testEvent.api('POST', 'access_controls.json', { accesspoint_id: point, guest_uid: uid })
    let failed = 0
    for (let round = 0; failed === 0 && round < 5; round++) {
      await startVictim('checkin')
      const answers = await killed(uids(`scan-${round}`, 200).map(scan))
      failed += answers.filter(({ status }) => status >= 500).length
    }
    expect(failed).toBeGreaterThan(0)
    await startVictim('checkin')
    const answers = await whileStreamRefuses(() => Promise.all(uids('while', 20).map(scan)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    await untilPublished('check_in.created', idsOf(await testEvent.all('access_controls.json')), ABANDONED_MS)
  })

  test('badges that were completed while the stream refused messages', deep, async () => {
    await startVictim('badges')
    const { _id } = await testEvent.make('guest_categories.json', { name: 'Speakers', badge_enabled: true })
    const guests = await whileStreamRefuses(async () => {
      const ids = await Promise.all(uids('speaker', 5).map((uid) => testEvent.guest(_id, uid)))
      const areCompleted = async () => [...(await stored()).values()].every((guest) => guest.badge_completed)
      await expect.poll(areCompleted, { timeout: 90_000 }).toBe(true)
      return ids
    })
    await untilPublished('badge.completed', new Set(guests))
    for (const { json } of target.received.filter(({ json }) => json.type === 'badge.completed')) {
      const { _id, badge_url, qrcode_url, guest_metadata } = json.data
      expect([badge_url, qrcode_url, guest_metadata]).toEqual([
        expect.stringContaining(_id),
        expect.stringContaining(_id),
        [],
      ])
    }
  })
})
