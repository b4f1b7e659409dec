import { createHash } from 'node:crypto'
import type { Collection, Document, Filter } from 'mongodb'
import { fieldOf, StoredList } from '../formats/raw-documents.ts'
import { type FindOptions, findRaw } from './raw-find.ts'
import type { CacheEntries } from './scoped-cache.ts'

/** A page by its number and size. */
export interface PageQuery {
  page: number
  per_page: number
}

/** A total order: its last field is unique. */
export type Order = Record<string, 1 | -1>

/** Options of a page. */
interface PagingOptions<T extends Document> {
  /** Fields that are not read; none of the order's. */
  hidden?: readonly string[]
  /** Caches the ends of pages, so that reading page after page does not cost more with each page. */
  cacheEntries?: CacheEntries
  /** The name of the index for the filter; otherwise the store chooses. */
  index?: string
  /** If that index does not give the order: the longer list that the filter selects from, and the index in its order. */
  whole?: { filter: Filter<T>; index: string }
  /** Finds a position before the page and its distance, if `cache` has none. */
  start?: (skip: number) => Promise<PageStart | undefined>
}

/** A position in a list, and how many documents follow it before the page. */
export interface PageStart {
  position: Document
  skip: number
}

/** As {@link storedPage}, but gives decoded documents. */
export async function pageThrough<T extends Document & { _id: string }>(
  ...asked: Parameters<typeof storedPage<T>>
): Promise<T[]> {
  return (await storedPage(...asked)).decoded()
}

/**
 * One page of a collection, as it is stored. After a cached page it costs as much as the first page, after a bookmark little more; otherwise its
 * ids are found first, so that no document before it is read whole.
 */
export async function storedPage<T extends Document & { _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  order: Order,
  { page, per_page }: PageQuery,
  { hidden = [], cacheEntries, index, whole, start }: PagingOptions<T> = {},
): Promise<StoredList<T>> {
  const list = createHash('sha256')
    .update(JSON.stringify([filter, order, per_page]))
    .digest('base64')
  const projection = Object.fromEntries(hidden.map((field) => [field, 0 as const]))
  const options = { projection, limit: per_page, ...(index && { hint: index }) }
  const documents = await read()
  const last = documents.at(-1)
  if (last) cacheEntries?.set(`page ${page} of ${list}`, positionOf(last, order))
  return new StoredList<T>(documents)

  async function read(): Promise<Uint8Array[]> {
    const end = cacheEntries?.get(`page ${page - 1} of ${list}`)
    const behind = (all: Filter<T>, position: Document | undefined) =>
      position ? ({ $and: [all, after(order, position)] } as Filter<T>) : all
    if (page === 1 || end) {
      const found =
        whole && (await findAmongIds(collection, behind(whole.filter, end), filter, order, whole.index, options))
      return found ?? firstOf(collection, behind(filter, end), order, options)
    }
    const skip = (page - 1) * per_page
    const known = await start?.(skip)
    if (known) return firstOf(collection, behind(filter, known.position), order, { ...options, skip: known.skip })
    return skipTo(collection, filter, order, { ...options, skip })
  }
}

/** The position of a document in an order. */
function positionOf(document: Uint8Array, order: Order): Document {
  return Object.fromEntries(Object.keys(order).map((name) => [name, fieldOf(document, name)]))
}

function firstOf<T extends Document>(
  collection: Collection<T>,
  filter: Filter<T>,
  order: Order,
  options: FindOptions,
): Promise<Uint8Array[]> {
  return findRaw(collection, filter, { ...options, sort: order })
}

/** Documents at the beginning of a list that are tried first; without a match among so few, the index of the filter is used. */
const FIRST_LOOK = 200
/** Documents that are read to estimate how frequent matches are. */
const LOOK = 1_000
/** The number of matches among them from which on it pays to read on. */
const FREQUENT = LOOK / 50

/**
 * The first matches of a filter, found by reading the list from its beginning if matches are frequent: the index of the filter would have to sort
 * all of them. Undefined if they are not frequent.
 */
async function findAmongIds<T extends Document>(
  collection: Collection<T>,
  list: Filter<T>,
  filter: Filter<T>,
  order: Order,
  hint: string,
  { projection, limit }: FindOptions,
): Promise<Uint8Array[] | undefined> {
  const among = (count: number): Promise<Uint8Array[]> =>
    collection
      .aggregate<Uint8Array>(
        [
          { $match: list },
          { $sort: order },
          { $limit: count },
          { $match: filter },
          { $limit: limit },
          ...(Object.keys(projection).length > 0 ? [{ $project: projection }] : []),
        ],
        { raw: true, batchSize: limit + 1, hint },
      )
      .toArray()
  const first = await among(FIRST_LOOK)
  if (first.length === limit) return first
  if (first.length === 0) return undefined
  const some = await among(LOOK)
  if (some.length === limit) return some
  if (some.length < FREQUENT) return undefined
  // Twice the estimate.
  const more = await among(Math.ceil((2 * LOOK * limit) / some.length))
  return more.length === limit ? more : undefined
}

async function skipTo<T extends Document & { _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  order: Order,
  { projection, ...options }: FindOptions,
): Promise<Uint8Array[]> {
  const whole = { ...options, batchSize: options.limit + 1 }
  const ids = await collection.find(filter, whole).sort(order).project({ _id: 1 }).toArray()
  if (ids.length === 0) return []
  // Only by ids: with the filter or an order a planner may choose the filter's index and scan all of it.
  const wanted = { _id: { $in: ids.map(({ _id }) => _id) } } as Filter<T>
  const found = await findRaw(collection, wanted, { projection, limit: ids.length })
  const byId = new Map(found.map((document) => [fieldOf(document, '_id'), document]))
  return ids.flatMap(({ _id }) => byId.get(_id) ?? [])
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
