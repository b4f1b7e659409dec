import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { DomainHead, DomainMessage } from '@gatehouse/proto/events/domain-events.ts'
import { writeLive } from '@gatehouse/proto/events/live-items.ts'
import { prepareStream, RESET, subjectIn } from '@gatehouse/proto/events/streams.ts'
import type { EventHandler } from '../consuming/event-consumer.ts'
import { payloadsOf } from '../consuming/payloads.ts'
import type { WatchStore } from './store.ts'

/** Time-out of storing a message in the stream. */
const TIMEOUT_MS = 5_000

/** Writes domain events of watched events to the stream that live feeds read. */
export class LivePublisher implements EventHandler {
  readonly #bus: Bus
  readonly #watches: WatchStore

  constructor(bus: Bus, watches: WatchStore) {
    this.#bus = bus
    this.#watches = watches
  }

  async select(heads: DomainHead[]): Promise<DomainHead[]> {
    const watched = await this.#watches.among([...new Set(heads.map(({ event_id }) => event_id))])
    return heads.filter(({ event_id }) => watched.has(event_id))
  }

  /** Resolves when all messages are stored in the stream, which drops repeated ones within 20 minutes. */
  async handle(messages: DomainMessage[]): Promise<void> {
    await Promise.all(messages.map((message) => this.#publishMessage(message)))
  }

  async #publishMessage(message: DomainMessage): Promise<void> {
    const { id, type, event_id } = message
    const live = payloadsOf(message).map((payload) => ({ type, payload }))
    await Promise.all(writeLive(live).map((text, part) => this.#publish(event_id, `${id} ${part}`, text)))
  }

  /** Publishes that an event was not watched before, for clients that return for what they missed. */
  async publishGap(event_id: string, gap: string): Promise<void> {
    await prepareStream(this.#bus, 'live')
    const [text = ''] = writeLive([{ type: RESET, payload: JSON.stringify({ type: RESET }) }])
    await this.#publish(event_id, gap, text)
  }

  async #publish(event_id: string, msgID: string, text: string): Promise<void> {
    await this.#bus.store(subjectIn(this.#bus, 'live', event_id), Buffer.from(text), TIMEOUT_MS, msgID)
  }
}
