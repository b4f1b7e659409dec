import type { Db, Filter } from 'mongodb'
import type { eventDataOf } from '../declaring/event-data.ts'
import { invalid } from '../declaring/faults.ts'
import { messageOf } from '../declaring/messages.ts'
import { LONGEST_MS } from '../declaring/personal-data.ts'
import type { Handlers } from '../declaring/resource.ts'
import { type Archived, ArchivedCollection, type StoredDocument } from './event-archives.ts'

/** Whose data is meant. */
export interface EventOfAccount {
  account_id: string
  event_id: string
}

/** A collection whose documents name their event. Either an archive of an event has them, or it is said why not. */
export type EventCollection = {
  name: string
  /** The index that finds them. */
  by?: 'event' | 'account'
} & ({ archived: Archived; stays?: string } | { stays: string })

/** What a service holds of events. */
export interface EventData {
  /** In the order in which they are emptied. */
  collections: readonly EventCollection[]
  /** What else an archive lacks, as `stays` of a collection says it. */
  others?: readonly { name: string; stays: string }[]
  /** Deletes what is kept elsewhere, before the collections are emptied: it may need to read them. */
  before?(event: EventOfAccount): Promise<void>
  /** Makes others forget what was deleted. */
  after?(event: EventOfAccount): Promise<void>
  /** Makes others know what an archive has brought. */
  arrived?(event: EventOfAccount): Promise<void>
}

/** Documents that are deleted at once. */
const CHUNK = 1_000
/** A call works for so long: its caller's deadline is twice as far away. */
const BUDGET_MS = LONGEST_MS / 2

/** Handlers that delete what a service holds of an event, and that give it to archives and take it from them. */
export function eventDataHandlers(db: Db, { collections, others = [], before, after, arrived }: EventData) {
  const archives = new Map(
    collections.flatMap((each) =>
      'archived' in each
        ? [[each.name, { ...each, archive: new ArchivedCollection(db, each.name, each.archived) }]]
        : [],
    ),
  )
  const archiveOf = (name: string) => {
    const found = archives.get(name)
    if (!found) throw invalid({ collection: [messageOf('invalid')] })
    return found
  }

  return {
    async drop({ body: event }) {
      const until = Date.now() + BUDGET_MS
      await before?.(event)
      for (const each of collections)
        if (!(await emptied(db, each.name, filterOf(each, event), until))) return { is_done: false }
      await after?.(event)
      return { is_done: true }
    },

    async contents({ body: event }) {
      const held = collections.map(async (each) => {
        const archive = archives.get(each.name)?.archive
        const count = (await archive?.count(filterOf(each, event))) ?? 0
        return {
          name: each.name,
          holds: 'archived' in each ? each.archived.holds : null,
          stays: each.stays ?? null,
          count,
        }
      })
      return [...(await Promise.all(held)), ...others.map((each) => ({ ...each, holds: null, count: 0 }))]
    },

    async read({ body: { collection, after, takes_waiting, ...event } }) {
      const found = archiveOf(collection)
      return found.archive.page(filterOf(found, event), after, takes_waiting)
    },

    async put({ body: { collection, documents, ...event } }) {
      return archiveOf(collection).archive.put(event, documents)
    },

    async finish({ body: event }) {
      await arrived?.(event)
      return { is_done: true }
    },
  } satisfies Handlers<ReturnType<typeof eventDataOf>>
}

function filterOf({ by = 'event' }: EventCollection, { account_id, event_id }: EventOfAccount): Filter<StoredDocument> {
  return by === 'account' ? { account_id, event_id } : { event_id }
}

/** Deletes documents in chunks, so that others get their turn; false if it is time to stop and more may be left. */
async function emptied(db: Db, name: string, filter: Filter<StoredDocument>, until: number): Promise<boolean> {
  const collection = db.collection<StoredDocument>(name)
  for (;;) {
    const found = await collection
      .find(filter, { projection: { _id: 1 } })
      .limit(CHUNK)
      .toArray()
    if (found.length === 0) return true
    const some = { ...filter, _id: { $in: found.map(({ _id }) => _id) } } as Filter<StoredDocument>
    await collection.deleteMany(some)
    if (Date.now() > until) return false
  }
}
