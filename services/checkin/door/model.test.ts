import { changing, type DoorModel, holds, point, type Step, scanning, uid } from '@gatehouse/test/door-model.ts'
import { type System, startSystem } from '@gatehouse/test/system.ts'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, inject, test } from 'vitest'

/** What may happen to the ledger behind the door's back. */
const harming = [
  { weight: 1, arbitrary: fc.record({ do: fc.constant('empty') }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('claim'), point, uid, slots: fc.subarray([1, 2, 3, 4], { minLength: 1 }) }),
  },
]

const losing = { weight: 3, arbitrary: fc.record({ do: fc.constant('lose'), point, uid }) }

/** Forgets what Redis has of a system, as a restart without its files does: the epochs first. */
async function emptyRedis(redis: Redis, namespace: string): Promise<void> {
  const keys: string[] = []
  for await (const found of redis.scanStream({ match: `${namespace}:*`, count: 1_000 })) keys.push(...found)
  const epochs = keys.filter((key) => key.endsWith(':epoch'))
  if (epochs.length > 0) await redis.del(epochs)
  if (keys.length > 0) await redis.del(keys)
}

describe('the door against a model of the decision table', () => {
  let system: System
  const redis = new Redis(inject('redisUrl'))

  beforeAll(async () => {
    system = await startSystem({ checkins: 2 })
  })
  afterAll(async () => {
    await system?.stop()
    redis.disconnect()
  })

  async function harm(step: Step, model: DoorModel): Promise<void> {
    const { point = 0, uid = '', slots = [] } = step
    const key = model.slotsKey(point)
    if (step.do === 'empty') await emptyRedis(redis, system.namespace)
    if (step.do === 'claim') {
      const held = (await redis.hget(key, uid))?.split(',').map(Number) ?? []
      await redis.hset(key, uid, [...new Set([...held, ...slots])].join(','))
    }
    if (step.do === 'lose') await redis.hdel(key, uid)
  }

  test(
    'links, privileges, categories, guests, scans, batches and deletions in any order',
    () => holds(system, [...scanning, ...changing], { runs: 30, length: 60 }),
    180_000,
  )

  test(
    'the same with Redis emptied or with slots that nobody holds, at any moment',
    () => holds(system, [...scanning, ...changing, ...harming], { runs: 25, length: 60 }, harm),
    180_000,
  )

  // Redis forgets single fields only where it is told to evict, which nobody should. As long as limits stay, even that is no harm.
  test(
    'scans, batches and deletions with slots lost as well',
    () => holds(system, [...scanning, ...harming, losing], { runs: 25, length: 60 }, harm),
    180_000,
  )
})
