import type {
  ImportableRow,
  ImportPlan,
  ImportResult,
  Missing,
  RowImport,
  UnimportableRow,
} from '@gatehouse/imports/row-import.ts'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import { forEachConcurrently } from '@gatehouse/proto/concurrency/for-each.ts'
import { Fault, fullSentences } from '@gatehouse/proto/declaring/faults.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import type { ListSource } from '@gatehouse/proto/formats/lists/list.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import {
  type ContactColumn,
  describeColumn,
  isKnownIn,
  type KnownField,
  mapColumns,
} from '@gatehouse/sso/contact-columns'
import { foldEmail } from '@gatehouse/sso/contact-email'
import { type ContactBody, RowReader } from '@gatehouse/sso/contact-rows'
import { callerOf } from '../account.ts'
import { makeFields } from '../contact.ts'
import { allPages } from '../pages.ts'
import { contactFields, contacts } from '../permissions.ts'
import { retried } from '../retry.ts'

/** A row that can be imported. */
type ContactRow = ImportableRow<ContactBody>

/** The account of the contacts, and further options. */
export interface ContactDestination {
  account: string
  /** Unknown columns become contact fields. */
  createFields?: boolean | undefined
}

/** Concurrent rows: hashing passwords takes time. */
const CONCURRENCY = 16

/** Imports rows into one account. Existing contacts, by e-mail address, stay unchanged. */
export class ContactRowImport implements RowImport<ContactColumn, ContactRow> {
  readonly width = 1
  readonly describe = describeColumn
  readonly #bus: Bus
  readonly #caller: Caller
  readonly #contacts: Client<typeof contacts>
  readonly makesMissing: boolean
  readonly #fields: KnownField[]
  /** The labels of fields that may have to be created, by key. */
  readonly #labels = new Map<string, string>()
  /** The e-mail addresses of existing contacts. */
  readonly #known = new Set<string>()
  /** Part of each `Idempotency-Key`, so that a retried creation happens once. */
  readonly #run = crypto.randomUUID()

  private constructor(bus: Bus, { createFields = false }: ContactDestination, caller: Caller, fields: KnownField[]) {
    this.#bus = bus
    this.#caller = caller
    this.#contacts = clientOf(bus, contacts)
    this.makesMissing = createFields
    this.#fields = fields
  }

  /** Reads the account and its contacts. Throws one sentence when there is no such account. */
  static async into(bus: Bus, destination: ContactDestination): Promise<ContactRowImport> {
    const caller = await retried(() => callerOf(bus, destination.account))
    const fields = await retried(() => clientOf(bus, contactFields).list({ caller }))
    const found = new ContactRowImport(bus, destination, caller, fields)
    for await (const { email } of allPages((page) => found.#contacts.list({ caller, query: page }))) {
      found.#known.add(foldEmail(email))
    }
    return found
  }

  isKnown(header: string): boolean {
    return isKnownIn(this.#fields)(header)
  }

  async columnsOf({ headers }: ListSource, overrides?: ReadonlyMap<string, string>): Promise<ContactColumn[]> {
    const columns = mapColumns(headers, this.#fields, this.makesMissing, overrides)
    for (const column of columns) if ('label' in column) this.#labels.set(column.contactField, column.label)
    return columns
  }

  async planner(
    columns: ContactColumn[],
    form: ListForm,
  ): Promise<(rows: ListRow[]) => Promise<ImportPlan<ContactRow>>> {
    const keys = columns.flatMap((column) => ('contactField' in column ? [column.contactField] : []))
    const unknown = keys.filter((key) => !this.#fields.some((field) => field.key === key))
    const missing = unknown.map((name) => ({ kind: 'contact field', name }))
    const reader = new RowReader(columns, form)
    return async (rows) => {
      const plan: ImportPlan<ContactRow> = { fresh: [], alreadyThere: [], bad: [], warnings: [], missing }
      for (const row of rows) {
        const read = reader.read(row)
        if ('errors' in read) plan.bad.push({ row, problem: fullSentences(read.errors).join('; ') })
        else if (this.#known.has(foldEmail(read.body.email))) plan.alreadyThere.push({ row, body: read.body })
        else plan.fresh.push({ row, body: read.body })
      }
      return plan
    }
  }

  async createMissing(missing: Missing[]): Promise<void> {
    const keys = missing.map(({ name }) => name)
    await makeFields(
      this.#bus,
      this.#caller,
      keys.map((key) => ({ key, label: this.#labels.get(key) ?? null })),
    )
    this.#fields.push(...keys.map((key) => ({ key, label: null })))
  }

  async run(rows: ContactRow[], stop: AbortSignal, onDone: () => void): Promise<ImportResult> {
    const outcome: ImportResult = { imported: 0, alreadyThere: 0, bad: [], left: 0 }
    const tried = await forEachConcurrently(rows, CONCURRENCY, stop, async (row) => {
      const problem = await this.#create(row)
      if (problem) outcome.bad.push(problem)
      else outcome.imported++
      onDone()
    })
    return { ...outcome, left: rows.length - tried }
  }

  async #create({ row, body }: ContactRow): Promise<UnimportableRow | undefined> {
    const idempotency_key = `${this.#run} ${row.line}`
    try {
      await retried(() => this.#contacts.create({ caller: this.#caller, body, idempotency_key }))
      return undefined
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'invalid') throw error
      return { row, problem: error.errors ? fullSentences(error.errors).join('; ') : error.message }
    }
  }
}
