import type { Collection, Document, Filter } from 'mongodb'
import { fieldOf, StoredList } from '../formats/raw-documents.ts'

/** A page by its number and size. */
export interface PageQuery {
  page: number
  per_page: number
}

/** A total order: its last field is unique. */
export type Order = Record<string, 1 | -1>

/** Options of a page. */
interface PagingOptions {
  /** Fields that are not read; none of the order's. */
  hidden?: readonly string[]
  /** The name of the index for the filter; otherwise the store chooses. */
  index?: string
}

/** Options of a find command. */
export interface FindOptions {
  /** Includes, computes or excludes fields; all fields for an empty one. */
  projection: Record<string, 0 | 1 | object>
  sort?: Order
  limit: number
  skip?: number
  /** The name of an index. */
  hint?: string
}

/** One page of a collection. */
export async function pageThrough<T extends Document & { _id: string }>(
  ...asked: Parameters<typeof storedPage<T>>
): Promise<T[]> {
  return (await storedPage(...asked)).decoded()
}

/** As {@link pageThrough}, for long lists: a page as it is stored. */
export async function storedPage<T extends Document & { _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  order: Order,
  { page, per_page }: PageQuery,
  { hidden = [], index }: PagingOptions = {},
): Promise<StoredList<T>> {
  const projection = Object.fromEntries(hidden.map((field) => [field, 0 as const]))
  const options = { projection, sort: order, limit: per_page, ...(index && { hint: index }) }
  const documents =
    page === 1
      ? await findRaw(collection, filter, options)
      : await findFarRaw(collection, filter, { ...options, skip: (page - 1) * per_page })
  return new StoredList<T>(documents)
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
  const size = documents.reduce((sum, { length }) => sum + length, 0)
  if (documents.length === limit || size < SAFE_ANSWER_BYTES) return documents
  return (await collection.find(filter, { ...options, raw: true }).toArray()) as never
}

/** As {@link findRaw}, for a page that is not the first: its ids are found first, so that no document before it is read whole. */
export async function findFarRaw<T extends Document & { _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  { projection, ...options }: FindOptions,
): Promise<Uint8Array[]> {
  const found = collection.find(filter, { ...options, batchSize: options.limit + 1 })
  const ids = (await found.project<{ _id: string }>({ _id: 1 }).toArray()).map(({ _id }) => _id)
  return findIdsRaw(collection, ids, projection)
}

/** The documents with these ids, in their order, as they are stored; those that are gone are left out. */
export async function findIdsRaw<T extends Document & { _id: string }>(
  collection: Collection<T>,
  ids: string[],
  projection: FindOptions['projection'],
): Promise<Uint8Array[]> {
  if (ids.length === 0) return []
  // Only by ids: with the filter or an order a planner may choose the filter's index and scan all of it.
  const wanted = { _id: { $in: ids } } as Filter<T>
  const documents = await findRaw(collection, wanted, { projection, limit: ids.length })
  const byId = new Map(documents.map((document) => [fieldOf(document, '_id'), document]))
  return ids.flatMap((_id) => byId.get(_id) ?? [])
}

/** The filter of documents after a position: the first field has a bound of its own, so that an index scan can begin there. */
export function after(order: Order, end: Document): Document {
  const [[name, direction], ...rest] = Object.entries(order) as [[string, 1 | -1], ...[string, 1 | -1][]]
  const beyond = direction === 1 ? '$gt' : '$lt'
  if (rest.length === 0) return { [name]: { [beyond]: end[name] } }
  return {
    [name]: { [`${beyond}e`]: end[name] },
    $or: [{ [name]: { [beyond]: end[name] } }, after(Object.fromEntries(rest), end)],
  }
}
