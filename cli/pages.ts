import { retried } from './retry.ts'

/** Records of a page: the maximum of the service. */
const PAGE = 500

/**
 * All records of a list, page by page. Without concurrent deletions none is missed or yielded twice: additions shift records to later pages, where
 * known `_id`s are skipped.
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
