import type { Collection, Document, Filter } from 'mongodb'

/** Options of a find command. */
export interface FindOptions {
  /** Includes or excludes fields; all fields for an empty one. */
  projection: Record<string, 0 | 1>
  sort?: Record<string, 1 | -1>
  limit: number
  skip?: number
  /** The name of an index. */
  hint?: string
}

/** An answer has at most 16 MB, and every document less than half of that. */
const SAFE_ANSWER_BYTES = 8_000_000

/**
 * Finds documents and returns them as they are stored, by a plain command whose answer holds all of them. The driver's cursors build a table of the
 * fields of each document, decoded or not, which takes longer than writing a page; and they fetch a hundred documents first and the rest later.
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
