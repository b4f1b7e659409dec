import { events } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { clientOf, derivedId } from '@gatehouse/proto/calls.ts'
import type { DomainMessage } from '@gatehouse/proto/domain.ts'
import { subjectIn } from '@gatehouse/proto/streams.ts'
import { type JetStreamClient, jetstream } from '@nats-io/jetstream'
import { LRUCache } from 'lru-cache'
import type { Courier } from '../deliveries/courier.ts'
import type { DeliveryStore, NewDelivery } from '../deliveries/store.ts'
import type { WatchStore } from '../live/store.ts'
import type { Webhook } from '../webhooks/resource.ts'
import type { WebhookStore } from '../webhooks/store.ts'
import type { Verified } from './verification.ts'

/** One thing that happened. */
interface Happening {
  /** The same however often it is heard of. */
  id: string
  message: DomainMessage
  item: { _id: string }
  /** What receivers and live feeds get. */
  payload: string
}

/** What telling takes. */
export interface TellerOptions {
  bus: Bus
  webhooks: WebhookStore
  deliveries: DeliveryStore
  watches: WatchStore
  courier: Courier
}

/** Tells what happened to those who want to hear of it: queues deliveries to webhooks, and writes the live stream of watched events. */
export class Teller {
  readonly #options: TellerOptions
  readonly #events
  readonly #jetstream: JetStreamClient
  readonly #owners = new LRUCache<string, string>({ max: 10_000 })

  constructor(options: TellerOptions) {
    this.#options = options
    this.#events = clientOf(options.bus, events)
    this.#jetstream = jetstream(options.bus.connection)
  }

  /** Resolves when everything is on disk. What was told before is not told again. */
  async tell(verified: Verified[]): Promise<void> {
    const happenings = verified.flatMap(({ message, items }) => items.map((item) => happeningOf(message, item)))
    if (happenings.length === 0) return
    await Promise.all([this.#queue(happenings), this.#show(happenings)])
  }

  async #queue(happenings: Happening[]): Promise<void> {
    const { webhooks, deliveries, courier } = this.#options
    const eventIds = [...new Set(happenings.map(({ message }) => message.event_id))]
    const owners = new Map(await Promise.all(eventIds.map(async (id) => [id, await this.#ownerOf(id)] as const)))
    const accounts = [...new Set([...owners.values()].filter((owner) => owner !== null))]
    const byAccount = Map.groupBy(await webhooks.enabledOf(accounts), ({ account_id }) => account_id)
    const queued = happenings.flatMap((happening): NewDelivery[] => {
      const account_id = owners.get(happening.message.event_id)
      const wanting = byAccount.get(account_id ?? '')?.filter((webhook) => wants(webhook, happening.message)) ?? []
      return wanting.map(({ _id }) => deliveryOf(happening, account_id as string, _id, happening.payload))
    })
    queued.push(...(await this.#badgeHooks(happenings, owners)))
    await deliveries.insert(queued)
    courier.wake(new Set(queued.map(({ webhook_id }) => webhook_id)))
  }

  /** The badge hooks of events get the guest itself. */
  async #badgeHooks(happenings: Happening[], owners: Map<string, string | null>): Promise<NewDelivery[]> {
    const completed = happenings.filter(({ message }) => message.type === 'badge.completed')
    const byEvent = Map.groupBy(completed, ({ message }) => message.event_id)
    const found = await Promise.all(
      [...byEvent].map(async ([event_id, ofEvent]) => {
        const account_id = owners.get(event_id)
        const { url } = await this.#events.badge_hook({ body: { event_id } })
        if (!url || !account_id) return []
        return ofEvent.map((happening) =>
          deliveryOf(happening, account_id, event_id, JSON.stringify({ _type: 'Guest', ...happening.item })),
        )
      }),
    )
    return found.flat()
  }

  async #show(happenings: Happening[]): Promise<void> {
    const { bus, watches } = this.#options
    const watched = await watches.among([...new Set(happenings.map(({ message }) => message.event_id))])
    const shown = happenings.filter(({ message }) => watched.has(message.event_id))
    await Promise.all(
      shown.map(({ id, message, payload }) =>
        this.#jetstream.publish(subjectIn(bus, 'live', message.event_id), payload, { msgID: id }),
      ),
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

/** A thing is created and deleted once; all else can happen to it again. */
function happeningOf(message: DomainMessage, item: { _id: string }): Happening {
  const { id, type, event_id, at } = message
  const happensOnce = /\.(created|deleted)$/.test(type)
  return {
    id: derivedId(type, item._id, happensOnce ? '' : id),
    message,
    item,
    payload: JSON.stringify({ type, timestamp: at, event_id, data: item }),
  }
}

function wants({ event_types, event_id }: Webhook, message: DomainMessage): boolean {
  if (event_id !== null && event_id !== message.event_id) return false
  return event_types.length === 0 || event_types.includes(message.type)
}

function deliveryOf({ id, message }: Happening, account_id: string, webhook_id: string, payload: string): NewDelivery {
  const { event_id, type } = message
  const created_at = new Date()
  return { _id: derivedId(webhook_id, id), account_id, webhook_id, event_id, event_type: type, payload, created_at }
}
