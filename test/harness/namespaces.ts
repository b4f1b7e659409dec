import { randomUUID } from 'node:crypto'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { managerOf } from '@gatehouse/proto/events/streams.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import { inject } from 'vitest'
import { serviceNames } from '../../services/services.ts'

/** Namespaces of this worker whose systems have stopped. */
const released: string[] = []

/** A namespace is not used again after this many deleted documents: its indexes still hold what is gone until PostgreSQL has cleaned them. */
const MANY_DOCUMENTS = 5_000

/**
 * A namespace in which nothing is stored. Making a system's collections and indexes costs CPU time, and afterwards every session of the
 * database reads its catalogs again. So a system that has stopped leaves them to the next system of the worker.
 */
export async function takeNamespace(): Promise<string> {
  const namespace = released.pop()
  if (namespace === undefined) return `test-${randomUUID().slice(0, 8)}`
  const [deleted] = await Promise.all([emptyDatabases(namespace), deleteKeys(namespace), deleteStreams(namespace)])
  return deleted < MANY_DOCUMENTS ? namespace : await takeNamespace()
}

/** Leaves a namespace, whose system has stopped, to the next. */
export function releaseNamespace(namespace: string): void {
  released.push(namespace)
}

/** Returns the number of documents that were there. */
async function emptyDatabases(namespace: string): Promise<number> {
  await using client = await new MongoClient(inject('mongodbUrl')).connect()
  const databases = serviceNames.map((name) => client.db(`${namespace}_${name}`))
  const collections = await Promise.all(databases.map((db) => db.collections()))
  const answers = await Promise.all(collections.flat().map((each) => each.deleteMany({})))
  return answers.reduce((sum, { deletedCount }) => sum + deletedCount, 0)
}

async function deleteKeys(namespace: string): Promise<void> {
  const redis = new Redis(inject('redisUrl'))
  try {
    for await (const keys of redis.scanStream({ match: `${namespace}:*`, count: 1_000 }))
      if (keys.length > 0) await redis.unlink(...keys)
  } finally {
    redis.disconnect()
  }
}

async function deleteStreams(namespace: string): Promise<void> {
  const bus = await connectBus({ servers: inject('natsUrl'), namespace, name: 'test', log: makeLog('test', 'silent') })
  try {
    const { streams } = await managerOf(bus)
    for await (const name of streams.names()) if (name.startsWith(`${namespace}_`)) await streams.delete(name)
  } finally {
    await bus.stop()
  }
}
