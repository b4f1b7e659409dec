import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { type CsvLimits, type Row, readCsv } from '@gatehouse/proto/formats/csv.ts'
import { ObjectId } from 'mongodb'
import type { ContactField } from '../contact-fields/resource.ts'
import { type Column, mapColumns } from './columns.ts'
import { newContact, validated } from './creating.ts'
import { foldEmail } from './email.ts'
import { type contacts, IMPORT_MS, MAX_IMPORTED } from './resource.ts'
import { type ContactBody, RowReader } from './rows.ts'
import type { ContactStore, NewContact, StoredContact } from './store.ts'

/** What a file has become. */
export type ImportReport = Output<(typeof contacts)['actions']['import']>

const LIMITS: CsvLimits = { rows: MAX_IMPORTED, columns: 1_000, rowBytes: 262_144 }
/** No batch is begun after it, so that the answer still comes in time. */
const WORK_MS = IMPORT_MS * 0.6
/** E-mail addresses that are looked up together. */
const LOOKUP_SIZE = 500
/** Rows that are stored together. */
const BATCH = 200
/** Passwords among them: each takes its time, and only between batches work can end. */
const PASSWORDS = 20
/** Passwords that are hashed at once: whoever signs in meanwhile has the other threads. */
const HASHED_AT_ONCE = 2
/** This long rows are worked on before other requests have their turn. */
const TURN_MS = 5
/** Signs of errors that are told: the answer must not become far larger than the file. */
const MAX_MESSAGES = 1_000_000
const MAX_HEADER = 255

/** A row that can go in, as far as it tells itself. */
interface Candidate {
  line: number
  body: ContactBody
}

/** Brings the contacts of a CSV file into an account. Whoever is there already, by e-mail address, stays as they are. */
export class ContactImport {
  readonly #account_id: string
  readonly #fields: ContactField[]
  readonly #store: ContactStore
  readonly #stored: (contacts: NewContact[]) => Promise<(StoredContact | undefined)[]>
  readonly #until: number
  readonly #report: ImportReport = { created: 0, already_there: 0, refused: 0, left: 0, refused_lines: [], columns: [] }
  #messages = 0
  #turnBegan = performance.now()

  /** `stored` stores contacts as `ContactStore.insertEach` does, and tells whom that concerns. After `workMs` no batch is begun but the first. */
  constructor(
    account_id: string,
    fields: ContactField[],
    store: ContactStore,
    stored: (contacts: NewContact[]) => Promise<(StoredContact | undefined)[]>,
    workMs = WORK_MS,
  ) {
    this.#account_id = account_id
    this.#fields = fields
    this.#store = store
    this.#stored = stored
    this.#until = performance.now() + workMs
  }

  /** Throws `invalid` on `file` where that can not be read, `too_large` for more rows than are taken. */
  async run(bytes: Uint8Array): Promise<ImportReport> {
    const { headers, rows } = await readCsv(bytes, { limits: LIMITS })
    const columns = mapColumns(headers, this.#fields, false)
    const report = this.#report
    report.columns = columns.map((column, index) => ({
      header: (headers[index] ?? '').slice(0, MAX_HEADER).toWellFormed(),
      field: fieldOf(column),
    }))
    const unknown = await this.#unknown(await this.#read(rows, columns))
    let done = 0
    do {
      const batch = batchOf(unknown, done)
      await this.#bringIn(batch)
      done += batch.length
    } while (done < unknown.length && performance.now() < this.#until)
    report.left = unknown.length - done
    report.refused_lines.sort((a, b) => a.line - b.line)
    return report
  }

  /** The rows that can go in, as far as they tell themselves. */
  async #read(rows: Row[], columns: Column[]): Promise<Candidate[]> {
    const reader = new RowReader(columns)
    const candidates: Candidate[] = []
    for (const row of rows) {
      const read = reader.read(row)
      if ('errors' in read)
        this.#refuse(row.line, { ...validated(read.given ?? {}, this.#fields).errors, ...read.errors })
      else candidates.push({ line: row.line, body: read.body })
      await this.#turn()
    }
    return candidates
  }

  /** Those whose e-mail address no contact has yet. */
  async #unknown(candidates: Candidate[]): Promise<Candidate[]> {
    const unknown: Candidate[] = []
    for (let from = 0; from < candidates.length; from += LOOKUP_SIZE) {
      const some = candidates.slice(from, from + LOOKUP_SIZE)
      const emails = some.map(({ body }) => body.email)
      const known = await this.#store.known(this.#account_id, emails)
      unknown.push(...some.filter(({ body }) => !known.has(foldEmail(body.email))))
    }
    this.#report.already_there = candidates.length - unknown.length
    return unknown
  }

  async #bringIn(batch: Candidate[]): Promise<void> {
    const made: NewContact[] = []
    for (let from = 0; from < batch.length; from += HASHED_AT_ONCE) {
      const contacts = await Promise.all(batch.slice(from, from + HASHED_AT_ONCE).map((each) => this.#made(each)))
      made.push(...contacts.filter((contact) => contact !== undefined))
      await this.#turn()
    }
    if (made.length === 0) return
    for (const contact of await this.#stored(made)) {
      // Somebody else has just made them.
      if (!contact) this.#report.already_there++
      else this.#report.created++
    }
  }

  async #made({ line, body }: Candidate): Promise<NewContact | undefined> {
    const { values, errors } = validated(body, this.#fields)
    if (Object.keys(errors).length > 0) return this.#refuse(line, errors)
    // Not what an `Idempotency-Key` gives: a second try leaves out who is there, and would give their ids to others.
    return newContact({ _id: new ObjectId().toHexString(), account_id: this.#account_id }, body, values)
  }

  #refuse(line: number, errors: FieldErrors): undefined {
    this.#report.refused++
    const signs = JSON.stringify(errors).length
    if (this.#messages + signs > MAX_MESSAGES) return
    this.#messages += signs
    this.#report.refused_lines.push({ line, errors })
  }

  /** Lets other requests have their turn, after a while of work. */
  async #turn(): Promise<void> {
    if (performance.now() - this.#turnBegan < TURN_MS) return
    await nextTurn()
    this.#turnBegan = performance.now()
  }
}

/** The rows from one on that are stored together. */
function batchOf(candidates: Candidate[], from: number): Candidate[] {
  let passwords = 0
  let end = from
  for (; end < candidates.length && end - from < BATCH && passwords < PASSWORDS; end++) {
    if (candidates[end]?.body.password) passwords++
  }
  return candidates.slice(from, end)
}

/** The field that a column is; null where it is left out. */
function fieldOf(column: Column): string | null {
  if ('leftOut' in column) return null
  return 'field' in column ? column.field : column.contactField
}
