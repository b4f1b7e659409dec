import { createHash } from 'node:crypto'
import type { Collection, Document, Filter } from 'mongodb'
import { fieldOf, StoredList } from './raw-documents.ts'
import { type FindOptions, findRaw } from './raw-find.ts'
import type { CacheEntries } from './scoped-cache.ts'

/** Which page of which size. */
export interface PageQuery {
  page: number
  per_page: number
}

/** A total order: its last field is unique. */
export type Order = Record<string, 1 | -1>

/** What a page takes besides where it is. */
interface PageOptions<T extends Document> {
  /** Fields that are left in the store; none that the order names. */
  hidden?: readonly string[]
  /** Where pages ended is noted here, so that whoever asks for one page after the other does not pay for those before. */
  cacheEntries?: CacheEntries
  /** The index that finds what is filtered, by name, rather than one that the store takes to be better. */
  index?: string
  /** Where that index does not give the order: the longer list that the filter is a part of, and the index that gives its order. */
  whole?: { filter: Filter<T>; index: string }
  /** A place before the page, and how many documents are between them, where somebody knows. Asked for when nothing is noted. */
  start?: (skip: number) => Promise<PageStart | undefined>
}

/** A place in a list, and how many documents there are from behind it to what is wanted. */
export interface PageStart {
  position: Document
  skip: number
}

/** As {@link storedPage}, for who needs the documents themselves. */
export async function pageThrough<T extends Document & { _id: string }>(
  ...asked: Parameters<typeof storedPage<T>>
): Promise<T[]> {
  return (await storedPage(...asked)).decoded()
}

/**
 * One page of a collection, as it is stored. Behind a page that was noted it costs what the first page costs, behind a milestone
 * little more; otherwise it is found by its ids first, so that no document before it is read whole.
 */
export async function storedPage<T extends Document & { _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  order: Order,
  { page, per_page }: PageQuery,
  { hidden = [], cacheEntries, index, whole, start }: PageOptions<T> = {},
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

/** Where a document stands in an order. */
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

/** Of a list, documents that are looked at for what is wanted: where there is nothing among so few, an index is asked where it is. */
const FIRST_LOOK = 200
/** Where there is something, so many are looked at to tell how frequent it is. */
const LOOK = 1_000
/** Wanted ones among them that make it worth while to look further. */
const FREQUENT = LOOK / 50

/**
 * The first of a list that a filter lets through, where they are so frequent that looking at the list from its beginning finds them
 * soon: an index that finds all of them would have to put them in order. Undefined where they are not.
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
  // Twice as far as it should take.
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
  // By the ids alone: with the filter as well, or an order, a planner may take the filter's index and walk all of it.
  const wanted = { _id: { $in: ids.map(({ _id }) => _id) } } as Filter<T>
  const found = await findRaw(collection, wanted, { projection, limit: ids.length })
  const byId = new Map(found.map((document) => [fieldOf(document, '_id'), document]))
  return ids.flatMap(({ _id }) => byId.get(_id) ?? [])
}

/** The filter of what comes after a document in an order: the first field is bounded by itself, so that an index can begin there. */
export function after(order: Order, end: Document): Document {
  const [[name, direction], ...rest] = Object.entries(order) as [[string, 1 | -1], ...[string, 1 | -1][]]
  const beyond = direction === 1 ? '$gt' : '$lt'
  if (rest.length === 0) return { [name]: { [beyond]: end[name] } }
  return {
    [name]: { [`${beyond}e`]: end[name] },
    $or: [{ [name]: { [beyond]: end[name] } }, after(Object.fromEntries(rest), end)],
  }
}
