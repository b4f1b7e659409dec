import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { insertOnce } from '@gatehouse/proto/storage/mongo.ts'
import type { Collection, Db } from 'mongodb'
import { SEARCH_RULE } from './search.ts'
import { derived, type StoredGuest } from './stored-guest.ts'

/** How far the words of stored guests are renewed. */
export interface Migration {
  _id: string
  /** What the words are made by. */
  rule: string
  /** The passes over all guests which are completed. */
  passes: number
  /** The last guest of the current pass whose words are renewed; empty before the first. */
  last_id: string
  /** The earliest begin of the current pass. */
  due_at: Date
}

interface BackfillOptions {
  db: Db
  log: Log
  /** Guests which are read and written together. */
  batchSize?: number
  /** The pause before the second pass, in ms. */
  secondPassMs?: number
}

const ID = 'guests.search_words'
/** The second pass is for guests whom processes of the previous version have stored meanwhile, while replicas were rolled one by one. */
const PASSES = 2
const SECOND_PASS_MS = 10 * 60_000
const BATCH_SIZE = 200
/** After a batch the backfill rests for this multiple of the time which it took: requests come first. */
const REST = 3
const MIN_REST_MS = 20
const RETRY_MS = 10_000
/** How long the end of a process waits for a batch: the next process repeats it. */
const STOP_TIMEOUT_MS = 500

/**
 * Renews the search words of stored guests in the background, when the searched fields or the folding of words have changed. Each batch is
 * noted, so that any process can go on after it; several at once only do the same twice.
 */
export class SearchBackfill {
  readonly #guests: Collection<StoredGuest>
  readonly #migrations: Collection<Migration>
  readonly #log: Log
  readonly #batchSize: number
  readonly #secondPassMs: number
  readonly #ended = new AbortController()
  #work: Promise<void> = Promise.resolve()

  constructor({ db, log, batchSize = BATCH_SIZE, secondPassMs = SECOND_PASS_MS }: BackfillOptions) {
    this.#guests = db.collection('guests')
    this.#migrations = db.collection('migrations')
    this.#log = log
    this.#batchSize = batchSize
    this.#secondPassMs = secondPassMs
  }

  start(): void {
    this.#work = this.#untilDone()
  }

  /** Must end before the database is closed. */
  async stop(): Promise<void> {
    this.#ended.abort()
    await Promise.race([this.#work, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
  }

  async #untilDone(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      try {
        return await this.#run()
      } catch (error) {
        if (this.#ended.signal.aborted) return
        this.#log.warn({ err: error }, 'search words of stored guests are not renewed; this is tried again')
      }
      await this.#rest(RETRY_MS)
    }
  }

  async #run(): Promise<void> {
    let state = await this.#begin()
    while (state && state.passes < PASSES) {
      await this.#rest(state.due_at.getTime() - Date.now())
      if (this.#ended.signal.aborted) return
      state = await this.#pass(state)
    }
  }

  /** Where the work stands. It starts anew if it was done by another rule; in a new installation it is done. */
  async #begin(): Promise<Migration | null> {
    const anew = { rule: SEARCH_RULE, passes: 0, last_id: '', due_at: new Date() }
    const known = await this.#migrations.findOne({ _id: ID })
    if (!known) {
      const guest = await this.#guests.findOne({}, { projection: { _id: 1 } })
      await insertOnce(this.#migrations, { _id: ID, ...anew, passes: guest ? 0 : PASSES })
    } else if (known.rule !== SEARCH_RULE) {
      await this.#migrations.updateOne({ _id: ID, rule: known.rule }, { $set: anew })
    }
    return this.#state()
  }

  /** Null if a process of another version has taken over. */
  #state(): Promise<Migration | null> {
    return this.#migrations.findOne({ _id: ID, rule: SEARCH_RULE })
  }

  /** Does the rest of a pass, and gives where the work stands then. */
  async #pass(begin: Migration): Promise<Migration | null> {
    const pass = begin.passes + 1
    this.#log.info({ pass, resumed: begin.last_id !== '' }, 'search words of stored guests are being renewed')
    const counts = { read: 0, renewed: 0 }
    let state: Migration | null = begin
    while (state?.passes === begin.passes && !this.#ended.signal.aborted) {
      const begun = performance.now()
      const guests = await this.#after(state.last_id)
      counts.read += guests.length
      counts.renewed += await this.#renew(guests)
      state = await this.#note(state, guests)
      await this.#rest(Math.max(REST * (performance.now() - begun), MIN_REST_MS))
    }
    const interrupted = state?.passes === begin.passes
    this.#log.info({ pass, ...counts, interrupted }, 'search words of stored guests were renewed')
    return state
  }

  async #after(last_id: string): Promise<StoredGuest[]> {
    return this.#guests
      .find({ _id: { $gt: last_id } }, { hint: '_id_' })
      .sort({ _id: 1 })
      .limit(this.#batchSize)
      .project<StoredGuest>({ guest_metadata: 0, access_privileges: 0, message: 0 })
      .toArray()
  }

  /** Writes the words of those who lack some. A guest who has changed since gets them by that change. `updated_at` stays. */
  async #renew(guests: StoredGuest[]): Promise<number> {
    const writes = guests.flatMap((guest) => {
      const { _id, event_id, revision, search_words, sort_name } = guest
      const fields = derived(guest)
      if (isDeepStrictEqual(fields, { search_words, sort_name })) return []
      return [{ updateOne: { filter: { _id, event_id, revision }, update: { $set: fields } } }]
    })
    if (writes.length === 0) return 0
    return (await this.#guests.bulkWrite(writes, { ordered: false })).modifiedCount
  }

  /** Notes that a batch is done, and with a last batch the pass; gives where the work stands, since others may be further. */
  async #note({ passes }: Migration, guests: StoredGuest[]): Promise<Migration | null> {
    const next = { passes: passes + 1, last_id: '', due_at: new Date(Date.now() + this.#secondPassMs) }
    const noted = await this.#migrations.findOneAndUpdate(
      { _id: ID, rule: SEARCH_RULE, passes },
      guests.length < this.#batchSize ? { $set: next } : { $max: { last_id: guests.at(-1)?._id ?? '' } },
      { returnDocument: 'after' },
    )
    return noted ?? this.#state()
  }

  async #rest(ms: number): Promise<void> {
    const { signal } = this.#ended
    if (ms > 0) await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
  }
}
