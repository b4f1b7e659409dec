// @module-tag slow
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '@gatehouse/local/stack'
import { DomainEvents } from '@gatehouse/proto/events/domain-events.ts'
import { managerOf, streamNameOf, subjectIn } from '@gatehouse/proto/events/streams.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { LiveClient } from '@gatehouse/test/harness/live-client.ts'
import type { Process } from '@gatehouse/test/harness/process.ts'
import { type Received, type Receiver, startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep, rounds } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { describe, expect, inject, type TestContext, test, vi } from 'vitest'
import type { ServiceName } from '../services.ts'

type CheckIn = Answer['body']

/** Registers what ends a process or server after its test, the last one first. */
type OnEnd = TestContext['onTestFinished']

async function started(onEnd: OnEnd, options: Parameters<typeof startSystem>[0]): Promise<System> {
  const system = await startSystem(options)
  onEnd(() => system.stop())
  return system
}

/** A process of a service of the system, as in production. */
async function processOf(onEnd: OnEnd, service: ServiceName, system: System): Promise<Process> {
  const process = await startReplicaProcess(service, system, {
    deadline_ms: 5_000,
    gatehouse_allow_private_hooks: true,
    hook_retry_delays: '0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2',
    hook_timeout_ms: 1_000,
  })
  onEnd(() => process.stop())
  return process
}

/** An event with a webhook of its check-ins, and its receiver. */
async function watched(
  onEnd: OnEnd,
  system: System,
  afterMs = 0,
): Promise<{ testEvent: TestEvent; point: string; target: Receiver; id: string }> {
  const target = await startReceiver(() => ({ status: 200, afterMs }))
  onEnd(() => target.close())
  const testEvent = await TestEvent.open(system)
  const point = await testEvent.point()
  const webhook = { url: target.url, event_types: ['check_in.created'], event_id: testEvent.id }
  // A process that has just started may be slow to answer.
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const created = () => system.api('POST', 'webhooks.json', webhook, { headers })
  const { body } = await vi.waitUntil(async () => {
    const answer = await created()
    return answer.status === 201 && answer
  }, 60_000)
  return { testEvent, point, target, id: body._id }
}

const idOf = ({ json }: Received): string => json.data._id
const countOf = (received: Received[]): number => new Set(received.map(idOf)).size

interface Scanner {
  /** Resolves when `count` more were answered 201. */
  more(count: number): Promise<void>
  /** Stops, and returns all check-ins that were answered 201. */
  stop(): Promise<CheckIn[]>
}

/** Sends single scans and batches of ten until it is stopped. */
function scanner(testEvent: TestEvent, point: string, name: string): Scanner {
  const answered: CheckIn[] = []
  let scanning = true
  const scan = async (single: boolean): Promise<void> => {
    for (let count = 0; scanning; count++) {
      const of = (index: number) => ({ accesspoint_id: point, guest_uid: `${name}-${single}-${count}-${index}` })
      const path = single ? 'access_controls.json' : 'access_controls/batch_create.json'
      const body = single ? of(0) : Array.from({ length: 10 }, (_, index) => of(index))
      const answer = await testEvent.api('POST', path, body)
      if (answer.status === 201) answered.push(...[answer.body].flat())
      else await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const scans = [scan(true), scan(true), scan(false)]
  return {
    more: async (count) => {
      const wanted = answered.length + count
      await vi.waitUntil(() => answered.length > wanted, 120_000)
    },
    stop: async () => {
      scanning = false
      await Promise.all(scans)
      return answered
    },
  }
}

/** Each answered check-in is delivered as it was answered, and each delivered one is stored. */
async function expectPublished(testEvent: TestEvent, target: Receiver, answered: CheckIn[]): Promise<void> {
  const wanted = new Set(answered.map(({ _id }) => _id))
  await target.until((received) => wanted.isSubsetOf(new Set(received.map(idOf))), 120_000)
  const told = new Map(target.received.map((received) => [idOf(received), received.json.data]))
  for (const checkIn of answered) expect(told.get(checkIn._id)).toEqual(checkIn)
  const stored = new Map((await testEvent.all('access_controls.json')).map((checkIn) => [checkIn._id, checkIn]))
  for (const [id, checkIn] of told) expect(checkIn).toEqual(stored.get(id))
}

/** A client of the live feed that reconnects whenever it is cut off. `seen` are the ids of its check-ins, in order. */
function follower(
  system: System,
  testEvent: TestEvent,
): { seen: string[]; hasJoined(): boolean; stop(): Promise<void> } {
  const seen: string[] = []
  const url = `${system.url}/api/v1/events/${testEvent.id}/live?auth_token=${system.auth_token}`
  let last: string | undefined
  let client: LiveClient | undefined
  let following = true
  const loop = (async () => {
    while (following) {
      client = await LiveClient.open(url, last ? { 'last-event-id': last } : {}).catch(() => undefined)
      for (let taken = 0; client && (!client.ended || taken < client.events.length); ) {
        const fresh = client.events.slice(taken)
        taken += fresh.length
        for (const { event, data } of fresh) {
          // The killed server has lost the end of its stream, so the rest is sent again.
          if (event === 'reset') seen.length = 0
          else if (data?.data) seen.push(data.data._id)
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      last = client?.lastId ?? last
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  return {
    seen,
    hasJoined: () => client !== undefined,
    stop: async () => {
      following = false
      client?.close()
      await loop
    },
  }
}

test('two replicas share the work: each check-in is delivered once', deep, async ({ onTestFinished: onEnd }) => {
  const system = await started(onEnd, { with: ['hooks', 'hooks'] })
  const { testEvent, point, target, id } = await watched(onEnd, system)
  const items = Array.from({ length: 300 }, (_, index) => ({ accesspoint_id: point, guest_uid: `guest-${index}` }))
  await testEvent.make('access_controls/batch_create.json', items)
  await target.until((received) => countOf(received) === 300)
  const log = async (): Promise<Answer['body'][]> => (await system.api('GET', `webhooks/${id}/deliveries.json`)).body
  // No attempt follows.
  await expect.poll(async () => (await log()).filter(({ state }) => state === 'delivered').length).toBe(300)
  expect(target.received.length).toBe(300)
})

// They mostly wait: for claims and outbox entries of dead processes to run out.
describe.concurrent('a process is killed', () => {
  test(
    'while the target of a delivery cannot be looked up, no attempt is counted',
    deep,
    async ({ onTestFinished: onEnd, expect }) => {
      const system = await started(onEnd, { guests: 0 })
      const guests = await processOf(onEnd, 'guests', system)
      await processOf(onEnd, 'hooks', system)
      const target = await startReceiver((_request, nth) => {
        // Before the answer, so that the second attempt cannot look up its target.
        if (nth === 1) void guests.kill()
        return { status: nth === 1 ? 500 : 200 }
      })
      onEnd(() => target.close())
      const testEvent = await TestEvent.open(system, { badge_complete_hook_url: `${target.url}/badge` })
      const guest = await testEvent.guest(await testEvent.category(), 'ada')
      const log = makeLog('test', 'silent')
      const domain = new DomainEvents(system.bus, log)
      onEnd(() => domain.stop())
      await domain.publish(
        { type: 'badge.completed', event_id: testEvent.id, items: [{ _id: guest }] },
        crypto.randomUUID(),
        new Date(),
      )
      // The API looks up the event, for which it may need the killed process.
      const client = await MongoClient.connect(inject('mongodbUrl'))
      onEnd(() => client.close())
      const deliveries = client.db(`${system.namespace}_hooks`).collection('deliveries')
      await target.until((received) => received.length === 1)
      const attempts = async () => (await deliveries.findOne())?.attempt_count ?? 0
      // One, unless this machine was too busy to receive the first ones.
      await expect.poll(attempts).toBeGreaterThan(0)
      const counted = await attempts()
      // Longer than a claim: three times HOOK_TIMEOUT_MS and a second.
      await new Promise((resolve) => setTimeout(resolve, 6_000))
      expect(target.received.length).toBe(1)
      expect(await attempts()).toBeLessThanOrEqual(counted + 1)
      await processOf(onEnd, 'guests', system)
      const logged = async () => (await system.api('GET', `webhooks/${testEvent.id}/deliveries.json`)).body
      await expect.poll(logged).toMatchObject([{ state: 'delivered' }])
      const [{ attempt_count }] = await logged()
      expect(attempt_count).toBeGreaterThan(1)
      expect(target.received.length).toBeLessThanOrEqual(attempt_count)
    },
  )

  test(
    'kill -9 of hooks during deliveries loses none; repeated ones have the same id',
    deep,
    async ({ onTestFinished: onEnd, expect }) => {
      const system = await started(onEnd, {})
      const first = await processOf(onEnd, 'hooks', system)
      const { testEvent, point, target, id } = await watched(onEnd, system, 150)
      const items = Array.from({ length: 30 }, (_, index) => ({ accesspoint_id: point, guest_uid: `guest-${index}` }))
      const answered = await testEvent.make('access_controls/batch_create.json', items)
      await target.until(({ length }) => length >= 6)
      await first.kill()
      await processOf(onEnd, 'hooks', system)
      await expectPublished(testEvent, target, answered)
      const ids = new Map(target.received.map((received) => [idOf(received), received.headers['webhook-id']]))
      for (const received of target.received) expect(received.headers['webhook-id']).toBe(ids.get(idOf(received)))
      const log = async () => (await system.api('GET', `webhooks/${id}/deliveries.json`)).body as { state: string }[]
      await expect.poll(async () => (await log()).every(({ state }) => state === 'delivered')).toBe(true)
    },
  )

  test(
    'kill -9 of checkin under load: exactly the answered check-ins are delivered, as stored',
    deep,
    async ({ onTestFinished: onEnd }) => {
      const system = await started(onEnd, { with: ['hooks'], checkins: 0 })
      let door = await processOf(onEnd, 'checkin', system)
      const { testEvent, point, target } = await watched(onEnd, system)
      const scans = scanner(testEvent, point, 'load')
      for (let time = 0; time < rounds(1, 2); time++) {
        await scans.more(50)
        await door.kill()
        door = await processOf(onEnd, 'checkin', system)
      }
      await scans.more(50)
      const answered = await scans.stop()
      await expectPublished(testEvent, target, answered)
    },
  )
})

test(
  'kill -9 of JetStream and the loss of its streams repeat check-ins once at most, and lose none',
  deep,
  async ({ onTestFinished: onEnd }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-nats-'))
    const stack = await startStack({ dataDir, throwAway: true, servers: ['nats'] })
    onEnd(() => stack.stop())
    const system = await started(onEnd, { with: ['hooks'], natsUrlOf: () => stack.natsUrl })
    const { testEvent, point, target } = await watched(onEnd, system)
    const live = follower(system, testEvent)
    await expect.poll(() => live.hasJoined()).toBe(true)
    const scans = scanner(testEvent, point, 'load')
    const outages = 2
    for (let time = 0; time < outages; time++) {
      await scans.more(50)
      process.kill(stack.processes.nats as number, 'SIGKILL')
    }
    await scans.more(50)
    const answered = await scans.stop()
    await expectPublished(testEvent, target, answered)
    await expect.poll(() => answered.every(({ _id }) => live.seen.includes(_id))).toBe(true)
    // JetStream syncs to disk every two minutes: the killed server may have lost acknowledged messages, which are then published again.
    for (const [id, times] of Map.groupBy(live.seen, (each) => each))
      expect(times.length, id).toBeLessThanOrEqual(1 + outages)
    await live.stop()
    const manager = await managerOf(system.bus)
    await manager.streams.delete(streamNameOf(system.bus, 'domain'))
    const later = await testEvent.scan(point, 'after all')
    await expectPublished(testEvent, target, [...answered, later])
  },
)

test('while the stream refuses messages, requests are answered; their events are delivered when it accepts them again', async ({
  onTestFinished: onEnd,
}) => {
  const system = await started(onEnd, { with: ['hooks'] })
  const { testEvent, point, target } = await watched(onEnd, system)
  const first = await testEvent.scan(point, 'first')
  await expectPublished(testEvent, target, [first])
  const manager = await managerOf(system.bus)
  const limit = (max_msg_size: number) => manager.streams.update(streamNameOf(system.bus, 'domain'), { max_msg_size })
  await limit(1)
  const scans = await Promise.all(['a', 'b', 'c'].map((uid) => testEvent.scan(point, uid)))
  const { status, text } = await system.api('POST', 'webhooks.json', {
    url: `${target.url}/guests`,
    event_types: ['guest.created'],
  })
  expect(status, text).toBe(201)
  const guest = await testEvent.make('guests.json', { guest_category_id: await testEvent.category(), uid: 'ada' })
  await limit(-1)
  await target.until((received) =>
    new Set(received.map(idOf)).isSupersetOf(new Set([...scans, guest].map(({ _id }) => _id))),
  )
})

test('messages that are not domain events do not delay others', async ({ onTestFinished: onEnd }) => {
  const system = await started(onEnd, { with: ['hooks'] })
  const { testEvent, point, target } = await watched(onEnd, system)
  const subject = subjectIn(system.bus, 'domain', testEvent.id)
  const head = `{"id":"1","type":"check_in.created","event_id":"${testEvent.id}","at":"2026-05-01T08:30:00.250Z"}`
  for (const text of [
    '',
    'null',
    '{',
    '{"type":"guest.created"}\n{}',
    head,
    head.replace('check_in.created', 'x'),
    `${head.replace(testEvent.id, 'a b')}\n{"_id":"1"}`,
    ...['null', '{"a":1}'].map((traces) => `${head.slice(0, -1)},"traces":${traces}}\n{"_id":"1"}`),
    ...['', 'null', '{', '{}', '[]', '{"_id":1}'].map((item) => `${head}\n${item}`),
  ])
    system.bus.connection.publish(subject, text)
  await expectPublished(testEvent, target, [await testEvent.scan(point, 'ada')])
})
