import * as guestsService from '@gatehouse/guests/resources'
import type { ImportPlan, ImportResult, Missing, RowImport } from '@gatehouse/imports/row-import.ts'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type Client, clientOf, createdId } from '@gatehouse/proto/bus/client.ts'
import { fullSentences } from '@gatehouse/proto/declaring/faults.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import type { GuestColumn } from '@gatehouse/proto/formats/lists/guest-columns.ts'
import type { ListSource } from '@gatehouse/proto/formats/lists/list.ts'
import { References } from '@gatehouse/proto/formats/lists/references.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import type { Static } from 'typebox'
import { recordAct } from '../acts.ts'
import { ownerOf } from '../event-caller.ts'
import { accesspoints, guestCategories, guests } from '../permissions.ts'
import { retried } from '../retry.ts'
import { createGuests } from './guest-batches.ts'
import { describeColumn, guestColumns, mapColumns } from './headers.ts'
import { type GuestRow, IMPORTER, keyOf, RowReader } from './rows.ts'

/** The event of the guests, and further options. */
export interface GuestDestination {
  event: string
  /** The category, by name or id, of rows that name none. */
  category?: string | undefined
  createCategories?: boolean | undefined
  /** A row of a person whom an earlier row has is left out. */
  skipRepeated?: boolean | undefined
}

/** A row with the id of its guest. */
type IdentifiedRow = GuestRow & { _id: string }

interface ExistingGuests {
  ids: Set<string>
  uids: Set<string>
}

const NOBODY: ExistingGuests = { ids: new Set(), uids: new Set() }

/** Imports rows into one event. An imported row is never imported again, however often the import runs. */
export class GuestRowImport implements RowImport<GuestColumn, IdentifiedRow> {
  readonly makesMissing: boolean
  /** While the store writes one chunk, the next is read and checked. */
  readonly width = 3
  readonly isKnown = guestColumns.isKnown
  readonly describe = describeColumn
  readonly #destination: GuestDestination
  readonly #caller: Caller
  readonly #guests: Client<typeof guests>
  readonly #categories: Client<typeof guestCategories>
  readonly #accesspoints: Client<typeof accesspoints>

  /** Records the import in the audit log, once. */
  readonly #record: () => Promise<void>

  private constructor(bus: Bus, destination: GuestDestination, caller: Caller) {
    let recorded: Promise<void> | undefined
    this.#record = () => (recorded ??= recordAct(bus, caller, 'guests.guests.import', destination.event))
    this.makesMissing = destination.createCategories === true
    this.#destination = destination
    this.#caller = caller
    this.#guests = clientOf(bus, guests)
    this.#categories = clientOf(bus, guestCategories)
    this.#accesspoints = clientOf(bus, accesspoints)
  }

  /** Throws one sentence when there is no such event. */
  static async into(bus: Bus, destination: GuestDestination): Promise<GuestRowImport> {
    return new GuestRowImport(bus, destination, await ownerOf(bus, destination.event, IMPORTER))
  }

  async columnsOf(list: ListSource, overrides?: ReadonlyMap<string, string>): Promise<GuestColumn[]> {
    const { value: first } = await list.rows().next()
    return mapColumns(list, overrides, first ?? [])
  }

  /** Returns a function that plans the next chunk of a file; it writes nothing. */
  async planner(
    columns: GuestColumn[],
    form: ListForm,
  ): Promise<(rows: ListRow[]) => Promise<ImportPlan<IdentifiedRow>>> {
    const [references, isEmpty] = await Promise.all([this.#references(), this.#isEmpty()])
    const reader = new RowReader(columns, form, references)
    return async (rows) => {
      const { good, bad, warnings } = reader.read(rows)
      const plan: ImportPlan<IdentifiedRow> = {
        fresh: [],
        alreadyThere: [],
        bad,
        warnings,
        missing: missingCategories(references),
      }
      const identified = good.map((row) => ({ ...row, _id: this.#idOf(row) }))
      // The insert finds guests who are added in the meantime.
      const { ids, uids } = isEmpty ? NOBODY : await this.#known(identified)
      for (const row of identified) {
        const { uid } = row.body
        if (ids.has(row._id) || (row.isRepeated && this.#destination.skipRepeated)) plan.alreadyThere.push(row)
        else if (uid && uids.has(uid)) bad.push({ row: row.row, problem: `Uid ${uid} has already been taken` })
        else plan.fresh.push(row)
      }
      bad.sort((a, b) => a.row.line - b.row.line)
      return plan
    }
  }

  /** Creates categories by name; plan again afterwards. */
  async createMissing(missing: Missing[]): Promise<void> {
    for (const { name } of missing) {
      const idempotency_key = `${this.#destination.event} ${name} ${crypto.randomUUID()}`
      await retried(() =>
        this.#categories.create({ ...this.#where(), body: { name } as CategoryBody, idempotency_key }),
      )
    }
  }

  /** Imports rows; calls `onDone` for each. Throws when the system does not answer for a minute; imported rows stay. */
  async run(rows: IdentifiedRow[], stop: AbortSignal, onDone: () => void): Promise<ImportResult> {
    const outcome: ImportResult = { imported: 0, alreadyThere: 0, bad: [], left: rows.length }
    if (rows.length > 0) await this.#record()
    const { event } = this.#destination
    for await (const { guests, answers, tries } of createGuests(this.#guests, event, rows, stop)) {
      for (const [index, { row }] of guests.entries()) {
        const answer = answers[index] as (typeof answers)[number]
        if ('errors' in answer) outcome.bad.push({ row, problem: fullSentences(answer.errors).join('; ') })
        // A try without an answer may have stored it.
        else if (answer.created || tries > 1) outcome.imported++
        else outcome.alreadyThere++
        onDone()
      }
      outcome.left -= guests.length
    }
    return outcome
  }

  async #isEmpty(): Promise<boolean> {
    const query = { page: 1, per_page: 1 }
    return (await retried(() => this.#guests.list({ ...this.#where(), query }))).length === 0
  }

  /** Ids and uids of these rows that the event already has. */
  async #known(rows: IdentifiedRow[]): Promise<ExistingGuests> {
    const body = {
      event_id: this.#destination.event,
      ids: rows.map(({ _id }) => _id),
      uids: rows.flatMap((row) => row.body.uid ?? []),
    }
    const { ids, uids } = await retried(() => this.#guests.known({ body }))
    return { ids: new Set(ids), uids: new Set(uids) }
  }

  async #references(): Promise<References> {
    const { category, createCategories } = this.#destination
    const [categories, points] = await Promise.all([
      retried(() => this.#categories.list(this.#where())),
      retried(() => this.#accesspoints.list(this.#where())),
    ])
    return new References(categories, points, { fallback: category, createMissing: createCategories })
  }

  #where() {
    return { params: { event_id: this.#destination.event }, caller: this.#caller }
  }

  /** The id that the creation of this row alone, under its own key, would give. */
  #idOf(row: GuestRow): string {
    const idempotency_key = keyOf(this.#destination.event, row)
    return createdId(guestsService.guests, 'create', { ...this.#where(), body: row.body, idempotency_key })
  }
}

function missingCategories({ missing }: References): Missing[] {
  return Array.from(missing.values(), (name) => ({ kind: 'guest category', name }))
}

/** The service fills in the rest. */
type CategoryBody = Static<typeof guestCategories.actions.create.body>
