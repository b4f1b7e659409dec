import { patiently } from '../server/patience.ts'
import { change, type GatehouseError } from '../server/server.ts'
import { SteppedRun } from '../server/stepped-run.ts'
import { createOnce } from './create-once.ts'
import type { ImportRow } from './guest-file.ts'
import type { GuestChange } from './import/existing.ts'

/** Errors about the row itself. Others are about the way or the session, and stop the import. */
const ABOUT_ROW = new Set([400, 409, 413, 422])

/** What became of a row. One that is there has nothing to change, or an earlier import of the file has stored it. */
export interface ImportedRow {
  line: number
  /** The code of the guest. */
  uid: string
  outcome: 'added' | 'changed' | 'there'
}

/** A row that was not imported, and why. */
export interface SkippedRow {
  line: number
  cells: string[]
  problem: string
}

const ONE = '/api/v1/events/{event_id}/guests/{id}.json'

/**
 * An import that is running, stopped or done. Each row is created once, however often it is sent, also by another page that imports the same
 * file: its key follows from what it is.
 */
export class GuestImport extends SteppedRun<ImportRow> {
  readonly #event_id: string
  readonly #digest: string
  readonly #wordsOf: (refusal: GatehouseError) => string
  /** Rows that were sent and got no answer. */
  readonly #unanswered = new Set<ImportRow>()
  /** How many rows there are. */
  readonly count: number
  readonly rows: ImportedRow[] = []
  /** How many rows had which outcome. */
  readonly counts = { added: 0, changed: 0, there: 0 }
  readonly bad: SkippedRow[] = []
  /** How many of those who were added have no e-mail address. */
  withoutEmail = 0

  /** `digest` is that of the file; `wordsOf` says why a row was refused. */
  constructor(
    event_id: string,
    digest: string,
    rows: readonly ImportRow[],
    wordsOf: (refusal: GatehouseError) => string,
    onChange: () => void,
  ) {
    super(rows, onChange)
    this.#event_id = event_id
    this.#digest = digest
    this.count = rows.length
    this.#wordsOf = wordsOf
  }

  get done(): number {
    return this.rows.length + this.bad.length
  }

  get isOver(): boolean {
    return this.done === this.count
  }

  protected async take(row: ImportRow, signal: AbortSignal): Promise<void> {
    const done = row.change ? await this.#change(row.change, signal) : await this.#create(row, signal)
    this.rows.push({ line: row.line, ...done })
    this.counts[done.outcome]++
    if (lacksEmail(row)) this.withoutEmail++
  }

  protected isSkipped(row: ImportRow, refusal: GatehouseError): boolean {
    if (!isAboutRow(refusal)) return false
    this.bad.push({ line: row.line, cells: row.cells, problem: this.#wordsOf(refusal) })
    return true
  }

  async #change({ _id: id, uid, fields, body }: GuestChange, signal: AbortSignal): Promise<Outcome> {
    if (fields.length === 0) return { uid, outcome: 'there' }
    await patiently(() => change(ONE, { event_id: this.#event_id, id }, body), signal)
    return { uid: String(body.uid ?? uid), outcome: 'changed' }
  }

  async #create(row: ImportRow, signal: AbortSignal): Promise<Outcome> {
    const { item, wasDone } = await createOnce({
      event_id: this.#event_id,
      seed: [this.#digest, row.line],
      body: row.body,
      signal,
      onUnanswered: () => this.#unanswered.add(row),
    })
    return { uid: String(item.uid), outcome: wasDone && !this.#unanswered.has(row) ? 'there' : 'added' }
  }
}

type Outcome = Omit<ImportedRow, 'line'>

/** A 409 with `Retry-After` is about another try that is still at work. */
function isAboutRow({ status, retryAfter }: GatehouseError): boolean {
  return ABOUT_ROW.has(status) && retryAfter === undefined
}

/** Whether a row makes a guest to whom no e-mail can be sent. */
export function lacksEmail({ change, body }: ImportRow): boolean {
  return !change && !body.email
}
