import { retried } from './retry.ts'

/** Records a page, the most that the service gives. */
const PAGE = 500

/**
 * All records of a list, page by page. Nothing is lost or given twice while nobody deletes: what is added meanwhile shifts
 * records to later pages, where they are known by their `_id` and skipped.
 */
export async function* allPages<T extends { _id: string }>(
  ask: (page: { page: number; per_page: number }) => Promise<T[]>,
): AsyncGenerator<T> {
  const seen = new Set<string>()
  for (let page = 1; ; page++) {
    const records = await retried(() => ask({ page, per_page: PAGE }))
    // The end of a list is an empty page.
    if (records.length === 0) return
    for (const record of records) {
      if (seen.has(record._id)) continue
      seen.add(record._id)
      yield record
    }
  }
}
