import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type CsvRow, cellErrors } from '@gatehouse/proto/formats/csv.ts'
import { readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import type { Static } from 'typebox'
import type { ContactColumn } from './columns.ts'
import { foldEmail } from './email.ts'
import { contacts } from './resource.ts'

/** The body of a contact's creation. */
export type ContactBody = Static<typeof contacts.actions.create.body>

const readBody = readerOf(contacts.actions.create.body)

/**
 * Reads the rows of one file as contacts, in their order, and finds errors in them: too few or too many cells, invalid fields, and e-mail
 * addresses of earlier lines.
 */
export class RowReader {
  readonly #columns: ContactColumn[]
  /** By folded e-mail address. */
  readonly #lines = new Map<string, number>()

  constructor(columns: ContactColumn[]) {
    this.#columns = columns
  }

  /** The contact of a row, or its errors by field and the valid fields; errors of the whole row are on `row`. */
  read(row: CsvRow): { body: ContactBody } | { errors: FieldErrors; given?: object } {
    const broken = cellErrors(row, this.#columns.length)
    if (broken) return { errors: broken }
    const cells: Record<string, unknown> = {}
    for (const [index, column] of this.#columns.entries()) {
      const cell = row.cells[index] ?? ''
      if (cell === '' || 'leftOut' in column) continue
      cells['field' in column ? column.field : column.contactField] = cell
    }
    const { value, errors = {}, given = {} } = readBody(cells)
    const body = value as ContactBody
    const address = foldEmail(body.email ?? '')
    const earlier = this.#lines.get(address)
    // An e-mail address of an earlier line is valid in itself.
    if (earlier !== undefined) errors.email = [messageOf('also_in_line', { value: address, line: earlier })]
    if (Object.keys(errors).length > 0) return { errors, given }
    this.#lines.set(address, row.line)
    return { body }
  }
}
