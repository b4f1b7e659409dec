import { setTimeout as sleep } from 'node:timers/promises'
import type { FoundEntry } from '@gatehouse/proto/declaring/personal-data.ts'
import { type Handlers, required } from '@gatehouse/proto/declaring/resource.ts'
import { found, heldList } from '@gatehouse/proto/storage/documents.ts'
import type { Erasing } from './erasing.ts'
import type { People } from './people.ts'
import type { Erasure, erasures, ReportEntry, TextsEntry } from './resource.ts'
import type { ErasureStore, StoredErasure } from './store.ts'

/** How long an answer waits for the erasure, and how often it looks. */
const WAIT_MS = 10_000
const LOOK_EVERY_MS = 100

/** Handlers of erasures. */
export function erasureHandlers(store: ErasureStore, people: People, erasing: Erasing): Handlers<typeof erasures> {
  /** The erasure when it is done, or as it is after a while: other erasures of the event go first. */
  async function settled(erasure: StoredErasure): Promise<StoredErasure> {
    const until = Date.now() + WAIT_MS
    for (let current = erasure; ; ) {
      if (current.state === 'done' || Date.now() > until) return current
      await Promise.race([erasing.work(current), sleep(WAIT_MS, undefined, { ref: false })])
      current = found(await store.get(erasure.event_id, erasure._id))
      if (current.state !== 'done') await sleep(LOOK_EVERY_MS)
    }
  }

  return {
    list: async ({ params: { event_id }, query }) => (await store.page(event_id, query)).map(shown),

    read: async ({ params: { event_id, id } }) => shown(found(await store.get(event_id, id))),

    async create({ params: { event_id }, body: given, accept, caller, newId }) {
      const { account_id, event_id: bound_to } = required(caller)
      const asked = await accept(await people.errorsOf(event_id, given))
      const erasure = await store.insert({
        _id: newId(),
        account_id,
        with_account: bound_to === undefined,
        event_id,
        cause: 'request',
        everybody: asked.by === 'everybody',
        state: 'running',
        ...erasing.begin(asked),
        created_at: new Date(),
        completed_at: null,
      })
      return shown(await settled(erasure))
    },
  }
}

function shown({ _id, event_id, cause, everybody, state, passes, created_at, completed_at }: StoredErasure): Erasure {
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
