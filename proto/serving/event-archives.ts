import { BSON, type Collection, type Db, type Document, type Filter } from 'mongodb'
import type { Refusal } from '../declaring/event-data.ts'
import { invalid } from '../declaring/faults.ts'
import { messageOf } from '../declaring/messages.ts'
import { insertEachOnce } from '../storage/mongo.ts'

const { EJSON } = BSON

/** A document as it is stored. */
export type StoredDocument = Document & { _id: string; event_id?: string; account_id?: string }

/** What an archive of an event has of a collection. */
export interface Archived {
  /** What the documents are, in everyday English. */
  holds: string
  /** The order in which they are read: fields of an index after its scope, the last of which is unique. */
  order: Record<string, 1 | -1>
  /** The name of that index, where the planner might take another one. */
  index?: string
  /** Whether other work is about to change a document: an archive has none in such a state. */
  // biome-ignore lint/suspicious/noExplicitAny: each is about documents of its own kind
  isUnfinished?(document: any): boolean
  /**
   * How an unfinished document travels that only waits for its time, such as an e-mail to be sent, so that nothing happens by itself where it
   * arrives; undefined if it does not wait. An archive has it so when it has waited for long enough.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each is about documents of its own kind
  waiting?(document: any): object | undefined
  /** Fields that do not travel. */
  // biome-ignore lint/suspicious/noExplicitAny: each is about documents of its own kind
  omits?: readonly string[] | ((document: any) => readonly string[])
  /** What is stored in their place. */
  // biome-ignore lint/suspicious/noExplicitAny: each is about documents of its own kind
  completes?(document: any): object
  /** Fields that the end of an import changes: when it is repeated they are not compared. */
  settles?: readonly string[]
}

/** From which event to which account documents go. */
export interface ArchivedEvent {
  account_id: string
  from_account_id: string
  event_id: string
}

/** A page of an archive. */
interface ArchivePage {
  documents: string
  count: number
  next: string | null
  unfinished: string | null
}

/** A document that is not stored, and why. */
interface RefusedDocument {
  _id: string
  why: Refusal
}

/** A line as it is to be stored, or why it is not. */
type ReadLine = { document: StoredDocument; refused?: never } | { document?: never; refused: RefusedDocument }

/** Most documents of a page, and the characters beyond which it ends. */
const PAGE = { documents: 500, characters: 2 * 1024 * 1024 }
/** Refusals of one call that are told. */
const MAX_TOLD = 10

/** Documents of one collection on their way into archives and back. */
export class ArchivedCollection {
  readonly #documents: Collection<StoredDocument>
  readonly #archived: Archived

  constructor(db: Db, name: string, archived: Archived) {
    this.#documents = db.collection(name)
    this.#archived = archived
  }

  count(filter: Filter<StoredDocument>): Promise<number> {
    return this.#documents.countDocuments(filter)
  }

  /** The documents after a position, as many as a page holds. */
  async page(filter: Filter<StoredDocument>, after: string | null, takesWaiting = false): Promise<ArchivePage> {
    const { order, isUnfinished, waiting } = this.#archived
    const lines: string[] = []
    let characters = 0
    let last: StoredDocument | undefined
    const pageTo = (next: string | null): ArchivePage => {
      return { documents: lines.join('\n'), count: lines.length, next, unfinished: null }
    }
    for await (const document of this.#after(filter, after)) {
      if (last && (lines.length === PAGE.documents || characters > PAGE.characters)) return pageTo(placeOf(last, order))
      const asWaiting = takesWaiting ? (waiting?.(document) as StoredDocument | undefined) : undefined
      if (!asWaiting && isUnfinished?.(document))
        return { documents: '', count: 0, next: after, unfinished: document._id }
      const line = EJSON.stringify(this.#travelling(asWaiting ?? document), { relaxed: true })
      lines.push(line)
      characters += line.length
      last = document
    }
    return pageTo(null)
  }

  async *#after(filter: Filter<StoredDocument>, after: string | null): AsyncGenerator<StoredDocument> {
    const { order, index } = this.#archived
    const options = index === undefined ? {} : { hint: index }
    for (const onwards of after === null ? [{}] : following(order, EJSON.parse(after) as unknown[])) {
      yield* this.#documents.find({ ...filter, ...onwards } as Filter<StoredDocument>, options).sort(order)
    }
  }

  /** Stores documents, each a line. Returns those that are refused: if any is by its content, none is stored. */
  async put(event: ArchivedEvent, lines: string): Promise<{ stored: number; refused: RefusedDocument[] }> {
    const read = lines.split('\n').map((line) => this.#read(event, line))
    const refused = read.flatMap((each) => each.refused ?? [])
    if (refused.length > 0) return { stored: 0, refused: refused.slice(0, MAX_TOLD) }
    const documents = read.flatMap((each) => each.document ?? [])
    const stored = await insertEachOnce(this.#documents, documents)
    const different = documents.filter((document, index) => !this.#isSame(document, stored[index]))
    return {
      stored: documents.length - different.length,
      refused: different.slice(0, MAX_TOLD).map(({ _id }) => ({ _id, why: 'different' as const })),
    }
  }

  /** Reads a line as it is to be stored. */
  #read({ event_id, account_id, from_account_id }: ArchivedEvent, line: string): ReadLine {
    const document = parsed(line)
    if (!document) return { refused: { _id: '', why: 'unreadable' } }
    const { _id, account_id: owner } = document
    if (document.event_id !== event_id) return { refused: { _id, why: 'other_event' } }
    if (owner !== undefined && owner !== from_account_id) return { refused: { _id, why: 'other_account' } }
    const { isUnfinished, completes } = this.#archived
    if (isUnfinished?.(document)) return { refused: { _id, why: 'unfinished' } }
    const travelled = this.#travelling({ ...document, ...(owner !== undefined && { account_id }) })
    return { document: { ...travelled, ...completes?.(travelled) } }
  }

  /** A document without what does not travel. */
  #travelling(document: StoredDocument): StoredDocument {
    const { omits = [] } = this.#archived
    const omitted = typeof omits === 'function' ? omits(document) : omits
    return Object.fromEntries(Object.entries(document).filter(([name]) => !omitted.includes(name))) as StoredDocument
  }

  #isSame(one: StoredDocument, other: StoredDocument | undefined): boolean {
    if (one === other) return true
    return other !== undefined && exact(this.#compared(one)) === exact(this.#compared(other))
  }

  #compared(document: StoredDocument): StoredDocument {
    const { settles = [] } = this.#archived
    const compared = Object.entries(this.#travelling(document)).filter(([name]) => !settles.includes(name))
    return Object.fromEntries(compared) as StoredDocument
  }
}

/** With the `_id` first, as the store has it wherever it was. */
function exact({ _id, ...document }: StoredDocument): string {
  return EJSON.stringify({ _id, ...document }, { relaxed: false })
}

/** A line as a document; undefined if it is none. */
function parsed(line: string): StoredDocument | undefined {
  try {
    const document: unknown = EJSON.parse(line, { relaxed: true })
    const isDocument = typeof document === 'object' && document !== null && '_id' in document
    return isDocument && typeof document._id === 'string' ? (document as StoredDocument) : undefined
  } catch {
    return undefined
  }
}

/** The position of a document in an order. */
function placeOf(document: StoredDocument, order: Record<string, 1 | -1>): string {
  return EJSON.stringify(Object.keys(order).map((name) => document[name] ?? null))
}

/** The filters of what follows a position, one after the other: each says what begins as the position does, and goes on later. */
function* following(order: Record<string, 1 | -1>, values: unknown[]): Generator<Document> {
  const names = Object.keys(order)
  if (values.length !== names.length) throw invalid({ after: [messageOf('invalid')] })
  for (let length = names.length - 1; length >= 0; length--) {
    const name = names[length] as string
    const beyond = beyondOf(values[length], order[name] ?? 1)
    if (!beyond) continue
    yield { ...Object.fromEntries(names.slice(0, length).map((each, index) => [each, values[index]])), [name]: beyond }
  }
}

/** What comes after a value; undefined if nothing does. A document without the field comes before all others. */
function beyondOf(value: unknown, direction: 1 | -1): Document | undefined {
  if (value === null) return direction === 1 ? { $ne: null } : undefined
  return direction === 1 ? { $gt: value } : { $not: { $gte: value } }
}
