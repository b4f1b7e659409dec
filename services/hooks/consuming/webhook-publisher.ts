import { events } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf, derivedId } from '@gatehouse/proto/bus/client.ts'
import type { DomainHead, DomainMessage } from '@gatehouse/proto/events/domain-events.ts'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { DeliveryDispatcher } from '../deliveries/dispatcher.ts'
import type { DeliveryStore, NewDelivery } from '../deliveries/store.ts'
import type { Webhook } from '../webhooks/resource.ts'
import type { EventHandler } from './event-consumer.ts'
import { type EventItem, LegacyPayloads } from './legacy-payloads.ts'
import { occurrenceId, payloadsOf } from './payloads.ts'
import type { Subscribers } from './subscribers.ts'

/** What telling takes. */
export interface WebhookPublisherOptions {
  bus: Bus
  subscribers: Subscribers
  deliveries: DeliveryStore
  dispatcher: DeliveryDispatcher
}

/** Who gets deliveries: a webhook, or an event for its badge hook. */
type Receiver = Pick<Webhook, '_id' | 'account_id'>

/** Items for which guests are asked for at once, and how often that is under way: guests may be large. */
const LOOKUP_SIZE = 250
const MAX_CONCURRENT_LOOKUPS = 4

/** Queues deliveries of what happened to those webhooks that want to hear of it. */
export class WebhookPublisher implements EventHandler {
  readonly #options: WebhookPublisherOptions
  readonly #events
  readonly #legacy: LegacyPayloads
  readonly #lookups = pLimit(MAX_CONCURRENT_LOOKUPS)
  readonly #owners = new LRUCache<string, string>({ max: 10_000 })

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
   * Resolves when everything is on disk. What was told before is not told again. What has to be asked for comes last: while the guests service is
   * away, those whom it does not concern hear all the same.
   */
  async handle(messages: DomainMessage[]): Promise<void> {
    const webhooksOf = await this.#webhooksFor(messages)
    const those = (message: DomainMessage, form: Webhook['payload']): Receiver[] =>
      webhooksOf(message).filter(({ payload }) => payload === form)
    await this.#queue(standardOf(messages, (message) => those(message, 'standard')))
    const lookups = messages.map(async (message) => {
      const receivers = [...those(message, 'legacy'), ...(await this.#badgeHook(message))]
      return receivers.length > 0 ? message.items.map((item) => ({ message, item, receivers })) : []
    })
    const items = (await Promise.all(lookups)).flat()
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

  /** Finds the webhooks that want to hear of each of these. */
  async #webhooksFor(heads: DomainHead[]): Promise<(head: DomainHead) => Webhook[]> {
    const eventIds = [...new Set(heads.map(({ event_id }) => event_id))]
    const webhooks = new Map(
      await Promise.all(
        eventIds.map(async (id) => {
          const owner = await this.#ownerOf(id)
          return [id, owner === null ? [] : await this.#options.subscribers.webhooksOf(owner)] as const
        }),
      ),
    )
    return (head) => webhooks.get(head.event_id)?.filter((webhook) => wants(webhook, head)) ?? []
  }

  /** The badge hook of an event, which gets the guest itself. */
  async #badgeHook({ type, event_id }: DomainMessage): Promise<Receiver[]> {
    if (type !== 'badge.completed') return []
    const [account_id, { url }] = await Promise.all([
      this.#ownerOf(event_id),
      this.#events.badge_hook({ body: { event_id } }),
    ])
    return url && account_id !== null ? [{ _id: event_id, account_id }] : []
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

/** An item, and who gets a delivery of it. */
interface AddressedItem extends EventItem {
  receivers: Receiver[]
}

/** What receivers of the standard form get of messages, one message after the other. */
function* standardOf(
  messages: DomainMessage[],
  receiversOf: (message: DomainMessage) => Receiver[],
): Generator<NewDelivery> {
  for (const message of messages) {
    const receivers = receiversOf(message)
    if (receivers.length === 0) continue
    const payloads = payloadsOf(message)
    const addressed = message.items.map((item, index) => ({ message, item, receivers, payload: payloads[index] ?? '' }))
    yield* deliveriesOf(addressed, ({ payload }) => payload)
  }
}

/** A delivery of each item for each of its receivers. Payloads are made one at a time, in the order of the items. */
function* deliveriesOf<T extends AddressedItem>(addressed: T[], payloadOf: (one: T) => string): Generator<NewDelivery> {
  const created_at = new Date()
  for (const one of addressed) {
    const { event_id, type: event_type } = one.message
    const occurrence = occurrenceId(one.message, one.item)
    const payload = payloadOf(one)
    for (const { _id: webhook_id, account_id } of one.receivers) {
      const _id = derivedId(webhook_id, occurrence)
      yield { _id, account_id, webhook_id, event_id, event_type, payload, created_at }
    }
  }
}
