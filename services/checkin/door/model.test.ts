// @module-tag slow
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import {
  assertDoorMatchesModel,
  changeSteps,
  type DoorModel,
  point,
  removalSteps,
  type Step,
  scanSteps,
  uid,
} from '@gatehouse/test/oracle/door-model.ts'
import { HttpWorld } from '@gatehouse/test/oracle/http-world.ts'
import { record } from '@gatehouse/test/oracle/random-cases.ts'
import { assertWorldMatchesOracle } from '@gatehouse/test/oracle/random-vectors.ts'
import { rounds } from '@gatehouse/test/rounds.ts'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, inject, test } from 'vitest'

const RUNS = rounds(3, 60)

/** Changes to the ledger of which the door does not know. */
const harmSteps = [
  { weight: 1, arbitrary: record({ do: fc.constant('empty') }) },
  { weight: 3, arbitrary: record({ do: fc.constant('claim'), point, uid }) },
  { weight: 3, arbitrary: record({ do: fc.constant('lose'), point, uid }) },
]

/** Deletes the keys of a system in Redis, as a restart without its files does. */
async function emptyRedis(redis: Redis, namespace: string): Promise<void> {
  for await (const found of redis.scanStream({ match: `${namespace}:*`, count: 1_000 })) {
    if (found.length > 0) await redis.del(found)
  }
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
    const { point = 0, uid = '' } = step
    if (step.do === 'empty') await emptyRedis(redis, system.namespace)
    if (step.do === 'claim') await redis.sadd(model.ledgerKey(point), uid)
    if (step.do === 'lose') await redis.srem(model.ledgerKey(point), uid)
  }

  test('links, privileges, categories, guests, scans, batches and deletions in any order', () =>
    assertDoorMatchesModel(system, [...scanSteps, ...removalSteps, ...changeSteps], { runs: RUNS, length: 60 }))

  test('the same while the ledger is emptied, loses guests or has some who never came', () =>
    assertDoorMatchesModel(
      system,
      [...scanSteps, ...removalSteps, ...changeSteps, ...harmSteps],
      { runs: RUNS, length: 60 },
      harm,
    ))

  test('the same without deletions, so the ledger is asked until the end', () =>
    assertDoorMatchesModel(system, [...scanSteps, ...changeSteps, ...harmSteps], { runs: RUNS, length: 60 }, harm))

  test('days, exits, re-entry, parties, late scans and deletions in any order', () =>
    assertWorldMatchesOracle((vector) => HttpWorld.open(system, vector, false), { runs: RUNS }))

  test('the same with a device, which decides by its snapshots and sends its scans later in batches', () =>
    assertWorldMatchesOracle((vector) => HttpWorld.open(system, vector, false), {
      runs: RUNS,
      hasDevice: true,
      isOnePerBatch: true,
    }))
})
