import type { Db, Document } from 'mongodb'
import type { eventDataOf } from '../declaring/event-data.ts'
import { LONGEST_MS } from '../declaring/personal-data.ts'
import type { Handlers } from '../declaring/resource.ts'

/** Whose data is deleted. */
export interface DroppedEvent {
  account_id: string
  event_id: string
}

/** What a service holds of events. */
export interface EventData {
  /** The collections whose documents name their event, in the order in which they are emptied; with the index that finds them. */
  collections: readonly { name: string; by?: 'event' | 'account' }[]
  /** Deletes what is kept elsewhere, before the collections are emptied: it may need to read them. */
  before?(event: DroppedEvent): Promise<void>
  /** Makes others forget what was deleted. */
  after?(event: DroppedEvent): Promise<void>
}

/** Documents that are deleted at once. */
const CHUNK = 1_000
/** A call works for so long: its caller's deadline is twice as far away. */
const BUDGET_MS = LONGEST_MS / 2

/** Handlers that delete what a service holds of an event. */
export function eventDataHandlers(db: Db, { collections, before, after }: EventData) {
  return {
    async drop({ body: event }) {
      const until = Date.now() + BUDGET_MS
      await before?.(event)
      for (const { name, by = 'event' } of collections) {
        const { account_id, event_id } = event
        const filter = by === 'account' ? { account_id, event_id } : { event_id }
        if (!(await emptied(db, name, filter, until))) return { is_done: false }
      }
      await after?.(event)
      return { is_done: true }
    },
  } satisfies Handlers<ReturnType<typeof eventDataOf>>
}

/** Deletes documents in chunks, so that others get their turn; false if it is time to stop and more may be left. */
async function emptied(db: Db, name: string, filter: Document, until: number): Promise<boolean> {
  const collection = db.collection(name)
  for (;;) {
    const found = await collection
      .find(filter, { projection: { _id: 1 } })
      .limit(CHUNK)
      .toArray()
    if (found.length === 0) return true
    await collection.deleteMany({ ...filter, _id: { $in: found.map(({ _id }) => _id) } })
    if (Date.now() > until) return false
  }
}
