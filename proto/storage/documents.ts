import type {
  Collection,
  Document,
  Filter,
  FindOneAndDeleteOptions,
  FindOneAndUpdateOptions,
  UpdateFilter,
} from 'mongodb'
import { conflict, notFound } from '../declaring/faults.ts'
import { messageOf } from '../declaring/messages.ts'

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
export function laterThan(updated_at: Date): Date {
  return new Date(Math.max(Date.now(), updated_at.getTime() + 1))
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
