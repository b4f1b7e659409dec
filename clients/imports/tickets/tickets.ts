import { Message, messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { rowErrors } from '@gatehouse/proto/formats/lists/list.ts'
import { splitName } from '@gatehouse/proto/formats/lists/names.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import { flagOf, foldReference, oneLine } from '@gatehouse/proto/formats/lists/values.ts'
import { type Moment, readMoment, type TimeRules } from '../check-ins/moments.ts'
import { type Cause, causesOf } from '../problem.ts'
import { isCheckedIn, stateOf } from './statuses.ts'
import { type FieldColumn, headerOf, type TicketField, valuesOf } from './systems/kinds.ts'

/** A ticket of another system, as a row has it. */
export interface Ticket {
  /** What its QR code or barcode contains; undefined if the file does not say. */
  code: string | undefined
  /** The order, and the ticket's number in it or in the event. */
  order: string | undefined
  number: string | undefined
  category: string | undefined
  /** Fields of the guest as they are sent. */
  fields: Record<string, string | number>
  /** Answers and notes. */
  metadata: { name: string; value: string }[]
  /** Names of those that are answers. */
  answered: string[]
  /** When it was scanned there. */
  arrivals: Moment[]
  /** It was scanned, but nothing says when. */
  lacksTime: boolean
}

/** A row as read: a ticket, why it is none, or why it stays out, with its code. */
export type ReadTicket = { ticket: Ticket } | { problem: Cause[] } | { leftOut: string; code: string | undefined }

/** How tickets are read. */
export interface TicketRules {
  times: TimeRules
  /** The time of check-ins without one. */
  at?: Date | undefined
  /** Tickets that are not paid come in too. */
  unpaid?: boolean | undefined
  /** Categories that stay out, folded. */
  without: ReadonlySet<string>
}

/** What is wrong with a field. */
interface FieldProblem {
  field: TicketField
  problem: Message
}

const PLAIN = ['first_name', 'last_name', 'email', 'phone_number', 'company_name', 'position'] as const
const MAX_PARTY_SIZE = 500
/** The longest name of a field. */
const MAX_NAME = 255

/** Reads a row of tickets. */
export function readTicket(
  row: ListRow,
  columns: readonly FieldColumn<TicketField>[],
  form: Pick<ListForm, 'headers'>,
  rules: TicketRules,
): ReadTicket {
  const errors = rowErrors(row, form)
  if (errors) return { problem: causesOf(errors) }
  const said = valuesOf(row.cells, columns)
  const code = codeOf(said.code)
  const category = categoryOf(said)
  const problems: FieldProblem[] = []
  const leftOut = reasonToLeaveOut(said, category, rules, problems)
  if (leftOut) return { leftOut, code }
  const fields = fieldsOf(said, problems)
  const { arrivals, lacksTime } = arrivalsOf(said, rules, problems)
  const { metadata, answered } = metadataOf(row, columns, form)
  if (problems.length > 0) {
    return {
      problem: problems.map(({ field, problem }) => ({
        column: headerOf(field, row.cells, columns, form.headers),
        message: problem,
      })),
    }
  }
  const { order, number } = said
  return { ticket: { code, order, number, category, fields, metadata, answered, arrivals, lacksTime } }
}

/** The content of a code. The address of a ticket's page ends with it. */
function codeOf(text: string | undefined): string | undefined {
  return text && /^https?:\/\//.test(text) ? text.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) : text
}

function categoryOf({ category, variation }: Partial<Record<TicketField, string>>): string | undefined {
  return (
    [category, variation]
      .filter(Boolean)
      .map((part) => oneLine(part ?? ''))
      .join(' – ') || undefined
  )
}

function reasonToLeaveOut(
  { status, paid, blocked }: Partial<Record<TicketField, string>>,
  category: string | undefined,
  { unpaid: takesUnpaid, without }: TicketRules,
  problems: FieldProblem[],
): string | undefined {
  if (category !== undefined && without.has(foldReference(category))) return 'of other kinds'
  const state = status === undefined ? 'valid' : stateOf(status)
  if (state === undefined)
    problems.push({ field: 'status', problem: messageOf('unknown_status', { text: status ?? '' }) })
  if (state === 'cancelled') return 'cancelled'
  if (blocked !== undefined && flagOf(blocked) === 'true') return 'blocked'
  const isUnpaid = state === 'unpaid' || (paid !== undefined && flagOf(paid) === 'false')
  return isUnpaid && !takesUnpaid ? 'unpaid' : undefined
}

function fieldsOf(
  said: Partial<Record<TicketField, string>>,
  problems: FieldProblem[],
): Record<string, string | number> {
  const fields: Record<string, string | number> = { rsvp_status: 'accepted' }
  for (const name of PLAIN) if (said[name] !== undefined) fields[name] = oneLine(said[name])
  const { first_name, last_name, full_name, order, party_size } = said
  if (first_name === undefined && last_name === undefined && full_name !== undefined) {
    Object.assign(fields, splitName(oneLine(full_name)))
  }
  if (order !== undefined) fields.order_uid = oneLine(order)
  const persons = Number(party_size ?? 1)
  if (!Number.isInteger(persons) || persons < 1 || persons > MAX_PARTY_SIZE) {
    problems.push({
      field: 'party_size',
      problem: messageOf('not_between', { text: party_size ?? '', least: 1, most: MAX_PARTY_SIZE }),
    })
  } else if (persons > 1) fields.party_size = persons
  return fields
}

/** When a ticket was scanned. Several times have a semicolon between them; some files say only whether. */
function arrivalsOf(
  { checked_in, status }: Partial<Record<TicketField, string>>,
  { times, at }: TicketRules,
  problems: FieldProblem[],
): Pick<Ticket, 'arrivals' | 'lacksTime'> {
  const isMarked = checked_in === undefined ? isCheckedIn(status ?? '') : flagOf(checked_in) === 'true'
  const isUnmarked = checked_in === undefined || ['true', 'false'].includes(flagOf(checked_in))
  if (isUnmarked)
    return isMarked && at
      ? { arrivals: [{ at, isMinute: false }], lacksTime: false }
      : { arrivals: [], lacksTime: isMarked }
  const arrivals: Moment[] = []
  for (const text of checked_in.split(';')) {
    const moment = readMoment(text, times)
    if (moment instanceof Message) problems.push({ field: 'checked_in', problem: moment })
    else arrivals.push(moment)
  }
  return { arrivals, lacksTime: false }
}

function metadataOf(
  { cells }: ListRow,
  columns: readonly FieldColumn<TicketField>[],
  { headers }: Pick<ListForm, 'headers'>,
): Pick<Ticket, 'metadata' | 'answered'> {
  const metadata = new Map<string, string>()
  const answered: string[] = []
  for (const [index, { field }] of columns.entries()) {
    const value = cells[index] ?? ''
    const name = oneLine(headers[index] ?? '').slice(0, MAX_NAME)
    if (value === '' || name === '' || (field !== 'note' && field !== 'answer')) continue
    // Two questions may be called the same.
    metadata.set(name, metadata.has(name) ? `${metadata.get(name)}\n${value}` : value)
    if (field === 'answer') answered.push(name)
  }
  const sorted = Array.from(metadata, ([name, value]) => ({ name, value }))
  return { metadata: sorted, answered }
}
