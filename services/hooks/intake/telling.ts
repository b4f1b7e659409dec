import { events } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { clientOf, derivedId } from '@gatehouse/proto/calls.ts'
import type { DomainHead, DomainMessage } from '@gatehouse/proto/domain.ts'
import { LRUCache } from 'lru-cache'
import type { Courier } from '../deliveries/courier.ts'
import type { DeliveryStore, NewDelivery } from '../deliveries/store.ts'
import type { Webhook } from '../webhooks/resource.ts'
import { happeningId, payloadsOf } from './happenings.ts'
import type { Telling } from './intake.ts'
import type { Listeners } from './listeners.ts'

/** What telling takes. */
export interface TellerOptions {
  bus: Bus
  listeners: Listeners
  deliveries: DeliveryStore
  courier: Courier
}

/** One thing that happened. */
interface Happening {
  /** The same however often it is heard of. */
  id: string
  message: DomainMessage
  item: { _id: string }
  /** What receivers get. */
  payload: string
}

/** Queues deliveries of what happened to those webhooks that want to hear of it. */
export class Teller implements Telling {
  readonly #options: TellerOptions
  readonly #events
  readonly #owners = new LRUCache<string, string>({ max: 10_000 })

  constructor(options: TellerOptions) {
    this.#options = options
    this.#events = clientOf(options.bus, events)
  }

  async select(heads: DomainHead[]): Promise<DomainHead[]> {
    const listening = await this.#listening(heads)
    return heads.filter((head) => head.type === 'badge.completed' || listening(head).length > 0)
  }

  /** Resolves when everything is on disk. What was told before is not told again. */
  async tell(messages: DomainMessage[]): Promise<void> {
    const { deliveries, courier } = this.#options
    const listening = await this.#listening(messages)
    const queued = await Promise.all(
      messages.map(async (message) => {
        const happenings = payloadsOf(message).map((payload, index) => {
          const item = message.items[index] as { _id: string }
          return { id: happeningId(message, item), message, item, payload }
        })
        const own = listening(message).flatMap(({ _id, account_id }) =>
          happenings.map((happening) => deliveryOf(happening, account_id, _id, happening.payload)),
        )
        return [...own, ...(await this.#badgeHook(message, happenings))]
      }),
    )
    courier.bring(await deliveries.insert(queued.flat(), (webhook_id) => courier.offer(webhook_id)))
  }

  /** Finds the webhooks that want to hear of each of these. */
  async #listening(heads: DomainHead[]): Promise<(head: DomainHead) => Webhook[]> {
    const eventIds = [...new Set(heads.map(({ event_id }) => event_id))]
    const webhooks = new Map(
      await Promise.all(
        eventIds.map(async (id) => {
          const owner = await this.#ownerOf(id)
          return [id, owner === null ? [] : await this.#options.listeners.webhooksOf(owner)] as const
        }),
      ),
    )
    return (head) => webhooks.get(head.event_id)?.filter((webhook) => wants(webhook, head)) ?? []
  }

  /** The badge hook of an event gets the guest itself. */
  async #badgeHook({ type, event_id }: DomainMessage, happenings: Happening[]): Promise<NewDelivery[]> {
    if (type !== 'badge.completed') return []
    const [owner, { url }] = await Promise.all([
      this.#ownerOf(event_id),
      this.#events.badge_hook({ body: { event_id } }),
    ])
    if (!url || owner === null) return []
    return happenings.map((happening) =>
      deliveryOf(happening, owner, event_id, JSON.stringify({ _type: 'Guest', ...happening.item })),
    )
  }

  async #ownerOf(event_id: string): Promise<string | null> {
    const known = this.#owners.get(event_id)
    if (known) return known
    const { account_id } = await this.#events.owner({ body: { event_id } })
    if (account_id) this.#owners.set(event_id, account_id)
    return account_id
  }
}

function wants({ event_types, event_id }: Webhook, head: DomainHead): boolean {
  if (event_id !== null && event_id !== head.event_id) return false
  return event_types.length === 0 || event_types.includes(head.type)
}

function deliveryOf({ id, message }: Happening, account_id: string, webhook_id: string, payload: string): NewDelivery {
  const { event_id, type } = message
  const created_at = new Date()
  return { _id: derivedId(webhook_id, id), account_id, webhook_id, event_id, event_type: type, payload, created_at }
}
