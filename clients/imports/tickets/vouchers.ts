import { forEachConcurrently } from '@gatehouse/proto/concurrency/for-each.ts'
import { Message, messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type ListSource, rowErrors } from '@gatehouse/proto/formats/lists/list.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import { flagOf, foldReference, oneLine } from '@gatehouse/proto/formats/lists/values.ts'
import { type DayOrder, readMoment, type TimeRules } from '../check-ins/moments.ts'
import { chosenColumns } from '../chosen-columns.ts'
import { type Cause, causeOf, causesOf } from '../problem.ts'
import type { ImportableRow, ImportPlan, ImportResult, RowImport } from '../row-import.ts'
import type { DiscountCode, EventSystem } from '../system.ts'
import {
  type FieldColumn,
  fieldColumns,
  headerOf,
  knowsHeader,
  type TicketSystem,
  type VoucherField,
  type VoucherKind,
  valuesOf,
  voucherFields,
} from './systems/kinds.ts'

type VoucherRow = ImportableRow<DiscountCode>

/** What a row says, with what is odd about it. */
type ReadVoucher = { body: DiscountCode; warnings: Cause[] } | { problem: Cause[] }

const CONCURRENCY = 8
/** What a column of discount codes may be said to be. */
export const voucherTargets: readonly string[] = [...voucherFields, '-']

/** Imports vouchers of another system as discount codes of one event, for the uses that are left. Codes that are there stay as they are. */
export class VoucherRowImport implements RowImport<FieldColumn<VoucherField>, VoucherRow> {
  readonly makesMissing = false
  readonly width = 1
  readonly #from: TicketSystem
  readonly #kind: VoucherKind
  readonly #system: EventSystem
  readonly #times: TimeRules
  readonly #record: () => Promise<void>

  private constructor(system: EventSystem, [from, kind]: [TicketSystem, VoucherKind], times: TimeRules) {
    this.#from = from
    this.#kind = kind
    this.#system = system
    this.#times = times
    let recorded: Promise<void> | undefined
    this.#record = () => (recorded ??= system.record('discount codes'))
  }

  /** Prepares the import of a file of a ticketing system. */
  static async into(
    system: EventSystem,
    [from, kind]: [TicketSystem, VoucherKind],
    { dates }: { dates?: DayOrder | undefined },
  ): Promise<VoucherRowImport> {
    const zone = from.zone ?? (await system.zone())
    // A voucher may end as late as it likes.
    const times = { zone, dates, now: new Date('9999-01-01') }
    return new VoucherRowImport(system, [from, kind], times)
  }

  isKnown(header: string): boolean {
    return knowsHeader(this.#from, header)
  }

  async columnsOf({ headers }: ListSource, overrides: ReadonlyMap<string, string> = new Map()) {
    return fieldColumns(this.#kind, headers, chosenColumns(headers, overrides, voucherTargets))
  }

  describe({ field }: FieldColumn<VoucherField>): string {
    return field === '-' || field === 'answer' ? '(left out)' : field
  }

  async planner(
    columns: FieldColumn<VoucherField>[],
    form: ListForm,
  ): Promise<(rows: ListRow[]) => Promise<ImportPlan<VoucherRow>>> {
    const known = new Set((await this.#system.discountCodes()).map(foldReference))
    return async (rows) => {
      const plan: ImportPlan<VoucherRow> = { fresh: [], alreadyThere: [], bad: [], warnings: [], missing: [] }
      for (const row of rows) {
        const read = readVoucher(row, columns, form, this.#from.title, this.#times)
        if ('problem' in read) plan.bad.push({ row, problem: read.problem })
        else if (known.has(foldReference(read.body.text))) plan.alreadyThere.push({ row, body: read.body })
        else {
          if (read.warnings.length > 0) plan.warnings.push({ row, problem: read.warnings })
          plan.fresh.push({ row, body: read.body })
        }
      }
      return plan
    }
  }

  async createMissing(): Promise<void> {}

  async run(rows: VoucherRow[], stop: AbortSignal, onDone: () => void): Promise<ImportResult> {
    const outcome: ImportResult = { imported: 0, alreadyThere: 0, bad: [], left: 0 }
    if (rows.length > 0) await this.#record()
    const tried = await forEachConcurrently(rows, CONCURRENCY, stop, async ({ row, body }) => {
      const errors = await this.#system.createDiscountCode(body)
      if (errors) outcome.bad.push({ row, problem: causesOf(errors) })
      else outcome.imported++
      onDone()
    })
    return { ...outcome, left: rows.length - tried }
  }
}

function readVoucher(
  row: ListRow,
  columns: readonly FieldColumn<VoucherField>[],
  form: Pick<ListForm, 'headers'>,
  system: string,
  times: TimeRules,
): ReadVoucher {
  const errors = rowErrors(row, form)
  if (errors) return { problem: causesOf(errors) }
  const { text, label, effect = '', value, used, most, until } = valuesOf(row.cells, columns)
  if (text === undefined) return { problem: [{ field: 'code', message: messageOf('blank') }] }
  const problems: Cause[] = []
  const warnings: Cause[] = []
  const note = (field: VoucherField, message: Message) =>
    problems.push({ column: headerOf(field, row.cells, columns, form.headers), message })
  const [limit, uses] = [numberOf(most), usesOf(used)]
  if (most !== undefined && limit === undefined) note('most', messageOf('not_integer'))
  if (used !== undefined && uses === undefined) note('used', messageOf('not_integer'))
  const discount = discountOf(effect, value, warnings)
  if (!discount) note('value', messageOf('not_number'))
  const end = until === undefined ? undefined : readMoment(withTime(until), times)
  if (end instanceof Message) note('until', end)
  if (problems.length > 0 || !discount) return { problem: problems }
  const before = uses ? `${uses} used in ${system}` : ''
  const body = {
    text: oneLine(text),
    label: [label && oneLine(label), before].filter(Boolean).join('; ') || null,
    ...discount,
    max_usage: limit === undefined ? -1 : Math.max(0, limit - (uses ?? 0)),
    end_date: end && !(end instanceof Message) ? end.at : null,
    timezone: times.zone,
  }
  return { body, warnings }
}

/** The discount of a voucher; undefined if its value is no amount. One that sets a price has none here. */
function discountOf(
  effect: string,
  value: string | undefined,
  warnings: Cause[],
): { amount: number; percentage_of_total: boolean } | undefined {
  const none = { amount: 0, percentage_of_total: false }
  const amount = value === undefined ? 0 : amountOf(value)
  if (Number.isNaN(amount)) return undefined
  if (/%|percent|prozent/i.test(effect)) return { amount: Math.min(1, amount / 100), percentage_of_total: true }
  if (amount > 0 && /\b(set|setze|setzt)\b/i.test(effect)) {
    warnings.push(causeOf('voucher_sets_price', { text: value ?? '' }))
    return none
  }
  return { amount, percentage_of_total: false }
}

/** An amount with a point or comma: `1.234,50`, `10.00`, `10 €`. */
function amountOf(text: string): number {
  const digits = text.replaceAll(/[^\d.,-]/g, '')
  const point = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const isDecimal = point >= 0 && digits.length - point <= 3
  const whole = (isDecimal ? digits.slice(0, point) : digits).replaceAll(/[.,]/g, '')
  return digits === '' ? Number.NaN : Number(isDecimal ? `${whole || '0'}.${digits.slice(point + 1)}` : whole)
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}

/** How often a voucher was used: old files say only whether. */
function usesOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const flag = flagOf(text)
  return numberOf(text) ?? (flag === 'true' ? 1 : flag === 'false' ? 0 : undefined)
}

/** A day without a time ends with the day. */
function withTime(text: string): string {
  return /\d[:.]\d{2}(?!\d)(?![.]\d)/.test(text) || /t\d/i.test(text) ? text : `${text} 23:59:59`
}
