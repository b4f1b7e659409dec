import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { wantedTypes } from '@gatehouse/proto/events/domain-events.ts'
import { ScopedCache } from '@gatehouse/proto/storage/scoped-cache.ts'
import type { WatchStore } from '../live/store.ts'
import type { Webhook } from '../webhooks/resource.ts'
import type { WebhookStore } from '../webhooks/store.ts'

const WEBHOOKS = 'webhooks'
const WATCHED = 'watched'

/**
 * The subscribers: enabled webhooks of accounts, and watched events. Each batch needs them and they rarely change, so they are cached until
 * a change is announced (`Wanted`), for a minute at most.
 */
export class Subscribers {
  readonly #webhooks: WebhookStore
  readonly #watches: WatchStore
  readonly #cache = new ScopedCache()

  constructor(bus: Bus, webhooks: WebhookStore, watches: WatchStore) {
    this.#webhooks = webhooks
    this.#watches = watches
    bus.listen(wantedTypes, () => this.#cache.invalidateAll())
    bus.onReconnect(() => this.#cache.invalidateAll())
  }

  /** The enabled webhooks of an account. */
  async webhooksOf(account_id: string): Promise<Webhook[]> {
    const entries = this.#cache.of(account_id)
    const known = entries.get(WEBHOOKS) as Webhook[] | undefined
    if (known) return known
    const found = await this.#webhooks.enabledOf(account_id)
    entries.set(WEBHOOKS, found)
    return found
  }

  /** The watched ones of these events. */
  async watched(event_ids: string[]): Promise<Set<string>> {
    const entries = event_ids.map((id) => this.#cache.of(id))
    const unknown = event_ids.filter((_, index) => !entries[index]?.has(WATCHED))
    const found = unknown.length > 0 ? await this.#watches.among(unknown) : new Set()
    return new Set(
      event_ids.filter((id, index) => {
        const known = entries[index]?.get(WATCHED) as { is: boolean } | undefined
        if (!known) entries[index]?.set(WATCHED, { is: found.has(id) })
        return known?.is ?? found.has(id)
      }),
    )
  }
}
