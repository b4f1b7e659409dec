import { hash } from 'node:crypto'
import { guests } from '@gatehouse/guests/resources'
import type { ImportableRow, UnimportableRow } from '@gatehouse/imports/row-import.ts'
import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { fullSentences } from '@gatehouse/proto/declaring/faults.ts'
import { readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import type { GuestColumn } from '@gatehouse/proto/formats/lists/guest-columns.ts'
import { GuestListReader } from '@gatehouse/proto/formats/lists/guest-list.ts'
import type { References, Resolved } from '@gatehouse/proto/formats/lists/references.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import type { Static } from 'typebox'

/** The body of a guest's creation. */
export type GuestBody = Static<typeof guests.actions.create.body>

/** A row that can be imported. */
export interface GuestRow extends ImportableRow<GuestBody> {
  /** Its number among the rows with the same content, from 0. */
  copy: number
  /** Characters of its body as JSON. */
  size: number
  /** The same person stands in an earlier row. */
  isRepeated: boolean
}

/** The rows of a chunk, and what is odd about them. */
export interface ReadRows {
  good: GuestRow[]
  bad: UnimportableRow[]
  warnings: UnimportableRow[]
}

/** The token_id of imports, from which the ids of guests are derived. */
export const IMPORTER = 'import'

const readBody = readerOf(guests.actions.create.body)

/**
 * Reads the rows of a file as guests, in their order, and finds errors without requests: surplus cells, no identification of the guest, too long
 * values, the uid of an earlier line, unknown categories and check-in points. Remembers some hundred bytes a row.
 */
export class RowReader {
  readonly #reader: GuestListReader
  readonly #references: References
  /** The number of rows with the same content, by hash. */
  readonly #copies = new Map<string, number>()
  readonly #lineOfUid = new Map<string, number>()

  constructor(columns: readonly GuestColumn[], form: Pick<ListForm, 'headers'>, references: References) {
    this.#reader = new GuestListReader(columns, form)
    this.#references = references
  }

  read(rows: readonly ListRow[]): ReadRows {
    const read: ReadRows = { good: [], bad: [], warnings: [] }
    for (const row of rows) this.#read(row, read)
    return read
  }

  #read(row: ListRow, { good, bad, warnings }: ReadRows): void {
    const { fields, metadata, errors, warnings: odd, repeats } = this.#reader.read(row)
    const { body, problems } = errors
      ? { body: undefined, problems: fullSentences(errors) }
      : this.#bodyOf(fields, metadata)
    const earlier = body?.uid && this.#lineOfUid.get(body.uid)
    if (earlier) problems.push(`Uid ${body.uid} is also in line ${earlier}`)
    if (!body || problems.length > 0) {
      bad.push({ row, problem: problems.join('; ') })
      return
    }
    if (body.uid) this.#lineOfUid.set(body.uid, row.line)
    for (const problem of fullSentences(odd)) warnings.push({ row, problem })
    const content = JSON.stringify(body)
    const hashed = derivedId(content)
    const copy = this.#copies.get(hashed) ?? 0
    this.#copies.set(hashed, copy + 1)
    good.push({ row, body, copy, size: content.length, isRepeated: repeats !== undefined })
  }

  #bodyOf(
    { guest_category, guest_category_id, access_privileges, ...fields }: Record<string, string>,
    metadata: { name: string; value: string }[],
  ): { body: GuestBody; problems: string[] } {
    const problems: string[] = []
    const body: Record<string, unknown> = fields
    const take = (name: string, found: Resolved<unknown>): void => {
      if ('problem' in found) problems.push(`${found.problem}`)
      else body[name] = found.value
    }
    if (access_privileges) take('access_privileges_attributes', this.#references.privileges(access_privileges))
    const category = { ...(guest_category && { guest_category }), ...(guest_category_id && { guest_category_id }) }
    take('guest_category_id', this.#references.category(category))
    // The order of columns and fields does not change the guest of a row.
    metadata.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    if (metadata.length > 0) body.guest_metadata = metadata
    const sorted = Object.fromEntries(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)))
    const { errors } = readBody(sorted)
    const { guest_category_id: _, ...otherErrors } = errors ?? {}
    problems.push(...fullSentences(otherErrors))
    const { last_name, email, company_name, uid } = fields
    if (!last_name && !email && !company_name && !uid) problems.push('It has no last name, e-mail, company or uid')
    // Without the reader's defaults: the row's key must not change with a new field.
    return { body: sorted as GuestBody, problems }
  }
}

/** The `Idempotency-Key` of a row: a hash of its content, and its number among equal rows of the file. */
export function keyOf(eventId: string, { body, copy }: Pick<GuestRow, 'body' | 'copy'>): string {
  // Existing keys contain the 0.
  return hash('sha256', JSON.stringify([eventId, body, copy, 0]))
}
