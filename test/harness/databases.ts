import { type Db, MongoClient } from 'mongodb'
import { afterAll, inject } from 'vitest'
import type { ServiceName } from '../../services/services.ts'
import type { System } from './system.ts'

let shared: MongoClient | undefined

/** The database of a service. Its connection is the worker's, which ends it. */
export function databaseOf({ namespace }: Pick<System, 'namespace'>, service: ServiceName): Db {
  shared ??= new MongoClient(inject('mongodbUrl'))
  return shared.db(`${namespace}_${service}`)
}

/** A database for the tests of a file or `describe`, which is dropped after them. Its client reports commands. */
export function ownDatabase(): { client: MongoClient; db: Db } {
  const client = new MongoClient(inject('mongodbUrl'), { monitorCommands: true })
  const db = client.db(`test-${crypto.randomUUID()}`)
  afterAll(async () => {
    await db.dropDatabase()
    await client.close()
  })
  return { client, db }
}
