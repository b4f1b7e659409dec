// @module-tag slow
import { reservePort } from '@gatehouse/local/ports'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { type OwnRedis, ownRedis, redisServer } from '@gatehouse/test/harness/own-redis.ts'
import { startRedisCluster } from '@gatehouse/test/harness/redis-cluster.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { proxyTo } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { assertDoorMatchesModel, changeSteps, removalSteps, scanSteps } from '@gatehouse/test/oracle/door-model.ts'
import { deep, rounds } from '@gatehouse/test/rounds.ts'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

/** A system whose checkin services have another Redis than the shared one. */
async function systemWith(redis_url: string, checkins: number): Promise<{ system: System; stop(): Promise<void> }> {
  const system = await startSystem({ checkins: 0 })
  const doors: Running[] = []
  for (let n = 0; n < checkins; n++) doors.push(await startReplica('checkin', system, { redis_url }))
  return {
    system,
    stop: async () => {
      for (const door of doors) await door.stop()
      await system.stop()
    },
  }
}

describe('a door without a reachable Redis', () => {
  let system: System
  let stop: () => Promise<void>

  beforeAll(async () => {
    ;({ system, stop } = await systemWith(`redis://127.0.0.1:${await reservePort()}`, 2))
  })
  afterAll(() => stop?.())

  test('decides correctly by the store alone', () =>
    assertDoorMatchesModel(system, [...scanSteps, ...removalSteps, ...changeSteps], {
      runs: rounds(3, 40),
      length: 50,
    }))

  test('of 60 scans at once of a guest with 2 accesses, over two services, exactly 2 are granted', async () => {
    const testEvent = await TestEvent.open(system)
    const [category, point] = [await testEvent.category(), await testEvent.point()]
    await testEvent.link(category, point, 2)
    for (const uid of ['ada', 'bob', 'cyd']) {
      await testEvent.guest(category, uid)
      const checkIns = await Promise.all(Array.from({ length: 60 }, () => testEvent.scan(point, uid)))
      expect(checkIns.filter(({ access_status }) => access_status === 0)).toHaveLength(2)
      expect(checkIns.filter(({ access_status }) => access_status === 3)).toHaveLength(58)
    }
  })
})

describe.skipIf(!redisServer)('a door whose Redis is killed and comes back empty', () => {
  let redis: OwnRedis
  let system: System
  let stop: () => Promise<void>

  beforeAll(async () => {
    redis = await ownRedis()
    await redis.start()
    ;({ system, stop } = await systemWith(redis.url, 2))
  })
  afterAll(async () => {
    await stop?.()
    await redis?.kill()
  })

  test('in the middle of a load: each guest enters exactly as often as it may, and no scan fails', deep, async () => {
    const testEvent = await TestEvent.open(system)
    const [category, point] = [await testEvent.category(), await testEvent.point()]
    const limit = 3
    await testEvent.link(category, point, limit)
    const uids = Array.from({ length: 30 }, (_, n) => `guest ${n}`)
    await Promise.all(uids.map((uid) => testEvent.guest(category, uid)))

    let over = false
    const harm = (async () => {
      while (!over) {
        await new Promise((resolve) => setTimeout(resolve, 300))
        await redis.kill()
        await new Promise((resolve) => setTimeout(resolve, 200))
        await redis.start()
      }
    })()
    const granted = new Map<string, number>()
    const count = (checkIns: { guest_uid: string; access_status: number }[]): void => {
      for (const { guest_uid, access_status } of checkIns) {
        expect([0, 3]).toContain(access_status)
        if (access_status === 0) granted.set(guest_uid, (granted.get(guest_uid) ?? 0) + 1)
      }
    }
    const end = Date.now() + 6_000
    let turn = 0
    const load = async (): Promise<void> => {
      while (Date.now() < end) {
        // Few guests at a time, so that each is scanned through several restarts of Redis.
        const wave = uids.slice(0, 5 + Math.floor(((Date.now() + 6_000 - end) / 6_000) * 25))
        const uid = wave[turn++ % wave.length] as string
        if (turn % 5 === 0) {
          const items = [uid, uid, wave[0] as string].map((guest_uid) => ({ accesspoint_id: point, guest_uid }))
          count(await testEvent.make('access_controls/batch_create.json', items))
        } else count([await testEvent.scan(point, uid)])
      }
    }
    try {
      await Promise.all(Array.from({ length: 12 }, load))
    } finally {
      over = true
      await harm
    }
    for (const uid of uids) for (let n = 0; n < limit + 1; n++) count([await testEvent.scan(point, uid)])
    expect(Object.fromEntries(granted)).toEqual(Object.fromEntries(uids.map((uid) => [uid, limit])))
    const { by_status } = await testEvent.read('statistics.json')
    expect(by_status[0].count).toBe(uids.length * limit)
  })

  test('entries made without a limit while it was away count once a limit is set', async () => {
    const testEvent = await TestEvent.open(system)
    const [category, point] = [await testEvent.category(), await testEvent.point()]
    const link = await testEvent.link(category, point, -1)
    await testEvent.guest(category, 'ada')
    await testEvent.scan(point, 'ada')
    await redis.kill()
    expect((await testEvent.scan(point, 'ada')).access_status).toBe(0)
    await redis.start()
    await testEvent.change(`guest_category_accesspoints/${link}.json`, { max_allowed_accesses: 2 })
    for (let n = 0; n < 20; n++) expect((await testEvent.scan(point, 'ada')).access_status).toBe(3)
  })

  test.each([
    ['a total one', 'one for each day', {}, { period: 'day' }],
    ['one for each day', 'a total one', { period: 'day' }, { period: 'event' }],
    ['none', 'one for each day', { max_allowed_accesses: -1 }, { max_allowed_accesses: 1, period: 'day' }],
    ['one for each day', 'none and a total one', { period: 'day' }, { max_allowed_accesses: -1, period: 'event' }],
  ])('entries by %s count when the allowance is %s, after it has lost them', async (_, __, before, after) => {
    const testEvent = await TestEvent.open(system)
    const [category, point] = [await testEvent.category(), await testEvent.point()]
    const link = await testEvent.link(category, point, 1, before)
    const change = (fields: object) => testEvent.change(`guest_category_accesspoints/${link}.json`, fields)
    for (const uid of ['ada', 'bob']) await testEvent.guest(category, uid)
    expect((await testEvent.scan(point, 'ada')).access_status).toBe(0)
    for (const changed of [after, { ...after, max_allowed_accesses: 1 }]) {
      await redis.kill()
      await redis.start()
      await change(changed)
      // From then on the doors trust it again.
      for (let n = 0; n < 4; n++) await testEvent.scan(point, 'bob')
      const expected = 'max_allowed_accesses' in changed && changed.max_allowed_accesses === -1 ? 0 : 3
      for (let n = 0; n < 3; n++) expect((await testEvent.scan(point, 'ada')).access_status).toBe(expected)
    }
  })
})

describe.skipIf(!redisServer)('a door with a cluster of three Redis servers', () => {
  test('finds the keys of an event on one of them, also those of its changes', async () => {
    const cluster = await startRedisCluster()
    const { system, stop } = await systemWith(cluster.url, 2)
    try {
      const holders = new Set<number>()
      // The names of events, which say which server has their keys, are made by chance: some events are on each.
      while (holders.size < cluster.nodes.length) {
        const testEvent = await TestEvent.open(system)
        const [category, point] = [await testEvent.category(), await testEvent.point()]
        const link = await testEvent.link(category, point, 1)
        await testEvent.guest(category, 'ada')
        expect((await testEvent.scan(point, 'ada')).access_status).toBe(0)
        expect((await testEvent.scan(point, 'ada')).access_status).toBe(3)
        for (const max_allowed_accesses of [-1, 0]) {
          await testEvent.change(`guest_category_accesspoints/${link}.json`, { max_allowed_accesses })
          for (let n = 0; n < 4; n++)
            expect((await testEvent.scan(point, 'ada')).access_status).toBe(max_allowed_accesses === 0 ? 3 : 0)
        }
        const key = (name: string): string => `${system.namespace}:{${testEvent.id}}:${name}`
        const found = await Promise.all(cluster.nodes.map((node) => node.keys(key('*'))))
        const holder = found.findIndex((keys) => keys.length > 0)
        expect(found.flat()).toEqual(found[holder])
        const node = cluster.nodes[holder] as Redis
        expect(await node.smembers(key(`entered:${point}`))).toEqual(['ada'])
        expect(await node.llen(key('changes'))).toBeGreaterThan(2)
        holders.add(holder)
      }
    } finally {
      await stop()
      await cluster.stop()
    }
  })

  test('lets each guest in as often as it may while one of them is away, and after it came back empty', async () => {
    const cluster = await startRedisCluster()
    const { system, stop } = await systemWith(cluster.url, 2)
    try {
      const doors: ((uid: string) => Promise<number>)[] = []
      const holders = new Set<number>()
      while (holders.size < cluster.nodes.length) {
        const testEvent = await TestEvent.open(system)
        const [category, point] = [await testEvent.category(), await testEvent.point()]
        await testEvent.link(category, point, 1)
        for (const uid of ['ada', 'bob']) await testEvent.guest(category, uid)
        doors.push(async (uid) => (await testEvent.scan(point, uid)).access_status)
        expect(await doors.at(-1)?.('ada')).toBe(0)
        const pattern = `${system.namespace}:{${testEvent.id}}:*`
        const found = await Promise.all(cluster.nodes.map((node) => node.keys(pattern)))
        holders.add(found.findIndex((keys) => keys.length > 0))
      }
      const scanAll = (uid: string) => Promise.all(doors.map((scan) => scan(uid)))
      const each = (status: number) => doors.map(() => status)
      await cluster.servers[1]?.kill()
      expect(await scanAll('ada')).toEqual(each(3))
      expect(await scanAll('bob')).toEqual(each(0))
      await cluster.servers[1]?.start()
      for (const uid of ['ada', 'bob']) expect(await scanAll(uid)).toEqual(each(3))
    } finally {
      await stop()
      await cluster.stop()
    }
  })
})

describe('a door that is cut off from a running Redis', () => {
  test('does not trust counts in Redis that lack the scans made meanwhile', async () => {
    const redis = new Redis(inject('redisUrl'))
    const proxy = await proxyTo(inject('redisUrl'))
    const { system, stop } = await systemWith(proxy.url, 1)
    try {
      const testEvent = await TestEvent.open(system)
      const [category, point] = [await testEvent.category(), await testEvent.point()]
      const link = await testEvent.link(category, point, -1)
      for (const uid of ['ada', 'bob']) await testEvent.guest(category, uid)
      // The door counts in Redis.
      await testEvent.scan(point, 'bob')
      expect(await redis.keys(`${system.namespace}:*`)).not.toEqual([])
      proxy.cut()
      expect((await testEvent.scan(point, 'ada')).access_status).toBe(0)
      let isBack = false
      proxy.watch(() => (isBack = true))
      proxy.mend()
      await expect.poll(() => isBack).toBe(true)
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      await testEvent.change(`guest_category_accesspoints/${link}.json`, { max_allowed_accesses: 1 })
      for (let n = 0; n < 5; n++) expect((await testEvent.scan(point, 'ada')).access_status).toBe(3)
    } finally {
      await stop()
      await proxy.close()
      redis.disconnect()
    }
  })
})
