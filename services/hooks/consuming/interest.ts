import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type EventType, eventTypes, INTEREST_TOPIC } from '@gatehouse/proto/events/domain-events.ts'
import type { WatchStore } from '../live/store.ts'
import type { WebhookStore } from '../webhooks/store.ts'

/**
 * What somebody in the system wants to hear of. Services ask for it now and then, and tell nothing else; what is wanted more is
 * announced to them at once, before whoever wants it is answered.
 */
export class Interest {
  readonly #bus: Bus
  readonly #webhooks: WebhookStore
  readonly #watches: WatchStore

  constructor(bus: Bus, webhooks: WebhookStore, watches: WatchStore) {
    this.#bus = bus
    this.#webhooks = webhooks
    this.#watches = watches
  }

  /** Answers services that ask, and has those ask again that asked before. */
  serve(): void {
    this.#bus.serve('hooks.wanted', 'hooks', async () => ({
      body: Buffer.from(JSON.stringify({ types: [...(await this.#types())] })),
    }))
    this.remove()
  }

  /** These types are wanted from now on; all of them for an empty list. */
  async add(types: readonly EventType[]): Promise<void> {
    this.#bus.announce(INTEREST_TOPIC, JSON.stringify(types.length > 0 ? types : eventTypes))
    await this.#bus.flush()
  }

  /** Less may be wanted than before. */
  remove(): void {
    this.#bus.announce(INTEREST_TOPIC, '[]')
  }

  async #types(): Promise<Set<EventType>> {
    const [webhooks, isWatched] = await Promise.all([this.#webhooks.subscriptions(), this.#watches.any()])
    const isAll = isWatched || webhooks.some(({ event_types }) => event_types.length === 0)
    // Whether events have a badge hook is not known here, and badges are completed seldom.
    return new Set(isAll ? eventTypes : ['badge.completed', ...webhooks.flatMap(({ event_types }) => event_types)])
  }
}
