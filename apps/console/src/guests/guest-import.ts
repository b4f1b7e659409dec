import { asRefusal, type GatehouseError, newKey, post } from '../server/server.ts'
import type { BadRow, Row } from './import-rows.ts'

/** Requests at a time: browsers open six connections to a host. */
const WORKERS = 6
/** Errors about the row itself. Others are about the way or the session, and stop the import. */
const ABOUT_ROW = new Set([400, 409, 413, 422])
const LIST = '/api/v1/events/{event_id}/guests.json'

/** An import which is running, stopped or done. Each row is created once, however often it is sent. */
export class GuestImport {
  readonly #event_id: string
  readonly #rows: readonly Row[]
  readonly #onChange: () => void
  readonly #key = newKey()
  readonly #waiting: Row[]
  isRunning = false
  imported = 0
  readonly bad: BadRow[] = []
  /** Why it has stopped. */
  error: GatehouseError | undefined

  constructor(event_id: string, rows: readonly Row[], onChange: () => void) {
    this.#event_id = event_id
    this.#rows = rows
    this.#waiting = [...rows].reverse()
    this.#onChange = onChange
  }

  get count(): number {
    return this.#rows.length
  }

  get done(): number {
    return this.imported + this.bad.length
  }

  get isOver(): boolean {
    return this.done === this.count
  }

  /** Starts, or goes on. */
  async run(): Promise<void> {
    if (this.isRunning) return
    this.isRunning = true
    this.error = undefined
    await Promise.all(Array.from({ length: WORKERS }, () => this.#work()))
    this.isRunning = false
    this.#onChange()
  }

  /** Stops after the rows which are on the way. */
  stop(): void {
    this.isRunning = false
  }

  async #work(): Promise<void> {
    while (this.isRunning) {
      const row = this.#waiting.pop()
      if (!row) return
      await this.#send(row)
      this.#onChange()
    }
  }

  async #send(row: Row): Promise<void> {
    try {
      await post(LIST, { event_id: this.#event_id }, row.body, `${this.#key}-${row.line}`)
      this.imported++
    } catch (problem) {
      const refusal = asRefusal(problem)
      if (ABOUT_ROW.has(refusal.status)) {
        this.bad.push({ line: row.line, cells: row.cells, problem: refusal.message })
        return
      }
      this.error = refusal
      this.#waiting.push(row)
      this.stop()
    }
  }
}
