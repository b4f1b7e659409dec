import { EVENT_PAGE, type Manifest, recordsOf } from './manifest.ts'
import type { Page } from './pages.ts'
import { checkArchive, contentsOf, type OpenArchive } from './reading.ts'

/** Where an archive goes. Each of these may be repeated. */
export interface ArchiveDestination {
  /** Stores the event, which nobody sees yet. */
  begin(manifest: Manifest, event: Page): Promise<void>
  put(manifest: Manifest, page: Page): Promise<void>
  /** Shows the event. */
  finish(manifest: Manifest): Promise<void>
}

/** What came of an import. */
export interface ArchiveImport {
  manifest: Manifest
  /** How many records the archive has. */
  records: number
  isStopped: boolean
}

/** The service whose records are stored first: badges deletes files that belong to no guest. */
const FIRST = 'guests.'

/** Imports an archive that is whole. `at` hears how many records are stored; run it again where it was stopped. */
export async function importArchive(
  open: OpenArchive,
  into: ArchiveDestination,
  at: (done: number, records: number) => void,
  stop: AbortSignal,
): Promise<ArchiveImport> {
  const { manifest, counts } = await checkArchive(open)
  const records = recordsOf(counts)
  let done = 0
  for (const isFirst of [true, false]) {
    for await (const each of contentsOf(open())) {
      if (!('page' in each) || each.page.collection.startsWith(FIRST) !== isFirst) continue
      const { page } = each
      if (stop.aborted && done > 0) return { manifest, records, isStopped: true }
      if (page.name === EVENT_PAGE) {
        await into.begin(manifest, page)
        if (stop.aborted) return { manifest, records, isStopped: true }
        continue
      }
      await into.put(manifest, page)
      done += page.count
      at(done, records)
    }
  }
  await into.finish(manifest)
  return { manifest, records, isStopped: false }
}
