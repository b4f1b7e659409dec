import { isDeepStrictEqual } from 'node:util'
import {
  type Collection,
  type Document,
  type Filter,
  type FindOneAndDeleteOptions,
  type FindOneAndUpdateOptions,
  MongoBulkWriteError,
  type UpdateFilter,
} from 'mongodb'
import { conflict, notFound } from '../declaring/faults.ts'
import { messageOf } from '../declaring/messages.ts'
import { DUPLICATE_KEY, unlessTaken, WRITE_CONFLICT, writeErrorsOf } from './mongo.ts'

/** What stores and handlers of several services do with the documents of a collection. */

/** What a document of any of these collections has. */
interface Stamped extends Document {
  _id: string
  event_id?: string
  updated_at?: Date
}

/** A document that a query gave. Throws `not_found` if it gave none. */
export function found<T>(document: T | null | undefined): T {
  if (document === null || document === undefined) throw notFound()
  return document
}

/** A list that a document holds; empty where an earlier version stored none. */
export function heldList<T>(held: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(held) ? held : []
}

/** The times of a new document. */
export function newTimes(now = new Date()): { created_at: Date; updated_at: Date } {
  return { created_at: now, updated_at: now }
}

/** A new `updated_at`: later than the old one even within the same millisecond or on a machine whose clock is behind. */
export function laterThan(updated_at: Date, now = Date.now()): Date {
  return new Date(Math.max(now, updated_at.getTime() + 1))
}

/** Changes one document. Returns it as it is then, or null if the filter matches none. */
export function changeOne<T extends Document>(
  collection: Collection<T>,
  filter: Filter<T>,
  update: UpdateFilter<T> | Document[],
  options: FindOneAndUpdateOptions = {},
): Promise<T | null> {
  return collection.findOneAndUpdate(filter, update, { ...options, returnDocument: 'after' }) as Promise<T | null>
}

/** A document as it was read; each change of it counts up its `revision`. */
interface AsRead extends Document {
  _id: string
  event_id: string
  revision: number
}

/** A change of a document as it was read. */
export interface ChangeAsRead<T extends AsRead> {
  read: T
  set: Partial<T>
  unset?: { [N in keyof T]?: 1 }
  /** It has a statement of its own, since a unique index may refuse it. */
  isAlone?: boolean
}

/**
 * Changes documents as they were read, in one write, which has a statement for all that change in the same way. Returns each as it is then: null if it has changed since it was read or is gone, undefined
 * if a unique index refused the change.
 */
export async function changeEachAsRead<T extends AsRead>(
  collection: Collection<T>,
  changes: ChangeAsRead<T>[],
): Promise<(T | null | undefined)[]> {
  const [only, next] = changes
  if (only && !next) {
    const { _id, event_id, revision } = only.read
    return [await unlessTaken(changeOne(collection, { _id, event_id, revision } as Filter<T>, updateOf(only)))]
  }
  const alike = [...Map.groupBy(changes, alikeAs).values()]
  const statements = alike.map((group) => {
    const [first] = group as [ChangeAsRead<T>]
    const { event_id, revision } = first.read
    const filter = { _id: { $in: group.map(({ read }) => read._id) }, event_id, revision } as Filter<T>
    return { updateMany: { filter, update: updateOf(first) } }
  })
  const { matchedCount, refused } = await collection
    .bulkWrite(statements as Parameters<Collection<T>['bulkWrite']>[0], { ordered: false })
    .then(({ matchedCount }) => ({ matchedCount, refused: new Set<number>() }))
    .catch(refusedIn)
  const taken = new Set(alike.flatMap((group, index) => (refused.has(index) ? group : [])))
  const ids = changes.map(({ read }) => read._id)
  const found = await collection.find({ _id: { $in: ids } } as Filter<T>).toArray()
  const byId = new Map((found as unknown as T[]).map((document) => [document._id, document]))
  const areAll = matchedCount === changes.length
  return changes.map((change) => {
    if (taken.has(change)) return undefined
    const { read, set } = change
    const document = byId.get(read._id)
    if (!document || document.event_id !== read.event_id || document.revision <= read.revision) return null
    // Which of the changes were made is not said. It makes no difference whose it is that equals this one.
    const isMade = areAll || (document.revision === read.revision + 1 && holds(document, set))
    return isMade ? document : null
  })
}

function holds<T extends AsRead>(document: T, set: Partial<T>): boolean {
  return Object.entries(set).every(([name, value]) => value === undefined || isDeepStrictEqual(document[name], value))
}

function updateOf<T extends AsRead>({ set, unset }: ChangeAsRead<T>): UpdateFilter<T> {
  return { $set: set, ...(unset && { $unset: unset }), $inc: { revision: 1 } } as object as UpdateFilter<T>
}

/** The same text for changes that one statement makes. */
function alikeAs<T extends AsRead>({
  read: { _id, event_id, revision },
  set,
  unset,
  isAlone,
}: ChangeAsRead<T>): string {
  return JSON.stringify(isAlone ? [_id, revision] : [event_id, revision, set, unset])
}

/** What an unordered write did before it failed: the documents that it matched, and the statements that a unique index refused. Throws the error if that is unknown. */
function refusedIn(error: unknown): { matchedCount: number; refused: Set<number> } {
  const errors = writeErrorsOf(error)
  const areKnown = errors.every(({ code }) => code === DUPLICATE_KEY || code === WRITE_CONFLICT)
  if (!(error instanceof MongoBulkWriteError) || errors.length === 0 || !areKnown) throw error
  const duplicates = errors.filter(({ code }) => code === DUPLICATE_KEY)
  return { matchedCount: error.matchedCount, refused: new Set(duplicates.map(({ index }) => index)) }
}

/**
 * Deletes one document. Returns it, or null if the filter matches none. Looks again after null: DocumentDB deletes nothing, and says
 * that nothing matched, when another statement changes the document at the same moment.
 */
export async function deleteOne<T extends Document>(
  collection: Collection<T>,
  filter: Filter<T>,
  options: FindOneAndDeleteOptions = {},
): Promise<T | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    const deleted = (await collection.findOneAndDelete(filter, options)) as T | null
    if (deleted || !(await collection.findOne(filter, { projection: { _id: 1 } }))) return deleted
  }
  throw conflict(messageOf('too_many_changes', { thing: 'document' }))
}

/** Sets fields of one document, and its `updated_at`. Returns the changed document, or null if the filter matches none. */
export function setFields<T extends Stamped>(
  collection: Collection<T>,
  filter: Filter<T>,
  changes: Partial<T>,
  options: FindOneAndUpdateOptions = {},
): Promise<T | null> {
  const update = { $set: { ...changes, updated_at: new Date() } } as unknown as UpdateFilter<T>
  return changeOne(collection, filter, update, options)
}

/** Those of the `_id`s that documents of the event have. */
export async function knownIds<T extends Stamped>(
  collection: Collection<T>,
  filter: Filter<T> & { event_id: string },
  ids: string[],
): Promise<string[]> {
  const which = { ...filter, _id: { $in: ids } } as Filter<T>
  const documents = collection.find(which, { hint: '_id_' }).project<{ _id: string }>({ _id: 1 })
  return (await documents.toArray()).map(({ _id }) => _id)
}

/** How many changes of one document at once wait for each other. */
const TRIES = 200

/**
 * Repeats an attempt to change a document as it was read, while it gives null or undefined because another change came between. Throws
 * `conflict` after too many tries; `name` is what the document is called in the message.
 */
export async function untilUnchanged<T extends object>(
  name: string,
  attempt: () => Promise<T | null | undefined>,
): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    const changed = await attempt()
    if (changed) return changed
  }
  throw conflict(messageOf('too_many_changes', { thing: name }))
}
