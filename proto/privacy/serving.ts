import type { Collection, Db, Document, Filter, UpdateFilter } from 'mongodb'
import { invalid } from '../declaring/faults.ts'
import { messageOf } from '../declaring/messages.ts'
import { LONGEST_MS, type PersonalDocuments, type personalDataOf, type Subject } from '../declaring/personal-data.ts'
import type { Handlers } from '../declaring/resource.ts'
import { DUPLICATE_KEY, writeErrorsOf } from '../storage/mongo.ts'
import { Blanking, type Stored } from './blanking.ts'
import { type FreeTexts, unsearched } from './free-texts.ts'

/** What a service does besides when documents of one kind are erased. */
export interface ErasureCallbacks<T extends Stored = Stored> {
  /** Wraps the change of some documents of an event. */
  changing?(event_id: string, documents: T[], change: () => Promise<void>, key: string): Promise<void>
  /** Follows the changes of one call, if there were any. */
  changed?(event_id: string): Promise<void>
  /** The fields that the others need. */
  reads?: readonly (keyof T & string)[]
  /** Further changes of a blanked document. */
  further?(document: T): Pick<UpdateFilter<Document>, '$set' | '$unset' | '$inc'>
  /** What else changes in a document whose new values a unique index refuses. */
  clash?(document: T): object
}

/** What a service holds of one kind, as handlers of personal data see it. */
export interface PersonalKind {
  readonly declared: Pick<PersonalDocuments, 'name' | 'outcome' | 'reason'>
  /** How many an erasure would find. */
  count(subject: Subject): Promise<number>
  /** Erases until a time; false if more may be left. */
  erase(subject: Subject, key: string, until: number): Promise<boolean>
  /** A page of an export, from a place on, and where the next one begins. */
  page(subject: Subject, place: string | undefined): Promise<{ items: unknown[]; next: string | undefined }>
}

/** Documents that are changed together. */
const CHUNK = 500
/** Most documents of a page, and the characters of JSON beyond which it ends. */
const PAGE = { documents: 2_000, characters: 2 * 1024 * 1024 }
/** A call works for so long: its caller's deadline is twice as far away. */
const BUDGET_MS = LONGEST_MS / 2

/** Handlers that count, erase and export the personal data of a service, as its declarations say, in their order; and report its free texts. */
export function personalDataHandlers(
  db: Db,
  declared: readonly (PersonalDocuments | PersonalKind)[],
  // biome-ignore lint/suspicious/noExplicitAny: each is about documents of its own kind
  erasures: Record<string, ErasureCallbacks<any>> = {},
  freeTexts: readonly FreeTexts[] = [],
) {
  const kinds: PersonalKind[] = declared.map((each) =>
    'collection' in each ? new PersonalCollection(db, each, erasures[each.name]) : each,
  )

  return {
    async find({ body }) {
      const found = await Promise.all(kinds.map(async (kind) => ({ kind, count: await kind.count(body) })))
      const entries = found.flatMap(({ kind: { declared }, count }) =>
        count > 0 ? [{ data: declared.name, outcome: declared.outcome, count, reason: declared.reason ?? null }] : [],
      )
      return [...entries, ...(await unsearched(db, freeTexts, body))]
    },

    async erase({ body: { key, ...subject } }) {
      const until = Date.now() + BUDGET_MS
      for (const kind of kinds) if (!(await kind.erase(subject, key, until))) return { is_done: false }
      return { is_done: true }
    },

    async export({ body: { after, ...subject } }) {
      const [name = kinds[0]?.declared.name, place] = after ? after.split(' ') : []
      const index = kinds.findIndex(({ declared }) => declared.name === name)
      const kind = kinds[index]
      if (!kind) throw invalid({ after: [messageOf('invalid')] })
      const { items, next } = await kind.page(subject, place)
      const following = kinds[index + 1]
      return {
        data: kind.declared.name,
        items: JSON.stringify(items),
        next: next ? `${name} ${next}` : (following?.declared.name ?? null),
      }
    },
  } satisfies Handlers<ReturnType<typeof personalDataOf>>
}

/** Documents of one kind. */
class PersonalCollection implements PersonalKind {
  readonly declared: PersonalDocuments
  readonly #documents: Collection<Stored>
  readonly #blanking: Blanking
  readonly #erasure: ErasureCallbacks

  constructor(db: Db, declared: PersonalDocuments, erasure: ErasureCallbacks = {}) {
    this.declared = declared
    this.#documents = db.collection(declared.collection)
    this.#blanking = new Blanking(declared)
    this.#erasure = erasure
  }

  async count(subject: Subject): Promise<number> {
    const filter = this.#blanking.unerased(subject)
    return filter ? this.#documents.countDocuments(filter) : 0
  }

  /** Erases until a time; false if more may be left. */
  async erase(subject: Subject, key: string, until: number): Promise<boolean> {
    const { isDone, count } = await this.#erase(subject, key, until)
    if (count > 0) await this.#erasure.changed?.(subject.event_id)
    return isDone
  }

  async #erase(subject: Subject, key: string, until: number): Promise<{ isDone: boolean; count: number }> {
    const filter = this.#blanking.unerased(subject)
    if (!filter || this.declared.outcome === 'kept') return { isDone: true, count: 0 }
    const read = Object.fromEntries((this.#erasure.reads ?? []).map((name) => [name, 1 as const]))
    const projection = { _id: 1, ...this.#blanking.projection, ...read }
    const cursor = this.#documents.find(filter, { projection, batchSize: CHUNK }).sort(this.declared.order)
    let chunk: Stored[] = []
    let count = 0
    for await (const document of cursor) {
      count++
      chunk.push(document)
      if (chunk.length < CHUNK) continue
      await this.#change(subject, chunk, key)
      if (Date.now() > until) return { isDone: false, count }
      chunk = []
    }
    if (chunk.length > 0) await this.#change(subject, chunk, key)
    return { isDone: true, count }
  }

  async #change(subject: Subject, documents: Stored[], key: string): Promise<void> {
    const within = this.#blanking.within(subject)
    const ids = documents.map(({ _id }) => _id)
    const change = async () => {
      if (this.declared.outcome === 'blanked') await this.#blank(within, documents, key)
      else await this.#documents.deleteMany({ ...within, _id: { $in: ids } })
    }
    const { changing } = this.#erasure
    await (changing ? changing(subject.event_id, documents, change, key) : change())
  }

  async #blank(within: Filter<Stored>, documents: Stored[], key: string): Promise<void> {
    try {
      await this.#write(within, documents, key, () => ({}))
    } catch (error) {
      const { clash } = this.#erasure
      const errors = writeErrorsOf(error)
      if (!clash || errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error
      const refused = errors.map(({ index }) => documents[index] as Stored)
      await this.#write(within, refused, key, clash)
    }
  }

  /** Blanks documents, with `more` changes of each. */
  async #write(
    within: Filter<Stored>,
    documents: Stored[],
    key: string,
    more: (document: Stored) => object,
  ): Promise<void> {
    const writes = documents.map((document) => {
      const further: UpdateFilter<Document> = this.#erasure.further?.(document) ?? {}
      const { $set, $unset } = this.#blanking.changeOf(document, key)
      const update = {
        ...further,
        $set: { ...$set, ...further.$set, ...more(document) },
        ...(($unset ?? further.$unset) && { $unset: { ...$unset, ...further.$unset } }),
      } as UpdateFilter<Stored>
      return { updateOne: { filter: { ...within, _id: document._id } as Filter<Stored>, update } }
    })
    await this.#documents.bulkWrite(writes, { ordered: false })
  }

  /**
   * A page of the documents, and where the next one begins. A place is the value of the first field of the order, and how many documents with
   * it came before: many may have the same.
   */
  async page(subject: Subject, place: string | undefined): Promise<{ items: unknown[]; next: string | undefined }> {
    const filter = this.#blanking.filterOf(subject)
    if (!filter) return { items: [], next: undefined }
    const { order, fields } = this.declared
    const [first = '_id'] = Object.keys(order)
    const from = place === undefined ? undefined : placeOf(place)
    const onwards = from ? { [first]: { [order[first] === 1 ? '$gte' : '$lte']: from.value } } : {}
    const projection = {
      ...Object.fromEntries(Object.keys(fields).map((name) => [name, 1 as const])),
      [first]: 1 as const,
    }
    const cursor = this.#documents
      .find({ ...filter, ...onwards } as Filter<Stored>, { projection, batchSize: 100 })
      .sort(order)
      .skip(from?.count ?? 0)
    const items: unknown[] = []
    let [value, count, characters] = [from?.value, from?.count ?? 0, 0]
    for await (const document of cursor) {
      if (items.length === PAGE.documents || characters > PAGE.characters) return { items, next: textOf(value, count) }
      const shown = Object.fromEntries(Object.keys(fields).map((name) => [name, document[name] ?? null]))
      items.push(shown)
      characters += JSON.stringify(shown).length
      count = isSame(document[first], value) ? count + 1 : 1
      value = document[first]
    }
    return { items, next: undefined }
  }
}

type FieldValue = string | Date | undefined

function isSame(one: FieldValue, other: FieldValue): boolean {
  return one?.valueOf() === other?.valueOf()
}

function textOf(value: FieldValue, count: number): string {
  const text = JSON.stringify([value instanceof Date ? value.getTime() : value, count])
  return Buffer.from(text).toString('base64url')
}

function placeOf(text: string): { value: FieldValue; count: number } {
  try {
    const [value, count] = JSON.parse(Buffer.from(text, 'base64url').toString())
    const isPlace = ['number', 'string'].includes(typeof value) && Number.isInteger(count) && count >= 0
    if (isPlace) return { value: typeof value === 'number' ? new Date(value) : value, count }
  } catch {
    // It is refused below.
  }
  throw invalid({ after: [messageOf('invalid')] })
}
