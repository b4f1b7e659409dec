import type { System } from '@gatehouse/test/harness/system.ts'
import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import { inject } from 'vitest'
import { serviceNames } from '../../services.ts'

/** What tells of an event after it: the account's audit log, and answers that are repeated for a day. */
const KEPT = ['audit_records', 'audit_notes', 'idempotency_keys']

/** Where something of an event is left: collections and keys of Redis. */
export async function leftOf({ namespace }: Pick<System, 'namespace'>, id: string): Promise<string[]> {
  await using client = await new MongoClient(inject('mongodbUrl')).connect()
  const left: string[] = []
  for (const name of serviceNames) {
    const db = client.db(`${namespace}_${name}`)
    for (const collection of await db.collections()) {
      if (KEPT.includes(collection.collectionName)) continue
      for await (const document of collection.find())
        if (JSON.stringify(document).includes(id)) left.push(`${name}.${collection.collectionName}`)
    }
  }
  const redis = new Redis(inject('redisUrl'))
  // How long scans took names ids alone, and expires within minutes.
  for await (const keys of redis.scanStream({ match: `${namespace}:*${id}*`, count: 1_000 }))
    left.push(...keys.filter((key: string) => !key.includes(':scan_times:')))
  redis.disconnect()
  return [...new Set(left)]
}
