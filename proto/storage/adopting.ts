import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Collection, Document, Filter } from 'mongodb'
import { conflict, Fault, type FieldErrors } from '../declaring/faults.ts'
import { messageOf } from '../declaring/messages.ts'
import { alsoWrong, isRejected, type Rejected } from '../declaring/resource.ts'
import { changeOne } from './documents.ts'
import { insertEachOnce, isDuplicate, untilDecided } from './mongo.ts'

/** How another system gave a document last; stored with it, so that a later change can be told from one made here. */
export interface Adoption {
  digest: string
  updated_at: Date | null
}

/** What became of a thing of another system, or why it cannot be stored. */
export type Adopted =
  | { outcome: 'stored' | 'same' | 'missing' }
  | { outcome: 'updated' | 'differs'; fields: string[] }
  | { errors: FieldErrors }

const TAKEN = [messageOf('taken')]
/** How often a document is read again that others change at the same time. */
const TRIES = 20

/** Adopts the items of a batch that are right; the others keep their errors. */
export async function adoptEach<I extends object>(
  body: readonly (I | Rejected)[],
  adopt: (items: I[]) => Promise<Adopted[]>,
): Promise<Adopted[]> {
  const right = body.filter((item): item is I => !isRejected(item))
  const adopted = right.length > 0 ? await adopt(right) : []
  let next = 0
  return body.map((item) => (isRejected(item) ? alsoWrong(item, {}) : (adopted[next++] as Adopted)))
}

/** Whether a thing has changed here, as it had in the other system. */
export function isUpdated(adopted: Adopted | undefined): boolean {
  return adopted !== undefined && 'outcome' in adopted && adopted.outcome === 'updated'
}

interface AdoptionRules<T> {
  /** Nothing is stored. */
  compares: boolean
  /** The field that is unique besides `_id`. */
  unique?: string
  /** What is stored beside what is given, and not compared. */
  aside?: (document: T) => object
  /** Fields that change here without a new `updated_at`: they must be as they were read. */
  guards?: readonly string[]
  /** What is stored beside a change of these fields of a stored document. */
  beside?: (document: T, fields: string[], stored: Document) => object
}

/**
 * Stores documents of another system, or only compares them. One that is stored already takes over what has changed there since, unless it was
 * changed here.
 */
export async function adoptAll<T extends { _id: string }>(
  collection: Collection<T & Document>,
  documents: T[],
  rules: AdoptionRules<T>,
): Promise<Adopted[]> {
  if (documents.length === 0) return []
  if (rules.compares) {
    const ids = documents.map(({ _id }) => _id)
    const found = await collection.find({ _id: { $in: ids } } as Filter<T & Document>).toArray()
    return compared(documents, found as unknown as T[])
  }
  const whole = documents.map((document) => {
    return { ...document, ...rules.aside?.(document), adopted: adoptionOf(document) } as T & Document
  })
  const stored = await insertEachOnce(collection, whole)
  return Promise.all(
    documents.map((document, index): Adopted | Promise<Adopted> => {
      if (stored[index] === whole[index]) return { outcome: 'stored' }
      return follow(collection as unknown as Collection<Document>, document, stored[index] ?? null, rules)
    }),
  )
}

/** Takes over into a stored document what has changed in the other system alone. */
async function follow<T extends { _id: string }>(
  collection: Collection<Document>,
  document: T,
  first: Document | null,
  { unique, beside, guards = [] }: AdoptionRules<T>,
): Promise<Adopted> {
  const { _id, event_id, account_id } = document as Document
  const owner = event_id === undefined ? { account_id } : { event_id }
  const which = { _id, ...owner } as object as Filter<Document>
  let stored = first
  for (let tries = 0; tries < TRIES; tries++) {
    const outcome = outcomeOf(document, stored ?? undefined, unique)
    if (!stored || !('fields' in outcome) || !mayFollow(document, stored)) return outcome
    const { updated_at, adopted } = stored
    const guarded = Object.fromEntries(guards.map((name) => [name, stored?.[name] ?? null]))
    const set = { ...document, ...beside?.(document, outcome.fields, stored), adopted: adoptionOf(document) }
    try {
      const asRead = { ...which, ...guarded, updated_at, adopted }
      if (await untilDecided(() => changeOne(collection, asRead, { $set: set })))
        return { outcome: 'updated', fields: outcome.fields }
    } catch (error) {
      if (isDuplicate(error)) return { errors: { [unique ?? '_id']: TAKEN } }
      throw error
    }
    stored = await collection.findOne(which)
    if (!stored) return { outcome: 'missing' }
  }
  throw conflict(messageOf('too_many_changes', { thing: 'document' }))
}

/** What is stored with a document, as another system gives it. */
export function adoptionOf(document: object & { updated_at?: Date }): Adoption {
  return { digest: digestOf(document), updated_at: document.updated_at ?? null }
}

/** Whether a document has changed in the other system since it was given last, and was not changed here. */
export function mayFollow(document: object & { updated_at?: Date }, stored: Document): boolean {
  if (!stored.adopted) return false
  const isNews = !isDeepStrictEqual(adoptionOf(document), stored.adopted)
  return isNews && digestOf(document, stored) === stored.adopted.digest
}

/** Whether nobody has changed a document here since another system gave it: whoever does sets its `updated_at`. */
export function isUntouched({ adopted, updated_at }: Document): boolean {
  return adopted !== undefined && isDeepStrictEqual(adopted.updated_at ?? null, updated_at ?? null)
}

/** A digest of what a document says, or of what another one says in the same fields. What is null, or not there, is not in it. */
function digestOf(document: object, other: Document = document): string {
  const { _id, updated_at, ...fields } = document as Document
  return hash('sha256', namedText(Object.keys(fields), other), 'base64').slice(0, 22)
}

/** The JSON of these names of an object, in order. */
function namedText(names: string[], object: Document): string {
  const said = names.sort().flatMap((name) => {
    const value = object[name]
    return value === null || value === undefined ? [] : `${JSON.stringify(name)}:${canonicalText(value)}`
  })
  return `{${said.join(',')}}`
}

/** JSON with the names of objects in order. `JSON.stringify` with a replacer takes three times as long. */
function canonicalText(value: unknown): string {
  if (value === null || typeof value !== 'object' || value instanceof Date) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  return namedText(Object.keys(value), value)
}

/** Compares documents of another system with those that are stored. */
export function compared<T extends { _id: string }>(
  documents: T[],
  stored: (Partial<T> & { _id: string })[],
): Adopted[] {
  const byId = new Map(stored.map((each) => [each._id, each]))
  return documents.map((document) => {
    const found = byId.get(document._id)
    return found ? outcomeOf(document, found) : { outcome: 'missing' }
  })
}

/** What became of a document, of which `stored` has the `_id`; undefined: another one has its unique field. */
export function outcomeOf(document: object, stored: object | undefined, unique = '_id'): Adopted {
  if (!stored) return { errors: { [unique]: TAKEN } }
  if (ownerOf(stored) !== ownerOf(document)) return { errors: { _id: TAKEN } }
  const fields = Object.entries(document).flatMap(([name, value]) => {
    const other = (stored as Document)[name]
    return isDeepStrictEqual(other ?? null, value ?? null) ? [] : [name]
  })
  return fields.length === 0 ? { outcome: 'same' } : { outcome: 'differs', fields }
}

/** The event of a document, or the account of an event. */
function ownerOf({ event_id, account_id }: Document): unknown {
  return event_id ?? account_id
}

/** What became of a thing that is gone in the other system. */
export interface Disowned {
  outcome: 'deleted' | 'kept' | 'own' | 'missing'
}

/** The documents of an event with these ids, as they are stored. */
export async function storedWith<T extends { _id: string; event_id: string }>(
  collection: Collection<T>,
  event_id: string,
  ids: string[],
): Promise<T[]> {
  const which = { _id: { $in: ids }, event_id } as object as Filter<T>
  return (await collection.find(which, { hint: '_id_' }).toArray()) as unknown as T[]
}

/** Removes those of these ids that came from another system and were not changed here. `remove` says whether it did. */
export async function disownEach<T extends { _id: string; adopted?: Adoption | true }>(
  ids: string[],
  stored: T[],
  remove: (stored: T) => Promise<boolean>,
): Promise<Disowned[]> {
  const byId = new Map(stored.map((document) => [document._id, document]))
  return Promise.all(
    ids.map(async (_id): Promise<Disowned> => {
      const document = byId.get(_id)
      if (!document) return { outcome: 'missing' }
      if (!document.adopted) return { outcome: 'own' }
      const mayGo = document.adopted === true || isUntouched(document)
      return { outcome: mayGo && (await remove(document)) ? 'deleted' : 'kept' }
    }),
  )
}

/** Whether something was deleted; false if it stays since it is in use, which is a conflict. */
export async function unlessUsed(deleting: Promise<unknown>): Promise<boolean> {
  try {
    await deleting
    return true
  } catch (error) {
    if (error instanceof Fault && error.code === 'conflict') return false
    throw error
  }
}
