import type { FieldErrors } from '../../declaring/faults.ts'
import { type Message, messageOf } from '../../declaring/messages.ts'
import type { GuestColumn } from './guest-columns.ts'
import { rowErrors } from './list.ts'
import { splitName, splitReversedName } from './names.ts'
import type { ListRow } from './rows.ts'
import type { ListForm } from './settings.ts'
import { foldName, isRounded, oneLine, replyOf } from './values.ts'

/** A guest as a row has it: texts by field, with the names of its category and its privileges as they stand there. */
export interface ListedGuest {
  fields: Record<string, string>
  metadata: { name: string; value: string }[]
  /** What is wrong with the row as a whole. */
  errors?: FieldErrors
  /** What is odd about it, by field. */
  warnings: FieldErrors
  /** The line of the same person, by name and address. */
  repeats?: number
}

/** Fields whose text stays as it stands: it may have lines. The others are one line. */
const WITH_LINES = new Set(['message', 'uid', 'access_privileges'])
/** Fields whose digits count. */
const DIGITS = ['uid', 'phone_number']

/** Reads the rows of one list as guests, in their order. */
export class GuestListReader {
  readonly #columns: readonly GuestColumn[]
  readonly #form: Pick<ListForm, 'headers'>
  /** Lines by person and by folded code. */
  readonly #people = new Map<string, number>()
  readonly #codes = new Map<string, { uid: string; line: number }>()

  constructor(columns: readonly GuestColumn[], form: Pick<ListForm, 'headers'>) {
    this.#columns = columns
    this.#form = form
  }

  read(row: ListRow): ListedGuest {
    const errors = rowErrors(row, this.#form)
    if (errors) return { fields: {}, metadata: [], errors, warnings: {} }
    const { fields, metadata } = this.#valuesOf(row)
    const warnings: Record<string, Message[]> = {}
    for (const name of DIGITS) {
      const value = fields[name]
      if (value !== undefined && isRounded(value)) warnings[name] = [messageOf('digits_lost', { value })]
    }
    const other = this.#otherCase(fields.uid, row.line)
    if (other)
      warnings.uid = [...(warnings.uid ?? []), messageOf('differs_by_case', { value: other.uid, line: other.line })]
    const repeats = this.#earlier(fields, row.line)
    if (repeats !== undefined) warnings.row = [messageOf('same_person', { line: repeats })]
    return { fields, metadata, warnings, ...(repeats !== undefined && { repeats }) }
  }

  #valuesOf({ cells }: ListRow): Pick<ListedGuest, 'fields' | 'metadata'> {
    const fields: Record<string, string> = {}
    const metadata: ListedGuest['metadata'] = []
    for (const [index, column] of this.#columns.entries()) {
      const value = cells[index] ?? ''
      if (value === '' || 'leftOut' in column) continue
      if ('metadata' in column) metadata.push({ name: column.metadata, value })
      else if (column.field === 'full_name') Object.assign(fields, splitName(value))
      else if (column.field === 'last_and_first_name') Object.assign(fields, splitReversedName(value))
      else if (WITH_LINES.has(column.field)) fields[column.field] = value
      else fields[column.field] = column.field === 'rsvp_status' ? replyOf(value) : oneLine(value)
    }
    return { fields, metadata }
  }

  /** An earlier code that differs by case alone. */
  #otherCase(uid: string | undefined, line: number): { uid: string; line: number } | undefined {
    if (uid === undefined) return undefined
    const folded = uid.toLowerCase()
    const earlier = this.#codes.get(folded)
    if (!earlier) this.#codes.set(folded, { uid, line })
    return earlier && earlier.uid !== uid ? earlier : undefined
  }

  /** The line of the same person; none if the row has no name or no address. */
  #earlier({ first_name = '', last_name = '', email = '' }: Record<string, string>, line: number): number | undefined {
    const name = foldName(`${first_name} ${last_name}`)
    if (name === '' || email === '') return undefined
    const person = `${name} ${email.toLowerCase()}`
    const earlier = this.#people.get(person)
    if (earlier === undefined) this.#people.set(person, line)
    return earlier
  }
}

/** The headers that became further information, since nothing says what they are. */
export function unplacedIn(columns: readonly GuestColumn[]): string[] {
  return columns.flatMap((column) => ('metadata' in column ? [column.metadata] : []))
}
