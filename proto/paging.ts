import type { Collection, Document, Filter, Sort } from 'mongodb'
import { integer } from './fields.ts'

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

/**
 * One page of a collection. A deep page is found by its ids first, in the index alone, so that no document before it is read.
 */
export async function pageThrough<T extends Document & { _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  sort: Sort,
  { page, per_page }: Page,
): Promise<T[]> {
  const skip = (page - 1) * per_page
  if (skip === 0) return (await collection.find(filter).sort(sort).limit(per_page).toArray()) as unknown as T[]
  const ids = await collection
    .find(filter)
    .sort(sort)
    .skip(skip)
    .limit(per_page)
    .project<{ _id: string }>({ _id: 1 })
    .toArray()
  if (ids.length === 0) return []
  const found = (await collection
    .find({ _id: { $in: ids.map(({ _id }) => _id) } } as Filter<T>)
    .toArray()) as unknown as T[]
  const byId = new Map(found.map((document) => [document._id, document]))
  return ids.flatMap(({ _id }) => byId.get(_id) ?? [])
}
