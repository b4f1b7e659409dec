import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type EventType, eventTypes, wantedTypes } from '@gatehouse/proto/events/domain-events.ts'
import type { WatchStore } from '../live/store.ts'
import type { WebhookStore } from '../webhooks/store.ts'

/**
 * The event types that have subscribers. Services ask for them now and then and publish only these. A new type is announced to the
 * services at once, before its subscriber is answered.
 */
export class WantedTypes {
  readonly #bus: Bus
  readonly #webhooks: WebhookStore
  readonly #watches: WatchStore

  constructor(bus: Bus, webhooks: WebhookStore, watches: WatchStore) {
    this.#bus = bus
    this.#webhooks = webhooks
    this.#watches = watches
  }

  /** Answers services that ask, and makes services ask again that asked before. */
  serve(): void {
    this.#bus.serve('hooks.wanted', 'hooks', async () => ({
      body: Buffer.from(JSON.stringify({ types: [...(await this.#types())] })),
    }))
    this.remove()
  }

  /** These types are wanted from now on; an empty list means all. */
  async add(types: readonly EventType[]): Promise<void> {
    this.#bus.announce(wantedTypes, [...(types.length > 0 ? types : eventTypes)])
    await this.#bus.flush()
  }

  /** Some types may no longer be wanted. */
  remove(): void {
    this.#bus.announce(wantedTypes, [])
  }

  async #types(): Promise<Set<EventType>> {
    const [webhooks, isWatched] = await Promise.all([this.#webhooks.subscriptions(), this.#watches.any()])
    const isAll = isWatched || webhooks.some(({ event_types }) => event_types.length === 0)
    // Badge hooks of events are not known here, and badges are rarely completed.
    return new Set(isAll ? eventTypes : ['badge.completed', ...webhooks.flatMap(({ event_types }) => event_types)])
  }
}
