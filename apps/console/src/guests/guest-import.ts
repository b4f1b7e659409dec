import { patiently } from '../server/patience.ts'
import { type GatehouseError, type Item, newKey, post, refusalOf, type Tries } from '../server/server.ts'
import { SteppedRun } from '../server/stepped-run.ts'
import type { ImportRow } from './guest-file.ts'
import { hashOf } from './hash.ts'

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

const CREATE = '/api/v1/events/{event_id}/guests/batch_create.json'
const UPDATE = '/api/v1/events/{event_id}/guests/batch_update.json'
/** Rows of one request: however large they are, it may have them. */
const AT_ONCE = 100

/** Rows of one request, which is sent under a key: all of new guests, or all of guests who are there. */
interface Step {
  rows: ImportRow[]
  key: string
  tries: Tries
}

/**
 * An import that is running, stopped or done. Each row is created once, however often it is sent, also by another page that imports the same
 * file: its own key follows from what it is.
 */
export class GuestImport extends SteppedRun<Step> {
  readonly #event_id: string
  readonly #digest: string
  readonly #wordsOf: (refusal: GatehouseError) => string
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

  protected async take(step: Step, signal: AbortSignal): Promise<void> {
    await (step.rows[0]?.change ? this.#change(step, signal) : this.#create(step, signal))
  }

  protected isSkipped({ rows }: Step, refusal: GatehouseError): boolean {
    if (!isAboutRow(refusal)) return false
    for (const row of rows) this.#refuse(row, refusal)
    return true
  }

  /** Notes what became of a row, if `answer` says nothing else. */
  #note(row: ImportRow, answer: Item | undefined, outcome: ImportedRow['outcome'], uid: unknown): void {
    const refusal = answer && refusalOf(answer)
    if (refusal) return this.#refuse(row, refusal)
    this.rows.push({ line: row.line, uid: String(uid), outcome })
    this.counts[outcome]++
    if (lacksEmail(row)) this.withoutEmail.push(row)
  }

  #refuse({ line, cells }: ImportRow, refusal: GatehouseError): void {
    this.bad.push({ line, cells, problem: this.#wordsOf(refusal) })
  }

  /** Changes guests. Those whom nothing changes are not sent. */
  async #change(step: Step, signal: AbortSignal): Promise<void> {
    const sent = step.rows.filter(({ change }) => change && change.fields.length > 0)
    const items = sent.map(({ change }) => ({ ...change?.body, _id: change?._id }))
    const answers = sent.length === 0 ? [] : await this.#send(UPDATE, step, items, signal)
    for (const row of step.rows) {
      const answer = answers[sent.indexOf(row)]
      this.#note(row, answer, answer ? 'changed' : 'same', row.change?.body.uid ?? row.change?.uid)
    }
  }

  async #create(step: Step, signal: AbortSignal): Promise<void> {
    const items = await Promise.all(
      step.rows.map(async ({ line, body }) => ({
        status: 'imported',
        ...body,
        idempotency_key: await hashOf(JSON.stringify([this.#event_id, this.#digest, line, body])),
      })),
    )
    const answers = await this.#send(CREATE, step, items, signal)
    for (const [index, row] of step.rows.entries()) {
      const answer = answers[index]
      // A try that got no answer may have stored the guest.
      const isAdded = answer?.created === true || step.tries.count > 1
      this.#note(row, answer, isAdded ? 'added' : 'there', answer?.uid)
    }
  }

  #send(path: string, { key, tries }: Step, items: readonly Item[], signal: AbortSignal): Promise<Item[]> {
    const send = async () => (await post(path, { event_id: this.#event_id }, items, key, tries)) as unknown as Item[]
    return patiently(send, signal)
  }
}

/** Rows as they are sent. */
function stepsOf(rows: readonly ImportRow[]): Step[] {
  return [rows.filter(({ change }) => change), rows.filter(({ change }) => !change)].flatMap((some) =>
    Array.from({ length: Math.ceil(some.length / AT_ONCE) }, (_, index) => ({
      rows: some.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
      key: newKey(),
      tries: { count: 0 },
    })),
  )
}

/** A 409 with `Retry-After` is about another try that is still at work. */
function isAboutRow({ status, retryAfter }: GatehouseError): boolean {
  return ABOUT_ROW.has(status) && retryAfter === undefined
}

/** Whether a row makes a guest to whom no e-mail can be sent. */
export function lacksEmail({ change, body }: ImportRow): boolean {
  return !change && !body.email
}
