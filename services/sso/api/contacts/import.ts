import { setImmediate as nextTurn } from 'node:timers/promises'
import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { encodingLabel } from '@gatehouse/proto/formats/lists/encodings.ts'
import { type List, readList } from '@gatehouse/proto/formats/lists/list.ts'
import { type ListLimits, refusedFile } from '@gatehouse/proto/formats/lists/rows.ts'
import { ObjectId } from 'mongodb'
import { unbound } from '../../callers.ts'
import type { ContactField } from '../contact-fields/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { type ContactColumn, isKnownIn, mapColumns } from './columns.ts'
import { newContact, validated } from './creating.ts'
import { foldEmail } from './email.ts'
import { type contacts, IMPORT_MS, MAX_IMPORTED } from './resource.ts'
import { type ContactBody, RowReader } from './rows.ts'
import type { NewContact } from './store.ts'

type Import = (typeof contacts)['actions']['import']

const LIMITS: ListLimits = {
  rows: MAX_IMPORTED,
  columns: 1_000,
  rowCharacters: 262_144,
  unpackedBytes: 64 * 1024 * 1024,
}
/** No batch starts after this time, so the answer is not too late. */
const WORK_MS = IMPORT_MS * 0.6
/** E-mail addresses that are looked up together. */
const LOOKUP_SIZE = 500
/** Rows that are stored together. */
const BATCH = 200
/** Most passwords in a batch: hashing takes long, and the import can stop only between batches. */
const PASSWORDS = 20
/** Passwords that are hashed concurrently: the other threads are left to sign-ins. */
const HASHED_AT_ONCE = 2
/** How long rows are processed before other requests get a turn. */
const TURN_MS = 5
/** Characters of reported errors: the answer must not become much larger than the file. */
const MAX_MESSAGES = 1_000_000
const MAX_HEADER = 255

/** A valid row. */
interface ValidRow {
  line: number
  body: ContactBody
}

/** Imports a file. */
export async function importFile(
  dependencies: Dependencies,
  { upload, query, caller }: Call<Import>,
): Promise<Output<Import>> {
  const { account_id } = unbound(caller)
  const fields = await dependencies.fields.ofAccount(account_id)
  return new ContactImporter(account_id, fields, dependencies).run(upload.bytes, query)
}

/** Imports the contacts of a CSV file into an account. Existing contacts, by e-mail address, stay as they are. */
export class ContactImporter {
  readonly #account_id: string
  readonly #fields: ContactField[]
  readonly #stores: Pick<Dependencies, 'contacts' | 'audit'>
  readonly #until: number
  readonly #report: Output<Import> = {
    created: 0,
    already_there: 0,
    refused: 0,
    left: 0,
    refused_lines: [],
    columns: [],
    read_as: '',
    notices: [],
  }
  #messages = 0
  #turnBegan = performance.now()

  /** After `workMs` no batch starts, except the first. */
  constructor(
    account_id: string,
    fields: ContactField[],
    stores: Pick<Dependencies, 'contacts' | 'audit'>,
    workMs = WORK_MS,
  ) {
    this.#account_id = account_id
    this.#fields = fields
    this.#stores = stores
    this.#until = performance.now() + workMs
  }

  /** Throws `invalid` on `file` if it cannot be read, `too_large` for too many rows. */
  async run(bytes: Uint8Array, choice: { encoding?: string; sheet?: string } = {}): Promise<Output<Import>> {
    const slice = <T>(work: () => T): Promise<T> => timeSlicer.run(work)
    const list = await readList(bytes, { ...choice, limits: LIMITS, isKnown: isKnownIn(this.#fields), slice })
    const { headers, headerLine, text, workbook, notices } = list
    if (headerLine === undefined) throw refusedFile(messageOf('missing_header'))
    const columns = mapColumns(headers, this.#fields, false)
    const report = this.#report
    report.read_as = text ? encodingLabel(text, 'en') : (workbook?.sheet ?? null)
    report.notices = notices.map(String)
    report.columns = columns.map((column, index) => ({
      header: (headers[index] ?? '').slice(0, MAX_HEADER).toWellFormed(),
      field: fieldOf(column),
    }))
    const unknown = await this.#unknown(await this.#read(list, columns))
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

  /** The valid rows. */
  async #read(list: List, columns: ContactColumn[]): Promise<ValidRow[]> {
    const reader = new RowReader(columns, list)
    const candidates: ValidRow[] = []
    for (const row of list.rows) {
      const read = reader.read(row)
      if ('errors' in read)
        this.#refuse(row.line, { ...validated(read.given ?? {}, this.#fields).errors, ...read.errors })
      else candidates.push({ line: row.line, body: read.body })
      await this.#turn()
    }
    return candidates
  }

  /** The rows whose e-mail address no contact has. */
  async #unknown(candidates: ValidRow[]): Promise<ValidRow[]> {
    const unknown: ValidRow[] = []
    for (let from = 0; from < candidates.length; from += LOOKUP_SIZE) {
      const some = candidates.slice(from, from + LOOKUP_SIZE)
      const emails = some.map(({ body }) => body.email)
      const known = await this.#stores.contacts.known(this.#account_id, emails)
      unknown.push(...some.filter(({ body }) => !known.has(foldEmail(body.email))))
    }
    this.#report.already_there = candidates.length - unknown.length
    return unknown
  }

  async #bringIn(batch: ValidRow[]): Promise<void> {
    const made: NewContact[] = []
    for (let from = 0; from < batch.length; from += HASHED_AT_ONCE) {
      const contacts = await Promise.all(batch.slice(from, from + HASHED_AT_ONCE).map((each) => this.#made(each)))
      made.push(...contacts.filter((contact) => contact !== undefined))
      await this.#turn()
    }
    if (made.length === 0) return
    const stored = (await this.#stores.contacts.insertEach(made)).filter((contact) => contact !== undefined)
    const account_id = this.#account_id
    const withPassword = stored.filter(({ password_hash }) => password_hash)
    await this.#stores.audit.recordEach(
      withPassword.map(({ _id }) => ({ account_id, kind: 'password_changed', contact_id: _id })),
    )
    this.#report.created += stored.length
    // Other requests have just created the rest.
    this.#report.already_there += made.length - stored.length
  }

  async #made({ line, body }: ValidRow): Promise<NewContact | undefined> {
    const { values, errors } = validated(body, this.#fields)
    if (Object.keys(errors).length > 0) return this.#refuse(line, errors)
    // Not derived from the `Idempotency-Key`: a second try skips existing contacts, and would give their ids to others.
    return newContact({ _id: new ObjectId().toHexString(), account_id: this.#account_id }, body, values)
  }

  #refuse(line: number, errors: FieldErrors): undefined {
    this.#report.refused++
    const signs = JSON.stringify(errors).length
    if (this.#messages + signs > MAX_MESSAGES) return
    this.#messages += signs
    this.#report.refused_lines.push({ line, errors })
  }

  /** Returns other requests a turn if it has worked for a while. */
  async #turn(): Promise<void> {
    if (performance.now() - this.#turnBegan < TURN_MS) return
    await nextTurn()
    this.#turnBegan = performance.now()
  }
}

/** The batch of rows from an index on. */
function batchOf(candidates: ValidRow[], from: number): ValidRow[] {
  let passwords = 0
  let end = from
  for (; end < candidates.length && end - from < BATCH && passwords < PASSWORDS; end++) {
    if (candidates[end]?.body.password) passwords++
  }
  return candidates.slice(from, end)
}

/** The field of a column; null if it is left out. */
function fieldOf(column: ContactColumn): string | null {
  if ('leftOut' in column) return null
  return 'field' in column ? column.field : column.contactField
}
