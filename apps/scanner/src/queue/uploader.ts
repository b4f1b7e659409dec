import { GatehouseError } from '../../../../clients/typescript/client.ts'
import { askFor, concluded } from '../scanning/answers.ts'
import type { StoredScan } from '../scanning/scan.ts'
import type { CheckInResult, ServerClient } from '../server/server.ts'
import type { ScanStore } from '../storage/scans.ts'
import { goesAlone, heldUpWith, MAX_BATCH, sendable, shipmentOf } from './shipment.ts'
import type { SignatureQueue } from './signature-queue.ts'
import type { UndoQueue } from './undo-queue.ts'

interface UploaderOptions {
  device_id: string
  store: ScanStore
  server: ServerClient
  /** What goes up before the scans, as a guest may be scanned again after it, and after those that were undone while they waited. */
  undos: UndoQueue
  /** What goes up after the scans. */
  signatures: SignatureQueue
  /** The places of scans for which the server is being asked just now. */
  asking: ReadonlySet<number>
  /** Called when scans have come to their end. */
  ended: (scans: readonly StoredScan[]) => void
}

/** No answer, a token that ended, too many requests: the next request would fare no better. */
const ENDS_THE_RUN = new Set([0, 401, 429])

/** Sends the scans that wait, in their order, until each is confirmed or refused. */
export class Uploader {
  readonly #options: UploaderOptions
  #running: Promise<void> | undefined

  constructor(options: UploaderOptions) {
    this.#options = options
  }

  /**
   * Sends what waits, unless that is going on. Ends when nothing waits or the server does not answer. Scans that it cannot judge now are passed
   * over until the next run.
   */
  run(): Promise<void> {
    // A second window of the app sends nothing meanwhile.
    this.#running ??= navigator.locks
      .request('upload', async () => {
        if (await this.#sendScans()) await this.#options.signatures.sendAll()
      })
      .finally(() => {
        this.#running = undefined
      })
    return this.#running
  }

  /** Returns whether the server answered as long as there was something to send. */
  async #sendScans(): Promise<boolean> {
    const { store, device_id, asking, ended, undos } = this.#options
    const heldUp = new Set<number>()
    for (;;) {
      if (!(await undos.sendAll())) return false
      const oldest = await store.waitingOf(device_id, heldUp.size + asking.size + MAX_BATCH)
      const undoing = await store.undoing(device_id)
      const waiting = sendable(oldest, asking, undoing).filter(({ sequence }) => !heldUp.has(sequence))
      const shipment = shipmentOf(waiting)
      if (shipment.length === 0) return true
      const scans = await store.claim(shipment)
      if (scans.length === 0) continue
      const answers = await this.#send(scans)
      if (answers === 'unanswered') return false
      if (answers === 'unjudged') {
        for (const { sequence } of heldUpWith(scans, waiting)) heldUp.add(sequence)
        continue
      }
      const sent = scans.map((scan, index) => concluded(scan, answers[index] as CheckInResult))
      await store.put(sent)
      ended(sent)
    }
  }

  /** Sends scans and returns the answers in their order, or why they have to wait longer. */
  async #send(scans: StoredScan[]): Promise<CheckInResult[] | 'unanswered' | 'unjudged'> {
    const { server } = this.#options
    const [first] = scans
    try {
      return first && goesAlone(first) ? [await askFor(first, server)] : await server.checkInAll(scans)
    } catch (error) {
      if (!(error instanceof GatehouseError)) throw error
      return ENDS_THE_RUN.has(error.status) ? 'unanswered' : 'unjudged'
    }
  }
}
