import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import { Fault, fullSentences } from '@gatehouse/proto/declaring/faults.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { type ListSource, rowErrors } from '@gatehouse/proto/formats/lists/list.ts'
import type { ListRow } from '@gatehouse/proto/formats/lists/rows.ts'
import type { ListForm } from '@gatehouse/proto/formats/lists/settings.ts'
import { flagOf, foldReference, oneLine } from '@gatehouse/proto/formats/lists/values.ts'
import type { Static } from 'typebox'
import { recordAct } from '../acts.ts'
import { forEachConcurrently } from '../concurrency.ts'
import { ownerOf } from '../event-caller.ts'
import { chosenColumns } from '../import/chosen-columns.ts'
import type { ImportableRow, ImportPlan, ImportResult, RowImport } from '../import/row-import.ts'
import { timeZoneOf } from '../import-check-ins/import.ts'
import { type DayOrder, readMoment, type TimeRules } from '../import-check-ins/moments.ts'
import { IMPORTER } from '../import-guests/rows.ts'
import { allPages } from '../pages.ts'
import { promoCodes } from '../permissions.ts'
import { retried } from '../retry.ts'
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

type CodeBody = Static<typeof promoCodes.actions.create.body>
type VoucherRow = ImportableRow<CodeBody>

/** What a row says, with what is odd about it. */
type ReadVoucher = { body: CodeBody; warnings: string[] } | { problem: string }

const CONCURRENCY = 8
const TARGETS = [...voucherFields, '-']

/** Imports vouchers of another system as discount codes of one event, for the uses that are left. Codes that are there stay as they are. */
export class VoucherRowImport implements RowImport<FieldColumn<VoucherField>, VoucherRow> {
  readonly makesMissing = false
  readonly width = 1
  readonly #system: TicketSystem
  readonly #kind: VoucherKind
  readonly #codes: Client<typeof promoCodes>
  readonly #where: { caller: Caller; params: { event_id: string } }
  readonly #times: TimeRules
  readonly #record: () => Promise<void>

  private constructor(
    bus: Bus,
    system: TicketSystem,
    kind: VoucherKind,
    caller: Caller,
    event: string,
    times: TimeRules,
  ) {
    this.#system = system
    this.#kind = kind
    this.#codes = clientOf(bus, promoCodes)
    this.#where = { caller, params: { event_id: event } }
    this.#times = times
    let recorded: Promise<void> | undefined
    this.#record = () => (recorded ??= recordAct(bus, caller, 'promo.promo_codes.import', event))
  }

  /** Throws one sentence when there is no such event. */
  static async into(
    bus: Bus,
    system: TicketSystem,
    kind: VoucherKind,
    { event, dates }: { event: string; dates?: DayOrder | undefined },
  ): Promise<VoucherRowImport> {
    const caller = await ownerOf(bus, event, IMPORTER)
    const zone = system.zone ?? (await timeZoneOf(bus, caller, event))
    // A voucher may end as late as it likes.
    const times = { zone, dates, now: new Date('9999-01-01') }
    return new VoucherRowImport(bus, system, kind, caller, event, times)
  }

  isKnown(header: string): boolean {
    return knowsHeader(this.#system, header)
  }

  async columnsOf({ headers }: ListSource, overrides: ReadonlyMap<string, string> = new Map()) {
    return fieldColumns(this.#kind, headers, chosenColumns(headers, overrides, TARGETS))
  }

  describe({ field }: FieldColumn<VoucherField>): string {
    return field === '-' || field === 'answer' ? '(left out)' : field
  }

  async planner(
    columns: FieldColumn<VoucherField>[],
    form: ListForm,
  ): Promise<(rows: ListRow[]) => Promise<ImportPlan<VoucherRow>>> {
    const known = new Set<string>()
    for await (const { text } of allPages((page) => this.#codes.list({ ...this.#where, query: page }))) {
      known.add(foldReference(text))
    }
    return async (rows) => {
      const plan: ImportPlan<VoucherRow> = { fresh: [], alreadyThere: [], bad: [], warnings: [], missing: [] }
      for (const row of rows) {
        const read = readVoucher(row, columns, form, this.#system.title, this.#times)
        if ('problem' in read) plan.bad.push({ row, problem: read.problem })
        else if (known.has(foldReference(read.body.text))) plan.alreadyThere.push({ row, body: read.body })
        else {
          for (const problem of read.warnings) plan.warnings.push({ row, problem })
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
      // A retry finds the code that its first try created.
      const idempotency_key = `${this.#where.params.event_id} ${foldReference(body.text)}`
      try {
        await retried(() => this.#codes.create({ ...this.#where, body, idempotency_key }))
        outcome.imported++
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'invalid') throw error
        outcome.bad.push({ row, problem: error.errors ? fullSentences(error.errors).join('; ') : error.message })
      }
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
  if (errors) return { problem: fullSentences(errors).join('; ') }
  const { text, label, effect = '', value, used, most, until } = valuesOf(row.cells, columns)
  if (text === undefined) return { problem: 'It has no code' }
  const problems: string[] = []
  const warnings: string[] = []
  const note = (field: VoucherField, problem: string) =>
    problems.push(`${headerOf(field, row.cells, columns, form.headers)}: ${problem}`)
  const [limit, uses] = [numberOf(most), usesOf(used)]
  if (most !== undefined && limit === undefined) note('most', `"${most}" is not a number of uses`)
  if (used !== undefined && uses === undefined) note('used', `"${used}" is not a number of uses`)
  const discount = discountOf(effect, value, warnings)
  if (!discount) note('value', `"${value}" is not an amount`)
  const end = until === undefined ? undefined : readMoment(withTime(until), times)
  if (typeof end === 'string') note('until', end)
  if (problems.length > 0) return { problem: problems.join('; ') }
  const before = uses ? `${uses} used in ${system}` : ''
  const body = {
    text: oneLine(text),
    label: [label && oneLine(label), before].filter(Boolean).join('; ') || null,
    ...discount,
    max_usage: limit === undefined ? -1 : Math.max(0, limit - (uses ?? 0)),
    end_date: typeof end === 'object' ? end.at : null,
    timezone: times.zone,
  }
  return { body: body as CodeBody, warnings }
}

/** The discount of a voucher; undefined if its value is no amount. One that sets a price has none here. */
function discountOf(
  effect: string,
  value: string | undefined,
  warnings: string[],
): { amount: number; percentage_of_total: boolean } | undefined {
  const none = { amount: 0, percentage_of_total: false }
  const amount = value === undefined ? 0 : amountOf(value)
  if (Number.isNaN(amount)) return undefined
  if (/%|percent|prozent/i.test(effect)) return { amount: Math.min(1, amount / 100), percentage_of_total: true }
  if (amount > 0 && /\b(set|setze|setzt)\b/i.test(effect)) {
    warnings.push(`sets a price of ${value} there, which a code here cannot: its amount is 0`)
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
