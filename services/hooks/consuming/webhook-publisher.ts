import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf, derivedId } from '@gatehouse/proto/bus/client.ts'
import type { DomainHead, DomainMessage, EventType } from '@gatehouse/proto/events/domain-events.ts'
import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'
import pLimit from 'p-limit'
import type { DeliveryDispatcher } from '../deliveries/dispatcher.ts'
import type { DeliveryStore, NewDelivery } from '../deliveries/store.ts'
import { events } from '../permissions.ts'
import type { Webhook } from '../webhooks/resource.ts'
import type { WebhookStore } from '../webhooks/store.ts'
import type { EventHandler } from './event-consumer.ts'
import { type EventItem, LegacyPayloads } from './legacy-payloads.ts'
import { occurrenceId, payloadsOf } from './payloads.ts'
import { type ToXml, takesXml, xmlPayloads } from './xml-payloads.ts'

export interface WebhookPublisherOptions {
  bus: Bus
  webhooks: WebhookStore
  deliveries: DeliveryStore
  dispatcher: DeliveryDispatcher
}

/** A receiver of deliveries: a webhook, or an event for its badge hook. */
type Receiver = Pick<Webhook, '_id' | 'account_id' | 'url' | 'access_statuses'>

/** Items whose guests are read together, and such reads at the same time: guests may be large. */
const LOOKUP_SIZE = 250
const MAX_CONCURRENT_LOOKUPS = 4

/** Queues deliveries of domain events to the webhooks that want them. */
export class WebhookPublisher implements EventHandler {
  readonly #options: WebhookPublisherOptions
  readonly #events
  readonly #legacy: LegacyPayloads
  readonly #lookups = pLimit(MAX_CONCURRENT_LOOKUPS)
  readonly #owners = growingCache<string>(10_000)

  constructor(options: WebhookPublisherOptions) {
    this.#options = options
    this.#events = clientOf(options.bus, events)
    this.#legacy = new LegacyPayloads(options.bus)
  }

  async select(heads: DomainHead[]): Promise<DomainHead[]> {
    const webhooksOf = await this.#webhooksFor(heads)
    return heads.filter((head) => head.type === 'badge.completed' || webhooksOf(head).length > 0)
  }

  /**
   * Resolves when all deliveries are stored. Existing deliveries are not queued again. Legacy payloads come last: while the guests service
   * is away, other webhooks still get theirs.
   */
  async handle(messages: DomainMessage[]): Promise<void> {
    const webhooksOf = await this.#webhooksFor(messages)
    const those = (message: DomainMessage, form: Webhook['payload']): Receiver[] =>
      webhooksOf(message).filter(({ payload }) => payload === form)
    const standard = messages.map((message) => addressed(message, those(message, 'standard'), 'standard'))
    await this.#queue(standardOf(await Promise.all(standard)))
    const legacy = messages.map(async (message) =>
      addressed(message, [...those(message, 'legacy'), ...(await this.#badgeHook(message))], 'legacy'),
    )
    const items = (await Promise.all(legacy)).flat()
    for (let from = 0; from < items.length; from += LOOKUP_SIZE) {
      const some = items.slice(from, from + LOOKUP_SIZE)
      await this.#lookups(async () => this.#queue(deliveriesOf(some, await this.#legacy.of(some))))
    }
  }

  async #queue(deliveries: Iterable<NewDelivery>): Promise<void> {
    const { deliveries: store, dispatcher } = this.#options
    for await (const stored of store.insert(deliveries, (webhook_id) => dispatcher.offerClaim(webhook_id)))
      dispatcher.dispatch(stored)
  }

  /** The webhooks that want each of these events. */
  async #webhooksFor(heads: DomainHead[]): Promise<(head: DomainHead) => Webhook[]> {
    const eventIds = [...new Set(heads.map(({ event_id }) => event_id))]
    const webhooks = new Map(
      await Promise.all(
        eventIds.map(async (id) => {
          const owner = await this.#ownerOf(id)
          return [id, owner === null ? [] : await this.#options.webhooks.enabledOf(owner)] as const
        }),
      ),
    )
    return (head) => webhooks.get(head.event_id)?.filter((webhook) => wants(webhook, head)) ?? []
  }

  /** Queues deliveries of guests to the badge hook of an event. */
  async #badgeHook({ type, event_id }: DomainMessage): Promise<Receiver[]> {
    if (type !== 'badge.completed') return []
    const [account_id, { url }] = await Promise.all([
      this.#ownerOf(event_id),
      this.#events.badge_hook({ body: { event_id } }),
    ])
    return url && account_id !== null ? [{ _id: event_id, account_id, url, access_statuses: [] }] : []
  }

  async #ownerOf(event_id: string): Promise<string | null> {
    const known = this.#owners.get(event_id)
    if (known) return known
    const { account_id } = await this.#events.owner({ body: { event_id } })
    if (account_id) this.#owners.set(event_id, account_id)
    return account_id
  }
}

/** A legacy payload does not say what happened: a check-in that is deleted would pass for an entry. */
const NAMED_FOR_LEGACY: EventType = 'check_in.deleted'

function wants({ event_types, event_id, payload }: Webhook, { type, ...head }: DomainHead): boolean {
  if (event_id !== null && event_id !== head.event_id) return false
  if (event_types.length === 0) return payload !== 'legacy' || type !== NAMED_FOR_LEGACY
  return event_types.includes(type)
}

/** An item and its receivers. */
interface AddressedItem extends EventItem {
  /** Its place in the message. */
  index: number
  receivers: Receiver[]
  /** For receivers that take XML. */
  toXml: ToXml | undefined
}

/** Those items of a message that somebody receives. */
async function addressed(
  message: DomainMessage,
  receivers: Receiver[],
  form: Webhook['payload'],
): Promise<AddressedItem[]> {
  const toXml = receivers.some(({ url }) => takesXml(url)) ? await xmlPayloads(message.type, form) : undefined
  return message.items.flatMap((item, index) => {
    const own = receivers.filter((receiver) => hearsOf(receiver, item))
    return own.length > 0 ? [{ message, item, index, receivers: own, toXml }] : []
  })
}

/** Whether a receiver hears of an item: of a check-in by its status. */
function hearsOf({ access_statuses }: Receiver, item: object): boolean {
  if (access_statuses.length === 0 || !('access_status' in item)) return true
  return access_statuses.includes(item.access_status as number)
}

/** Deliveries of items with standard payloads, one message after the other. */
function* standardOf(messages: AddressedItem[][]): Generator<NewDelivery> {
  for (const items of messages) {
    if (!items[0]) continue
    const payloads = payloadsOf(items[0].message)
    yield* deliveriesOf(items, ({ index }) => payloads[index] ?? '')
  }
}

/** A delivery of each item to each of its receivers. Payloads are made one at a time, in the order of items. */
function* deliveriesOf(items: AddressedItem[], payloadOf: (one: AddressedItem) => string): Generator<NewDelivery> {
  const created_at = new Date()
  for (const one of items) {
    const { event_id, type: event_type } = one.message
    const occurrence = occurrenceId(one.message, one.item)
    const json = payloadOf(one)
    const traceparent = one.message.traces?.[one.item._id]
    for (const { _id: webhook_id, account_id, url } of one.receivers) {
      const _id = derivedId(webhook_id, occurrence)
      yield {
        _id,
        account_id,
        webhook_id,
        event_id,
        event_type,
        payload: one.toXml && takesXml(url) ? one.toXml(json) : json,
        ...(traceparent !== undefined && { traceparent }),
        created_at,
      }
    }
  }
}
