import { GatehouseError } from '../../../../clients/typescript/client.ts'
import { askFor, concluded } from '../scanning/answers.ts'
import type { Scan } from '../scanning/scan.ts'
import type { Answer, Server } from '../server/server.ts'
import type { ScanStore } from '../storage/scans.ts'
import { goesAlone, MAX_BATCH, shipmentOf } from './shipment.ts'
import type { SignatureQueue } from './signature-queue.ts'

interface Parts {
  device_id: string
  store: ScanStore
  server: Server
  /** What goes up after the scans. */
  signatures: SignatureQueue
  /** The places of scans for which the server is being asked just now. */
  asking: ReadonlySet<number>
  /** Called when scans have come to their end. */
  ended: (scans: readonly Scan[]) => void
}

/** Sends the scans which wait, in their order, until each is confirmed or refused. */
export class Uploader {
  readonly #parts: Parts
  #running: Promise<void> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Sends what waits, unless that is going on. Ends when nothing waits or the server does not answer. */
  run(): Promise<void> {
    // A second window of the app sends nothing meanwhile.
    this.#running ??= navigator.locks
      .request('upload', async () => {
        if (await this.#sendScans()) await this.#parts.signatures.sendAll()
      })
      .finally(() => {
        this.#running = undefined
      })
    return this.#running
  }

  /** Gives whether the server answered as long as there was something to send. */
  async #sendScans(): Promise<boolean> {
    const { store, device_id, asking, ended } = this.#parts
    for (;;) {
      const waiting = await store.waitingOf(device_id, MAX_BATCH)
      const scans = shipmentOf(waiting.filter(({ sequence }) => !asking.has(sequence)))
      if (scans.length === 0) return true
      const answers = await this.#send(scans)
      if (!answers) return false
      const sent = scans.map((scan, index) => concluded(scan, answers[index] as Answer))
      await store.put(sent)
      ended(sent)
    }
  }

  /** Sends scans and gives the answers in their order; undefined if they have to wait longer. */
  async #send(scans: Scan[]): Promise<Answer[] | undefined> {
    const { server } = this.#parts
    const [first] = scans
    try {
      return first && goesAlone(first) ? [await askFor(first, server)] : await server.checkInAll(scans)
    } catch (error) {
      if (error instanceof GatehouseError) return undefined
      throw error
    }
  }
}
