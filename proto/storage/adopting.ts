import { isDeepStrictEqual } from 'node:util'
import type { Collection, Document, Filter } from 'mongodb'
import type { FieldErrors } from '../declaring/faults.ts'
import { messageOf } from '../declaring/messages.ts'
import { alsoWrong, isRejected, type Rejected } from '../declaring/resource.ts'
import { insertEachOnce } from './mongo.ts'

/** What became of a thing of another system, or why it cannot be stored. */
export type Adopted =
  | { outcome: 'stored' | 'same' | 'missing' }
  | { outcome: 'differs'; fields: string[] }
  | { errors: FieldErrors }

const TAKEN = [messageOf('taken')]

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

interface AdoptionRules<T> {
  /** Nothing is stored. */
  compares: boolean
  /** The field that is unique besides `_id`. */
  unique?: string
  /** What is stored beside what is given, and not compared. */
  aside?: (document: T) => object
}

/** Stores documents of another system, or only compares them. What is stored already stays. */
export async function adoptAll<T extends { _id: string }>(
  collection: Collection<T & Document>,
  documents: T[],
  { compares, unique, aside }: AdoptionRules<T>,
): Promise<Adopted[]> {
  if (documents.length === 0) return []
  if (compares) {
    const ids = documents.map(({ _id }) => _id)
    const found = await collection.find({ _id: { $in: ids } } as Filter<T & Document>).toArray()
    return compared(documents, found as unknown as T[])
  }
  const whole = documents.map((document) => ({ ...document, ...aside?.(document) }) as T & Document)
  const stored = await insertEachOnce(collection, whole)
  return documents.map((document, index) => {
    return stored[index] === whole[index] ? { outcome: 'stored' } : outcomeOf(document, stored[index], unique)
  })
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
