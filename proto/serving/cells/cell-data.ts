import { hash } from 'node:crypto'
import { BSON, type Collection, type Db, type Filter, MongoBulkWriteError } from 'mongodb'
import type { Bus } from '../../bus/bus.ts'
import { background } from '../../concurrency/background.ts'
import type { cellDataOf } from '../../declaring/cell-data.ts'
import { Fault, invalid } from '../../declaring/faults.ts'
import { messageOf } from '../../declaring/messages.ts'
import type { Handlers } from '../../declaring/resource.ts'
import { isDuplicate } from '../../storage/mongo.ts'
import type { StoredDocument } from '../event-archives.ts'
import type { EventCollection } from '../event-data.ts'
import type { Fence } from './fence.ts'

const { EJSON } = BSON

/** What a service holds of accounts. */
export interface CellData {
  /** Of their events. */
  events: readonly EventCollection[]
  /** Others, whose documents have the account's id as `account_id`, or as `_id`. */
  accounts?: Readonly<Record<string, 'account_id' | '_id'>>
  /** Collections of `events` that are made anew from others: they do not travel, and are deleted where the account comes from and goes to. */
  anew?: readonly string[]
  /**
   * Collections, or documents of them, that travel last, when the account is closed, as unfinished ones do: whoever finds them in a copy believes
   * that it is at home, or does what they have due a second time.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each is about documents of its own kind
  last?: Readonly<Record<string, true | ((document: any) => boolean)>>
  /** Tells others that an account has come or gone. */
  changed?(account_id: string): void
}

/** Whose data is meant. */
interface Whose {
  account_id: string
  event_ids: string[]
}

interface CellDataDependencies {
  db: Db
  bus: Bus
  fence: Fence
  data: CellData
  process: string
}

/** Handlers that give what a service holds of an account to another cell, and take it from one. */
export function cellDataHandlers({ db, bus, fence, data, process }: CellDataDependencies) {
  const names = [...new Set([...data.events.map(({ name }) => name), ...Object.keys(data.accounts ?? {})])]
  const filterOf = (name: string, { account_id, event_ids }: Whose): Filter<StoredDocument> => {
    const key = data.accounts?.[name]
    if (key) return { [key]: account_id } as Filter<StoredDocument>
    const by = data.events.find((each) => each.name === name)?.by
    return { ...(by === 'account' && { account_id }), event_id: { $in: event_ids } }
  }
  const partOf = (name: string, whose: Whose): AccountPart => {
    if (!names.includes(name)) throw invalid({ collection: [messageOf('invalid')] })
    return new AccountPart(db.collection(name), filterOf(name, whose))
  }

  let unended = 0

  return {
    async fence({ body: { account_id, event_ids, state, epoch, lease_ms, heir } }) {
      const before = fence.of(account_id)
      if (state === 'leaving' && epoch > before.epoch) fence.drain(account_id)
      const until = lease_ms === undefined ? undefined : new Date(Date.now() + lease_ms)
      await fence.set({ _id: account_id, event_ids, state, epoch, ...(until && { until }), ...(heir && { heir }) })
      const now = fence.of(account_id)
      if (now.epoch !== before.epoch) {
        unended++
        // This request is one of those that are to be answered.
        void Promise.all([bus.answered(), fence.isClosing && background.rest(fence)]).then(() => {
          unended--
          fence.drained(account_id)
        })
      }
      return { process, state: now.state, epoch: now.epoch, is_done: unended === 0 }
    },

    async where({ body: { account_id } }) {
      const { state, epoch } = fence.of(account_id)
      return { state, epoch }
    },

    async hashes({ body: whose }) {
      const isCopy = fence.isAway(whose.account_id)
      const isOpen = fence.stateOf(whose.account_id) === 'home'
      const listed = names.filter((name) => isCopy || !data.anew?.includes(name))
      const found = await Promise.all(
        listed.map(async (name) =>
          (await partOf(name, whose).hashes(isOpen ? travelsLast(data, name) : undefined)).map(
            ([_id, digest]) => `${name} ${digest} ${_id}`,
          ),
        ),
      )
      return { lines: found.flat().join('\n') }
    },

    async read({ body: { collection, ids, ...whose } }) {
      return { documents: (await partOf(collection, whose).read(ids)).map(lineOf).join('\n') }
    },

    async put({ body: { collection, ids, documents, ...whose } }) {
      // What is at home is not replaced, whatever a command thinks that it knows.
      if (fence.stateOf(whose.account_id) === 'home') throw new Fault('conflict', 'The account is at home here')
      const part = partOf(collection, whose)
      const removed = await part.remove(ids)
      const given = documents === '' ? [] : documents.split('\n').map((line) => EJSON.parse(line) as StoredDocument)
      return { removed, stored: await part.insert(given) }
    },
  } satisfies Handlers<ReturnType<typeof cellDataOf>>
}

/** Which documents of a collection travel last. */
function travelsLast({ events, last = {} }: CellData, name: string): (document: StoredDocument) => boolean {
  const own = last[name]
  const collection = events.find((each) => each.name === name)
  const archived = collection && 'archived' in collection ? collection.archived : undefined
  return (document) => own === true || own?.(document) === true || archived?.isUnfinished?.(document) === true
}

/** What a collection holds of an account. */
class AccountPart {
  readonly #documents: Collection<StoredDocument>
  readonly #filter: Filter<StoredDocument>

  constructor(documents: Collection<StoredDocument>, filter: Filter<StoredDocument>) {
    this.#documents = documents
    this.#filter = filter
  }

  /** The id and hash of each document that does not travel last. */
  async hashes(isLast = (_: StoredDocument): boolean => false): Promise<[_id: string, digest: string][]> {
    const found: [string, string][] = []
    for await (const document of this.#documents.find(this.#filter))
      if (!isLast(document)) found.push([document._id, hash('sha256', lineOf(document)).slice(0, 32)])
    return found
  }

  read(ids: string[]): Promise<StoredDocument[]> {
    return this.#documents.find(this.#only(ids)).toArray()
  }

  async remove(ids: string[]): Promise<number> {
    return ids.length === 0 ? 0 : (await this.#documents.deleteMany(this.#only(ids))).deletedCount
  }

  /** Stores documents that are not there; returns how many. */
  async insert(documents: StoredDocument[]): Promise<number> {
    if (documents.length === 0) return 0
    try {
      return (await this.#documents.insertMany(documents, { ordered: false })).insertedCount
    } catch (error) {
      // A unique value may be that of a document which is removed later.
      if (error instanceof MongoBulkWriteError && isDuplicate(error)) return error.insertedCount
      throw error
    }
  }

  /** Those with these ids, where an account has more than one. */
  #only(ids: string[]): Filter<StoredDocument> {
    return '_id' in this.#filter ? this.#filter : { ...this.#filter, _id: { $in: ids } }
  }
}

/** A document as it travels, with the `_id` first, as the store has it wherever it was. */
function lineOf({ _id, ...document }: StoredDocument): string {
  return EJSON.stringify({ _id, ...document }, { relaxed: false })
}
