import { patiently } from '../server/patience.ts'
import { GatehouseError, type Item, newKey, post } from '../server/server.ts'
import { SteppedRun } from '../server/stepped-run.ts'
import { createOnce } from './create-once.ts'
import type { ImportRow } from './guest-file.ts'

/** Errors about the row itself. Others are about the way or the session, and stop the import. */
const ABOUT_ROW = new Set([400, 409, 413, 422])

/** What became of a row: `same` if there was nothing to change, `there` if an earlier import of the file has stored it. */
export interface ImportedRow {
  line: number
  /** The code of the guest. */
  uid: string
  outcome: 'added' | 'changed' | 'same' | 'there'
}

/** A row that was not imported, and why. */
export interface SkippedRow {
  line: number
  cells: string[]
  problem: string
}

const UPDATE = '/api/v1/events/{event_id}/guests/batch_update.json'
/** Changes of one request: however large they are, it may have them. */
const AT_ONCE = 100

/** Rows of one request: one of a new guest, or several that change guests, which are sent under a key. */
interface Step {
  rows: ImportRow[]
  key: string
}

/**
 * An import that is running, stopped or done. Each row is created once, however often it is sent, also by another page that imports the same
 * file: its key follows from what it is.
 */
export class GuestImport extends SteppedRun<Step> {
  readonly #event_id: string
  readonly #digest: string
  readonly #wordsOf: (refusal: GatehouseError) => string
  /** Rows that were sent and got no answer. */
  readonly #unanswered = new Set<ImportRow>()
  /** How many rows there are. */
  readonly count: number
  readonly rows: ImportedRow[] = []
  /** How many rows had which outcome. */
  readonly counts = { added: 0, changed: 0, same: 0, there: 0 }
  readonly bad: SkippedRow[] = []
  /** Those who were added and have no e-mail address. */
  readonly withoutEmail: ImportRow[] = []

  /** `digest` is that of the file; `wordsOf` says why a row was refused. */
  constructor(
    event_id: string,
    digest: string,
    rows: readonly ImportRow[],
    wordsOf: (refusal: GatehouseError) => string,
    onChange: () => void,
  ) {
    super(stepsOf(rows), onChange)
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

  protected async take({ rows, key }: Step, signal: AbortSignal): Promise<void> {
    const [first] = rows
    if (first && !first.change) this.#note(first, await this.#create(first, signal))
    else await this.#change(rows, key, signal)
  }

  protected isSkipped({ rows }: Step, refusal: GatehouseError): boolean {
    if (!isAboutRow(refusal)) return false
    for (const row of rows) this.#refuse(row, refusal)
    return true
  }

  #note(row: ImportRow, done: Outcome): void {
    this.rows.push({ line: row.line, ...done })
    this.counts[done.outcome]++
    if (lacksEmail(row)) this.withoutEmail.push(row)
  }

  #refuse({ line, cells }: ImportRow, refusal: GatehouseError): void {
    this.bad.push({ line, cells, problem: this.#wordsOf(refusal) })
  }

  /** Changes guests by one request. Those whom nothing changes are not sent. */
  async #change(rows: readonly ImportRow[], key: string, signal: AbortSignal): Promise<void> {
    const sent = rows.filter(({ change }) => change && change.fields.length > 0)
    const items = sent.map(({ change }) => ({ ...change?.body, _id: change?._id }))
    const send = async () => (await post(UPDATE, { event_id: this.#event_id }, items, key)) as unknown as Item[]
    const answers = sent.length === 0 ? [] : await patiently(send, signal)
    for (const row of rows) {
      const uid = String(row.change?.body.uid ?? row.change?.uid)
      const answer = answers[sent.indexOf(row)]
      const errors = answer?.errors as GatehouseError['errors'] | undefined
      if (errors) this.#refuse(row, new GatehouseError(422, '', { errors }))
      else this.#note(row, { uid, outcome: answer ? 'changed' : 'same' })
    }
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

/** Rows as they are sent: each new guest alone, changes together. */
function stepsOf(rows: readonly ImportRow[]): Step[] {
  const changes = rows.filter(({ change }) => change)
  const count = Math.ceil(changes.length / AT_ONCE)
  const batches = Array.from({ length: count }, (_, index) => changes.slice(index * AT_ONCE, (index + 1) * AT_ONCE))
  const single = rows.filter(({ change }) => !change).map((row) => [row])
  return [...batches, ...single].map((each) => ({ rows: each, key: newKey() }))
}

/** A 409 with `Retry-After` is about another try that is still at work. */
function isAboutRow({ status, retryAfter }: GatehouseError): boolean {
  return ABOUT_ROW.has(status) && retryAfter === undefined
}

/** Whether a row makes a guest to whom no e-mail can be sent. */
export function lacksEmail({ change, body }: ImportRow): boolean {
  return !change && !body.email
}
