import type { References } from '@gatehouse/proto/formats/lists/references.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import type { Moment } from '../check-ins/moments.ts'
import { type Cause, causeOf, causesOf } from '../problem.ts'
import type { ImportableRow, Missing } from '../row-import.ts'
import type { EventSystem, GuestBody } from '../system.ts'
import { CATEGORY, FIELD, type TicketEvent } from './event.ts'
import type { Ticket } from './tickets.ts'

/** A ticket that can be imported: its guest, and when that one came in. */
export interface TicketRow extends ImportableRow<GuestBody> {
  _id: string
  /** Characters of its body as JSON. */
  size: number
  /** The guest is there already. */
  isKnown: boolean
  arrivals: Moment[]
}

/**
 * The id of a ticket's guest: that of the code, else of the ticket's number in its order. A ticket without either is told by its content and `copy`, its
 * number among equal rows.
 */
export function guestIdOf(system: EventSystem, from: string, ticket: Ticket, copy: number): string {
  const { code, order, number } = ticket
  if (code !== undefined) return system.idOf('ticket', system.event, from, code)
  if (order !== undefined) return system.idOf('ticket', system.event, from, order, number ?? `copy ${copy}`)
  return system.idOf('ticket', system.event, from, contentOf(ticket), String(copy))
}

/** What a ticket without a code is told by, apart from its number among equal ones. */
export function contentOf({ order, number, category, fields }: Ticket): string {
  return JSON.stringify(order === undefined ? [category, fields] : [order, number])
}

/** What a ticket becomes: the guest to create, and what has to be created first. Returns why it cannot. */
export function guestOf(
  ticket: Ticket,
  references: References,
  event: TicketEvent,
  system: EventSystem,
): { body: GuestBody; missing: Missing[] } | { problem: Cause[] } {
  const { code, category, fields, metadata, answered } = ticket
  const found = references.category(category === undefined ? {} : { guest_category: category })
  const problems: Cause[] = 'problem' in found ? [{ message: found.problem }] : []
  const answers = new Set(answered)
  const guest_metadata = metadata.map(({ name, value }) => ({
    name: (answers.has(name) && event.keyOf(name)) || name,
    value,
  }))
  const given = { ...fields, ...(code !== undefined && { uid: code }), ...(metadata.length > 0 && { guest_metadata }) }
  const guest_category_id = 'value' in found ? found.value : ''
  problems.push(...causesOf(system.guestErrors(given)))
  const { last_name, email, company_name } = fields
  if (!last_name && !email && !company_name && code === undefined) {
    problems.push(causeOf('not_identified'))
  }
  if (problems.length > 0) return { problem: problems }
  const missing = answered.flatMap((name) => (event.keyOf(name) === undefined ? [{ kind: FIELD, name }] : []))
  if (!event.categories.some(({ _id }) => _id === guest_category_id)) {
    missing.push({ kind: CATEGORY, name: guest_category_id })
  }
  return { body: { ...given, guest_category_id } as GuestBody, missing }
}

/** A row of a guest who is to be created. */
export function newRow(row: ListRow, _id: string, body: GuestBody, arrivals: Moment[]): TicketRow {
  return { row, _id, body, size: JSON.stringify(body).length, isKnown: false, arrivals }
}

/** A row of a guest who is there already. */
export function knownRow(row: ListRow, _id: string, { code }: Ticket, arrivals: Moment[]): TicketRow {
  return { row, _id, body: { uid: code ?? null } as GuestBody, size: 0, isKnown: true, arrivals }
}
