import type { Running } from '@gatehouse/proto/serving/run.ts'
import { redisServer } from '@gatehouse/test/harness/own-redis.ts'
import { type RedisReplicas, startRedisReplicas } from '@gatehouse/test/harness/redis-replicas.ts'
import { SECRETS_KEY, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startService } from '../../services.ts'

const LIMIT = 2
const SCANNERS = 4
/** The number of changes for which the load goes on after another master has taken over. */
const CHANGES_AFTERWARDS = 100
/** Longer than it takes until the sentinels agree that the master is down. */
const PAUSE_MS = 4_000
const UNAVAILABLE = 503

/*
 * Only in `npm run test:deep`: the sentinels wait, agree and tell the others, which takes some ten seconds each time. `npm test` checks that a
 * change waits for sentinels (ledger.test.ts) and that a connection follows the master (proto/storage/redis.test.ts).
 */
describe.skipIf(!redisServer)('a door with a Redis that fails over under load', () => {
  let redis: RedisReplicas
  let system: System
  const services: Running[] = []

  beforeAll(async () => {
    ;[redis, system] = await Promise.all([startRedisReplicas(), startSystem({ checkins: 0, guests: 0 })])
    const config = {
      mongodb_url: inject('mongodbUrl'),
      nats_url: inject('natsUrl'),
      redis_url: redis.url,
      namespace: system.namespace,
      log_level: 'silent',
      deadline_ms: 30_000,
      secrets_key: SECRETS_KEY,
      public_url: system.url,
    }
    for (const name of ['guests', 'checkin', 'checkin'] as const) services.push(await startService(name, config))
  })
  afterAll(async () => {
    for (const service of services) await service.stop()
    await system?.stop()
    await redis?.stop()
  })

  /** Scans guests all the time, and changes rights and looks at once whether a scan sees it, until another master has taken over and longer. */
  async function duringLoad(failOver: () => Promise<void>): Promise<void> {
    const testEvent = await TestEvent.open(system)
    const [category, other, point] = [
      await testEvent.category(),
      await testEvent.category('Other'),
      await testEvent.point(),
    ]
    const link = await testEvent.link(category, point, LIMIT)
    const uids = Array.from({ length: 60 }, (_, n) => `guest ${n}`)
    await Promise.all(uids.map((uid) => testEvent.guest(category, uid)))
    const granted = new Map<string, number>()
    const statusOf = async (uid: string): Promise<number> => {
      const { access_status } = await testEvent.scan(point, uid)
      if (access_status === 0) granted.set(uid, (granted.get(uid) ?? 0) + 1)
      return access_status
    }
    /** A change that Redis did not take in time is 503, and is sent again. */
    const insist = async (path: string, body: object): Promise<void> => {
      for (;;) {
        const { status, text } = await testEvent.api('PUT', path, body)
        if (status === UNAVAILABLE) continue
        expect(status, text).toBe(204)
        return
      }
    }
    let over = false
    let turn = 0
    const scan = async (): Promise<void> => {
      while (!over) expect([0, 3]).toContain(await statusOf(uids[turn++ % uids.length] as string))
    }
    const changing = await testEvent.guest(category, 'changing')
    const own = await testEvent.point('Own')
    const ownLink = await testEvent.link(category, own, -1)
    let changes = 0
    const change = async (): Promise<void> => {
      const expectStatus = async (status: number) =>
        expect((await testEvent.scan(own, 'changing')).access_status, `change ${changes++}`).toBe(status)
      while (!over) {
        await insist(`guests/${changing}.json`, { guest_category_id: other })
        await expectStatus(2)
        await insist(`guests/${changing}.json`, { guest_category_id: category })
        await expectStatus(0)
        await insist(`guest_category_accesspoints/${ownLink}.json`, { max_allowed_accesses: 0 })
        await expectStatus(3)
        await insist(`guest_category_accesspoints/${ownLink}.json`, { max_allowed_accesses: -1 })
        await expectStatus(0)
      }
    }
    const before = await redis.masterPort()
    const fail = async (): Promise<void> => {
      try {
        await failOver()
        await expect.poll(() => redis.masterPort()).not.toBe(before)
        const until = changes + CHANGES_AFTERWARDS
        await expect.poll(() => changes).toBeGreaterThan(until)
      } finally {
        over = true
      }
    }
    await Promise.all([fail(), change(), ...Array.from({ length: SCANNERS }, scan)])
    await testEvent.change(`guest_category_accesspoints/${link}.json`, { max_allowed_accesses: LIMIT })
    for (const uid of uids) for (let n = 0; n < LIMIT; n++) await statusOf(uid)
    await expect.poll(() => usesMaster(testEvent, category, point)).toBe(1)
    expect(Object.fromEntries(granted)).toEqual(Object.fromEntries(uids.map((uid) => [uid, LIMIT])))
  }

  /** Whether the scan of another guest is noted in the present master. */
  async function usesMaster(testEvent: TestEvent, category: string, point: string): Promise<number> {
    const master = new Redis(await redis.masterPort(), '127.0.0.1')
    try {
      const uid = crypto.randomUUID()
      await testEvent.guest(category, uid)
      await testEvent.scan(point, uid)
      return await master.sismember(`${system.namespace}:{${testEvent.id}}:entered:${point}`, uid)
    } finally {
      master.disconnect()
    }
  }

  const failOvers = [
    ['is killed', () => redis.killMaster()],
    ['hangs, and comes back after another one has taken over', () => redis.pauseMaster(PAUSE_MS)],
  ] as const

  test.each(failOvers)(
    'sees every answered change and lets each guest in as often as it may, if the master %s',
    deep,
    (_, failOver) => duringLoad(failOver),
  )
})
