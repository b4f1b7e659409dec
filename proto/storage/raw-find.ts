import type { Collection, Document, Filter } from 'mongodb'

/** What of a collection is read, and in which order. */
export interface FindOptions {
  /** Fields that are left out, or that alone are wanted; all for an empty one. */
  projection: Record<string, 0 | 1>
  sort?: Record<string, 1 | -1>
  limit: number
  skip?: number
  /** The name of an index. */
  hint?: string
}

/** Stores end an answer at 16 MB, and no document is as large as half of that. */
const SAFE_ANSWER_BYTES = 8_000_000

/**
 * Finds documents and gives each as it is stored. By a command of its own, whose answer holds them all: the driver's cursors make a table
 * of the fields of each document that they pass on, decoded or not, which takes longer than writing a page; and for want of a word they
 * get a hundred first and have to ask for the rest.
 */
export async function findRaw<T extends Document>(
  collection: Collection<T>,
  filter: Filter<T>,
  options: FindOptions,
): Promise<Uint8Array[]> {
  const { limit } = options
  const { cursor } = await collection.db.command(
    { find: collection.collectionName, filter, ...options, batchSize: limit + 1, singleBatch: true },
    { fieldsAsRaw: { firstBatch: true } },
  )
  const documents = cursor.firstBatch as Uint8Array[]
  const isWhole = documents.length === limit || sizeOf(documents) < SAFE_ANSWER_BYTES
  return isWhole ? documents : ((await collection.find(filter, { ...options, raw: true }).toArray()) as never)
}

function sizeOf(documents: Uint8Array[]): number {
  return documents.reduce((sum, { length }) => sum + length, 0)
}
