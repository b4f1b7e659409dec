import { GatehouseError } from '../../../../clients/typescript/client.ts'
import type { ServerClient } from '../server/server.ts'
import type { SignatureStore } from '../storage/signatures.ts'

/** Items of a batch: below its 10 MiB, however much is drawn. */
const MAX_BATCH = 10

interface SignatureQueueOptions {
  device_id: string
  signatures: SignatureStore
  server: ServerClient
  /** Called when signatures have come to their end. */
  ended: () => void
}

/** Sends the signatures that wait, in their order, until the server has each or does not take it. */
export class SignatureQueue {
  readonly #options: SignatureQueueOptions

  constructor(options: SignatureQueueOptions) {
    this.#options = options
  }

  /** Sends what waits. Ends when nothing waits or the server does not answer. */
  async sendAll(): Promise<void> {
    const { device_id, signatures, server, ended } = this.#options
    for (;;) {
      const waiting = await signatures.waitingOf(device_id, MAX_BATCH)
      if (waiting.length === 0) return
      try {
        const problems = await server.signAll(waiting)
        const sent = waiting.filter((_, index) => problems[index] === null)
        const refused = waiting.flatMap((signature, index) => {
          const problem = problems[index] ?? null
          return problem === null ? [] : { ...signature, state: 'refused' as const, problem }
        })
        await signatures.conclude(sent, refused)
      } catch (error) {
        if (error instanceof GatehouseError) return
        throw error
      }
      ended()
    }
  }
}
