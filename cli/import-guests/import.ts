import { accesspoints } from '@gatehouse/checkin/resources'
import { guestCategories, guests } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { type Client, clientOf, createdId } from '@gatehouse/proto/calls.ts'
import type { Row } from '@gatehouse/proto/csv.ts'
import { Fault, fullSentences } from '@gatehouse/proto/faults.ts'
import type { Caller } from '@gatehouse/proto/resource.ts'
import type { Static } from 'typebox'
import { abreast } from '../abreast.ts'
import { ownerOf } from '../event-caller.ts'
import type { BadRow, Outcome, Plan, RowImport } from '../import/import-file.ts'
import { allPages } from '../pages.ts'
import { patiently } from '../patience.ts'
import { type Column, describeColumn, mapColumns } from './headers.ts'
import { References } from './references.ts'
import { type GuestRow, IMPORTER, keyOf, readRows } from './rows.ts'

/** Where the guests go, and what is asked for besides. */
export interface Destination {
  event: string
  /** The category, by name or id, of rows that name none. */
  category?: string | undefined
  createCategories?: boolean | undefined
}

/** Rows in work at once. */
const ABREAST = 64
/** How often one row may be imported and its guest deleted within the day for which the service remembers its answers. */
const MOST_LIVES = 10

/** Brings rows into one event. Rows that went in once never go in again, however often it runs. */
export class GuestImport implements RowImport<Column, GuestRow> {
  readonly missingKind = 'guest category'
  readonly columnsOf = mapColumns
  readonly describe = describeColumn
  readonly #destination: Destination
  readonly #caller: Caller
  readonly #guests: Client<typeof guests>
  readonly #categories: Client<typeof guestCategories>
  readonly #accesspoints: Client<typeof accesspoints>
  /** The guests that were there before: their ids, and which id has which uid. */
  readonly #known = new Set<string>()
  readonly #idOfUid = new Map<string, string>()

  private constructor(bus: Bus, destination: Destination, caller: Caller) {
    this.#destination = destination
    this.#caller = caller
    this.#guests = clientOf(bus, guests)
    this.#categories = clientOf(bus, guestCategories)
    this.#accesspoints = clientOf(bus, accesspoints)
  }

  /** Looks at the event and who is in it. Throws one sentence when there is no such event. */
  static async into(bus: Bus, destination: Destination): Promise<GuestImport> {
    const found = new GuestImport(bus, destination, await ownerOf(bus, destination.event, IMPORTER))
    for await (const guest of found.#list()) {
      found.#known.add(guest._id)
      found.#idOfUid.set(guest.uid, guest._id)
    }
    return found
  }

  /** Judges rows without writing anything. */
  async plan(rows: Row[], columns: Column[]): Promise<Plan<GuestRow>> {
    const references = await this.#references()
    const { good, bad } = readRows(rows, columns, references)
    const plan: Plan<GuestRow> = { fresh: [], alreadyThere: [], bad, missing: [...references.missing.values()] }
    for (const row of good) {
      const ids = Array.from({ length: MOST_LIVES }, (_, life) => this.#idOf(row, life))
      const { uid } = row.body
      if (ids.some((id) => this.#known.has(id))) plan.alreadyThere.push(row)
      else if (uid && this.#idOfUid.has(uid)) bad.push({ row: row.row, problem: `Uid ${uid} has already been taken` })
      else plan.fresh.push(row)
    }
    bad.sort((a, b) => a.row.line - b.row.line)
    return plan
  }

  /** Makes categories by name; plan again afterwards. */
  async createMissing(names: string[]): Promise<void> {
    for (const name of names) {
      const idempotency_key = `${this.#destination.event} ${name} ${crypto.randomUUID()}`
      await patiently(() =>
        this.#categories.create({ ...this.#where(), body: { name } as CategoryBody, idempotency_key }),
      )
    }
  }

  /**
   * Brings rows in, and makes sure at the end that each is there. `onDone` hears after each row how many are done. Throws when
   * the system does not answer for a minute; what went in stays.
   */
  async run(rows: GuestRow[], stop: AbortSignal, onDone: (done: number) => void): Promise<Outcome> {
    const outcome: Outcome = { imported: 0, bad: [], left: 0 }
    let pending = rows
    let done = 0
    for (let life = 0; pending.length > 0; life++) {
      const answered: { row: GuestRow; id: string; created_at: Date }[] = []
      const tried = await abreast(pending, ABREAST, stop, async (row) => {
        const result = await this.#create(row, life)
        if ('problem' in result) outcome.bad.push(result)
        else answered.push({ row, ...result })
        onDone(Math.min(++done, rows.length))
      })
      outcome.left = pending.length - tried
      const gone = stop.aborted ? new Set<string>() : await this.#missing(answered)
      outcome.imported += answered.length - gone.size
      pending = answered.filter(({ id }) => gone.has(id)).map(({ row }) => row)
      if (life + 1 < MOST_LIVES) continue
      outcome.bad.push(...pending.map(({ row }) => ({ row, problem: 'It was imported and deleted too often today' })))
      break
    }
    outcome.bad.sort((a, b) => a.row.line - b.row.line)
    return outcome
  }

  async #create(row: GuestRow, life: number): Promise<{ id: string; created_at: Date } | BadRow> {
    try {
      const guest = await patiently(() => this.#guests.create(this.#creation(row, life)))
      return { id: guest._id, created_at: guest.created_at }
    } catch (error) {
      if (!(error instanceof Fault) || !REFUSALS.has(error.code)) throw error
      return { row: row.row, problem: error.errors ? fullSentences(error.errors).join('; ') : error.message }
    }
  }

  /**
   * The ids that were answered but are not there: for a day the service gives the first answer to a key again, even when the
   * guest was deleted since.
   */
  async #missing(answered: { id: string; created_at: Date }[]): Promise<Set<string>> {
    const missing = new Set(answered.map(({ id }) => id))
    if (missing.size === 0) return missing
    const since = new Date(answered.reduce((least, { created_at }) => Math.min(least, created_at.getTime()), Infinity))
    for await (const guest of this.#list(since)) missing.delete(guest._id)
    // Somebody who deletes guests meanwhile shifts the pages: what was not seen is looked up.
    for (const id of missing) if (await this.#exists(id)) missing.delete(id)
    return missing
  }

  async #exists(id: string): Promise<boolean> {
    try {
      await patiently(() => this.#guests.read({ params: { ...this.#where().params, id }, caller: this.#caller }))
      return true
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') return false
      throw error
    }
  }

  #list(since?: Date): AsyncGenerator<{ _id: string; uid: string; created_at: Date }> {
    return allPages((page) => this.#guests.list({ ...this.#where(), query: { ...page, ...(since && { since }) } }))
  }

  async #references(): Promise<References> {
    const { category, createCategories } = this.#destination
    const [categories, points] = await Promise.all([
      patiently(() => this.#categories.list(this.#where())),
      patiently(() => this.#accesspoints.list(this.#where())),
    ])
    return new References(categories, points, { fallback: category, createMissing: createCategories })
  }

  #where() {
    return { params: { event_id: this.#destination.event }, caller: this.#caller }
  }

  #creation(row: GuestRow, life: number) {
    return { ...this.#where(), body: row.body, idempotency_key: keyOf(this.#destination.event, row, life) }
  }

  #idOf(row: GuestRow, life: number): string {
    return createdId(guests, 'create', this.#creation(row, life))
  }
}

/** The service fills in the rest. */
type CategoryBody = Static<typeof guestCategories.actions.create.body>

/** Answers that are about the row; after any other the import can not go on. */
const REFUSALS = new Set(['invalid', 'too_large', 'malformed'])
