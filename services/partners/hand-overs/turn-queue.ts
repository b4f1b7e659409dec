import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { PartnerKey } from '../partners/usage-store.ts'
import { offerTurn, prepareTurns } from './turns.ts'

/** The partners service's end of the queue of turns. */
export class TurnQueue {
  readonly #bus: Bus
  #isPrepared = false

  constructor(bus: Bus) {
    this.#bus = bus
  }

  /**
   * Puts a partner's turn at the end of the queue unless it has one. Never rejects: while JetStream is away nothing is sent, and the upkeep
   * offers the turn again.
   */
  async offer({ _id, event_id }: PartnerKey): Promise<void> {
    try {
      if (!this.#isPrepared) await prepareTurns(this.#bus)
      this.#isPrepared = true
      await offerTurn(this.#bus, { event_id, partner_id: _id })
    } catch {
      // Most often the partner has its turn already. If the queue was lost, it is created by the mail service.
    }
  }
}
