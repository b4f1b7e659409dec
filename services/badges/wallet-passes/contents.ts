import type { Guests } from '../guests.ts'
import type { Owner } from '../owners.ts'
import { type PassContent, passContentOf } from './content.ts'
import type { PassEvents } from './events.ts'

/** Reads what passes say. */
export class PassContents {
  readonly #guests: Guests
  readonly #events: PassEvents

  constructor(guests: Guests, events: PassEvents) {
    this.#guests = guests
    this.#events = events
  }

  /** What the pass of a guest says now; undefined if the guest is gone. */
  async get({ event_id, guest_id }: Owner): Promise<PassContent | undefined> {
    const guest = await this.#guests.printed(event_id, guest_id)
    if (!guest) return undefined
    const [event, ciphering] = await Promise.all([this.#events.get(event_id), this.#guests.ciphering(event_id)])
    return passContentOf(event, guest, ciphering)
  }
}
