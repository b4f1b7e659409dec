import { GatehouseError } from '../../../../clients/typescript/client.ts'
import type { StoredScan } from '../scanning/scan.ts'
import { type Problem, problemOf } from '../server/problems.ts'
import type { ServerClient } from '../server/server.ts'
import type { ScanStore } from '../storage/scans.ts'

interface UndoQueueOptions {
  device_id: string
  store: ScanStore
  server: ServerClient
  /** Called when the server has deleted the check-in of a scan, or says why it does not. */
  ended: (scan: StoredScan, problem: Problem | null) => void
}

/** No answer, a token that ended, too many requests: the next request would fare no better. */
const ENDS_THE_RUN = new Set([0, 401, 429])
const GONE = 404
const CONFLICT = 409
const SERVER_ERROR = 500

/** Has the server delete the check-ins that the steward has undone. */
export class UndoQueue {
  readonly #options: UndoQueueOptions

  constructor(options: UndoQueueOptions) {
    this.#options = options
  }

  /** Sends what waits. Returns whether the server answered. */
  async sendAll(): Promise<boolean> {
    const { device_id, store, ended } = this.#options
    for (const scan of await store.undoing(device_id)) {
      const answer = await this.#send(scan)
      if (answer === 'unanswered') return false
      if (answer === 'unjudged') continue
      await store.concludeUndo(scan, answer?.problem ?? null)
      ended(scan, answer?.problem ?? null)
    }
    return true
  }

  /** Returns undefined once the check-in is deleted, or why the server does not delete it, or why this has to wait. */
  async #send({ check_in_id }: StoredScan): Promise<undefined | { problem: Problem } | 'unanswered' | 'unjudged'> {
    try {
      if (check_in_id !== undefined) await this.#options.server.deleteCheckIn(check_in_id)
      return undefined
    } catch (error) {
      if (!(error instanceof GatehouseError)) throw error
      const { status } = error
      if (ENDS_THE_RUN.has(status)) return 'unanswered'
      if (status === GONE) return undefined
      return status === CONFLICT || status >= SERVER_ERROR ? 'unjudged' : { problem: problemOf(error) }
    }
  }
}
