import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf, requesterFor } from '@gatehouse/proto/bus/client.ts'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { accounts, events } from '../permissions.ts'

/** What passes say of an event, with its account's branding. */
export type PassEvent = Output<(typeof events)['actions']['campaign_terms']> & {
  event_id: string
  colour: string | null
  logo_url: string | null
}

/** Reads what passes say of events. Nothing is cached. */
export class PassEvents {
  readonly #events
  readonly #accounts
  readonly #logo

  constructor(bus: Bus) {
    this.#events = clientOf(bus, events)
    this.#accounts = clientOf(bus, accounts)
    this.#logo = requesterFor(bus, accounts, 'logo')
  }

  /** Returns what passes say of an event. Throws `not_found` if there is none. */
  async get(event_id: string): Promise<PassEvent> {
    const event = await this.#events.campaign_terms({ body: { event_id } })
    const { color, name, logo_url } = await this.#accounts.look({ body: { account_id: event.account_id } })
    const organizer = event.organizer?.trim() || name?.trim() || null
    return { ...event, event_id, organizer, colour: color, logo_url: logo_url ?? null }
  }

  /** Returns the logo behind an address if it is a PNG, which alone passes may hold. */
  async png(logo_url: string | null): Promise<Buffer | undefined> {
    const [, logo_id] = /\/logos\/([^/]+)\.png$/.exec(logo_url ?? '') ?? []
    if (logo_id === undefined) return undefined
    try {
      return Buffer.from((await this.#logo({ params: { logo_id }, format: 'png' })).body)
    } catch {
      // A pass without logo is better than none.
      return undefined
    }
  }
}
