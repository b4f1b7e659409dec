import type { FoundEntry } from '@gatehouse/proto/declaring/personal-data.ts'
import { heldList } from '@gatehouse/proto/storage/documents.ts'
import type { Erasure, ReportEntry, TextsEntry } from './resource.ts'
import type { StoredErasure } from './store.ts'

/** An erasure as it goes out, with its report. */
export function shown({
  _id,
  event_id,
  cause,
  everybody,
  state,
  passes,
  created_at,
  completed_at,
}: StoredErasure): Erasure {
  const found = heldList(passes).flatMap((pass) => Object.values(pass.found).flat())
  const [report, unsearched] = [reportOf(found), textsOf(found)]
  return { _id, event_id, cause, everybody, state, report, unsearched, created_at, completed_at }
}

/** One entry for each kind of data and outcome. What was kept is found by each pass, and counts once. */
function reportOf(found: FoundEntry[]): ReportEntry[] {
  const sums = new Map<string, ReportEntry>()
  for (const { outcome, fields: _, ...rest } of found) {
    if (outcome === 'unsearched') continue
    const entry = { ...rest, outcome }
    const key = `${entry.data} ${entry.outcome}`
    const sum = sums.get(key)
    const count = entry.outcome === 'kept' ? Math.max(sum?.count ?? 0, entry.count) : (sum?.count ?? 0) + entry.count
    sums.set(key, { ...entry, count })
  }
  return [...sums.values()]
}

/** One entry for each kind of data whose texts are not searched; each pass counts them again. */
function textsOf(found: FoundEntry[]): TextsEntry[] {
  const entries = new Map<string, TextsEntry>()
  for (const { data, outcome, fields = [], count } of found) {
    if (outcome === 'unsearched') entries.set(data, { data, fields, count })
  }
  return [...entries.values()]
}
