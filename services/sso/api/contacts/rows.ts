import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import { rowErrors } from '@gatehouse/proto/formats/lists/list.ts'
import { splitName, splitReversedName } from '@gatehouse/proto/formats/lists/names.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import { flagOf, oneLine } from '@gatehouse/proto/formats/lists/values.ts'
import type { Static } from 'typebox'
import type { ContactColumn } from './columns.ts'
import { foldEmail } from './email.ts'
import { contacts } from './resource.ts'

/** The body of a contact's creation. */
export type ContactBody = Static<typeof contacts.actions.create.body>

const readBody = readerOf(contacts.actions.create.body)

/**
 * Reads the rows of one file as contacts, in their order, and finds errors in them: surplus cells, invalid fields, and e-mail
 * addresses of earlier lines.
 */
export class RowReader {
  readonly #columns: ContactColumn[]
  readonly #form: Pick<ListForm, 'headers'>
  /** By folded e-mail address. */
  readonly #lines = new Map<string, number>()

  constructor(columns: ContactColumn[], form: Pick<ListForm, 'headers'>) {
    this.#columns = columns
    this.#form = form
  }

  /** The contact of a row, or its errors by field and the valid fields; errors of the whole row are on `row`. */
  read(row: ListRow): { body: ContactBody } | { errors: FieldErrors; given?: object } {
    const broken = rowErrors(row, this.#form)
    if (broken) return { errors: broken }
    const { value, errors = {}, given = {} } = readBody(this.#valuesOf(row))
    const body = value as ContactBody
    const address = foldEmail(body.email ?? '')
    const earlier = this.#lines.get(address)
    // An e-mail address of an earlier line is valid in itself.
    if (earlier !== undefined) errors.email = [messageOf('duplicate_of_line', { value: address, line: earlier })]
    if (Object.keys(errors).length > 0) return { errors, given }
    this.#lines.set(address, row.line)
    return { body }
  }

  #valuesOf({ cells }: ListRow): Record<string, unknown> {
    const values: Record<string, unknown> = {}
    for (const [index, column] of this.#columns.entries()) {
      const cell = cells[index] ?? ''
      if (cell === '' || 'leftOut' in column) continue
      if ('contactField' in column) values[column.contactField] = cell
      else if (column.field === 'full_name') Object.assign(values, splitName(cell))
      else if (column.field === 'last_and_first_name') Object.assign(values, splitReversedName(cell))
      else if (column.field === 'password') values.password = cell
      else values[column.field] = column.field === 'is_blocked' ? flagOf(cell) : oneLine(cell)
    }
    return values
  }
}
