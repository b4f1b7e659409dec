import { createHash } from 'node:crypto'
import type { Collection, Document, Filter, FindOptions } from 'mongodb'
import { integer } from './fields.ts'
import type { Notes } from './memory.ts'

/** The query of a paginated list: `page` from 1, `per_page` 1 to 500. */
export const pageQuery = pageOf(500)

/** The same with another page size where none is asked for. */
export function pageOf(size: number): { page: ReturnType<typeof integer>; per_page: ReturnType<typeof integer> } {
  return {
    page: integer({
      default: 1,
      minimum: 1,
      maximum: 1_000_000,
      description: 'From 1; past the end the list is empty',
    }),
    per_page: integer({ default: size, minimum: 1, maximum: 500 }),
  }
}

/** Which page of which size. */
export interface Page {
  page: number
  per_page: number
}

/** A total order: its last field is unique. */
export type Order = Record<string, 1 | -1>

/** What a page takes besides where it is. */
interface PageOptions {
  /** Fields that are left in the store; none that the order names. */
  hidden?: readonly string[]
  /** Where pages ended is noted here, so that whoever asks for one page after the other does not pay for those before. */
  notes?: Notes
}

/**
 * One page of a collection. Behind a page that was noted it costs what the first page costs; otherwise it is found by its ids
 * first, in the index alone, so that no document before it is read.
 */
export async function pageThrough<T extends Document & { _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  order: Order,
  { page, per_page }: Page,
  { hidden = [], notes }: PageOptions = {},
): Promise<T[]> {
  const list = createHash('sha256')
    .update(JSON.stringify([filter, order, per_page]))
    .digest('base64')
  const end = notes?.get(`page ${page - 1} of ${list}`)
  const options = { projection: Object.fromEntries(hidden.map((field) => [field, 0])) }
  const rest = end ? ({ $and: [filter, after(order, end)] } as Filter<T>) : filter
  const documents =
    page === 1 || end
      ? await firstOf(collection, rest, order, per_page, options)
      : await skipTo(collection, filter, order, { page, per_page }, options)

  const last = documents.at(-1)
  if (last) notes?.set(`page ${page} of ${list}`, placeOf(last, order))
  return documents
}

/** Where a document stands in an order. */
function placeOf(document: Document, order: Order): Document {
  return Object.fromEntries(Object.keys(order).map((name) => [name, document[name]]))
}

async function firstOf<T extends Document>(
  collection: Collection<T>,
  filter: Filter<T>,
  order: Order,
  count: number,
  options: FindOptions,
): Promise<T[]> {
  return (await collection.find(filter, options).sort(order).limit(count).toArray()) as unknown as T[]
}

async function skipTo<T extends Document & { _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  order: Order,
  { page, per_page }: Page,
  options: FindOptions,
): Promise<T[]> {
  const skip = (page - 1) * per_page
  const ids = await collection.find(filter).sort(order).skip(skip).limit(per_page).project({ _id: 1 }).toArray()
  if (ids.length === 0) return []
  // By the ids alone: with the filter as well, or an order, a planner may take the filter's index and walk all of it.
  const wanted = { _id: { $in: ids.map(({ _id }) => _id) } } as Filter<T>
  const found = (await collection.find(wanted, options).toArray()) as unknown as T[]
  const byId = new Map(found.map((document) => [document._id, document]))
  return ids.flatMap(({ _id }) => byId.get(_id) ?? [])
}

/** What comes after a document in an order: the first field is bounded by itself, so that an index can begin there. */
function after(order: Order, end: Document): Document {
  const [[name, direction], ...rest] = Object.entries(order) as [[string, 1 | -1], ...[string, 1 | -1][]]
  const beyond = direction === 1 ? '$gt' : '$lt'
  if (rest.length === 0) return { [name]: { [beyond]: end[name] } }
  return {
    [name]: { [`${beyond}e`]: end[name] },
    $or: [{ [name]: { [beyond]: end[name] } }, after(Object.fromEntries(rest), end)],
  }
}
