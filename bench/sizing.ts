import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { printMemory } from './report.ts'
import type { Stage } from './stage.ts'
import type { MemoryUse } from './usage.ts'

/** What a collection takes on disk. */
export interface StoredSize {
  collection: string
  documents: number
  /** MiB of the documents, and of their indexes. */
  data: number
  indexes: number
}

/** What a machine needs, and does, with events of some sizes in it. */
export interface Sizing {
  stored: StoredSize[]
  /** Check-ins over 64 connections without a break, at each size. */
  full: { guests: number; p50: number; p99: number; rate: number }[]
  /** At the end, by process. */
  memory: Record<string, MemoryUse>
}

const COLLECTIONS = [
  ['guests', 'guests'],
  ['checkin', 'access_controls'],
] as const
const MEBIBYTE = 1024 ** 2

/** Reads what guests and check-ins take on disk. */
export async function storedSizesOf({ stack, system }: Stage): Promise<StoredSize[]> {
  return Promise.all(
    COLLECTIONS.map(async ([service, collection]) => {
      const { db, close } = await openStore(stack.mongodbUrl, system.namespace, service)
      const { storageSize, totalIndexSize } = await db.command({ collStats: collection })
      const documents = await db.collection(collection).countDocuments()
      await close()
      return { collection, documents, data: storageSize / MEBIBYTE, indexes: totalIndexSize / MEBIBYTE }
    }),
  )
}

/** Prints what the numbers of `--growth` mean for the size of a machine. */
export function printSizing({ stored, full, memory }: Sizing): void {
  for (const { collection, documents, data, indexes } of stored) {
    const perMillion = (mebibytes: number): string => `${((mebibytes / documents) * 1_000_000).toFixed(0)} MiB`
    console.log(
      `${documents} documents of ${collection}; a million: ${perMillion(data)}, indexes ${perMillion(indexes)}`,
    )
  }
  for (const { guests, rate, p50, p99 } of full)
    console.log(
      `event of ${guests} guests, 64 connections: ${rate.toFixed(0)} check-ins/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    )
  printMemory(memory)
}
