import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { ListSource, ReadBytes } from '@gatehouse/proto/formats/lists/list.ts'
import { cellOf, type ListRow, refusedFile } from '@gatehouse/proto/formats/lists/rows.ts'
import { JsonElements } from './json-elements.ts'

/** The columns of orders as a table, which the sheet of positions has too; answers follow. */
const HEADERS = [
  'Order code',
  'Position ID',
  'Status',
  'Email',
  'Phone number',
  'Product',
  'Variation',
  'Attendee name',
  'Attendee email',
  'Company',
  'Ticket secret',
  'Voucher',
  'Seat name',
  'Checked in',
]
const STATUSES: Partial<Record<string, string>> = { n: 'pending', p: 'paid', e: 'expired', c: 'canceled' }

interface Named {
  id: number
  name?: string
  variations?: Named[]
  /** False for what is sold beside tickets. */
  admission?: boolean
}

interface Position {
  positionid?: number
  item?: number
  variation?: number | null
  attendee_name?: string | null
  attendee_email?: string | null
  company?: string | null
  secret?: string
  voucher?: string | null
  seat?: unknown
  canceled?: boolean
  answers?: { question?: number; answer?: string }[]
  checkins?: { datetime?: string; type?: string }[]
}

interface Order {
  code?: string
  status?: string
  testmode?: boolean
  email?: string | null
  phone?: string | null
  positions?: Position[]
}

/** What orders refer to by number. */
interface Catalogue {
  items: Map<number, Named>
  questions: Map<number, string>
}

/** Whether a file is JSON rather than a table. */
export async function isJson(read: ReadBytes): Promise<boolean> {
  for await (const bytes of read()) {
    const beginning = new TextDecoder().decode(bytes.subarray(0, 1_024)).trimStart()
    if (beginning !== '') return beginning.startsWith('{')
  }
  return false
}

/**
 * Opens order data of pretix in JSON as a list with a row for each ticket, in which `line` counts the tickets. Only one order at a time is held. Orders in test
 * mode and products that are no tickets are left out. Throws one sentence if the file is something else.
 */
export async function openPretixOrders(read: ReadBytes): Promise<ListSource> {
  const catalogue: Catalogue = { items: new Map(), questions: new Map() }
  let isOrderData = false
  for await (const { list, value } of elementsOf(read)) {
    isOrderData ||= list === 'items' || list === 'orders'
    if (list === 'items') catalogue.items.set((value as Named).id, value as Named)
    if (list === 'questions') {
      const { id, question } = value as { id: number; question?: string }
      catalogue.questions.set(id, question ?? `Question ${id}`)
    }
  }
  if (!isOrderData) throw refusedFile(messageOf('not_order_data'))
  let count = 0
  for await (const rows of rowsOf(read, catalogue)) count += rows.length
  const headers = [...HEADERS, ...catalogue.questions.values()].map(cellOf)
  return {
    headers,
    headerLine: 1,
    notices: [],
    text: { encoding: 'utf-8', delimiter: ',' },
    count,
    rows: () => rowsOf(read, catalogue),
  }
}

async function* rowsOf(read: ReadBytes, catalogue: Catalogue): AsyncGenerator<ListRow[]> {
  let line = 1
  for await (const { list, value } of elementsOf(read)) {
    if (list !== 'orders') continue
    const order = value as Order
    if (order.testmode) continue
    const tickets = (order.positions ?? []).filter(({ item }) => catalogue.items.get(item ?? -1)?.admission !== false)
    const rows = tickets.map((position) => ({ line: ++line, cells: cellsOf(order, position, catalogue) }))
    if (rows.length > 0) yield rows
  }
}

function cellsOf(order: Order, position: Position, { items, questions }: Catalogue): string[] {
  const item = items.get(position.item ?? -1)
  const variation = item?.variations?.find(({ id }) => id === position.variation)
  const answers = new Map(position.answers?.map(({ question, answer }) => [question, answer]))
  const entries = (position.checkins ?? []).filter(({ type }) => type !== 'exit')
  const status = position.canceled ? 'canceled' : (STATUSES[order.status ?? ''] ?? order.status)
  const cells: unknown[] = [
    ...[order.code, position.positionid, status, order.email, order.phone === 'None' ? '' : order.phone],
    ...[item?.name ?? (position.item === undefined ? '' : `Product ${position.item}`), variation?.name],
    ...[position.attendee_name, position.attendee_email, position.company, position.secret, position.voucher],
    ...[typeof position.seat === 'string' ? position.seat : ''],
    ...[entries.map(({ datetime }) => datetime).join(';')],
    ...Array.from(questions.keys(), (id) => answers.get(id)),
  ]
  return cells.map((cell) => cellOf(cell === undefined || cell === null ? '' : String(cell)))
}

async function* elementsOf(read: ReadBytes): AsyncGenerator<{ list: string; value: unknown }> {
  const decoder = new TextDecoder()
  const elements = new JsonElements()
  for await (const bytes of read()) {
    for (const { list, text } of elements.push(decoder.decode(bytes, { stream: true }))) {
      yield { list, value: parsed(text) }
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusedFile(messageOf('not_order_data'))
  }
}
