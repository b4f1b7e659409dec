import type { Bus } from '@gatehouse/proto/bus.ts'
import { derivedId } from '@gatehouse/proto/calls.ts'
import type { DomainMessage } from '@gatehouse/proto/domain.ts'
import { writeLive } from '@gatehouse/proto/live.ts'
import { prepareStream, RESET, subjectIn } from '@gatehouse/proto/streams.ts'
import { LRUCache } from 'lru-cache'
import { payloadsOf } from '../intake/happenings.ts'
import type { Telling } from '../intake/intake.ts'
import type { Listeners } from '../intake/listeners.ts'
import type { Verified } from '../intake/verification.ts'

/**
 * Messages that were incomplete when they were shown last and may come again. More of them at once than a door leaves behind that died in a
 * rush; of what is forgotten a feed may show a thing twice.
 */
const MOST_INCOMPLETE = 10_000

/** How long the stream may take for a message. */
const PATIENCE_MS = 5_000

/** Shows what happens in watched events, as it happens: writes the stream that live feeds read. */
export class Shower implements Telling {
  readonly #bus: Bus
  readonly #listeners: Listeners
  /** Of messages that come again for what was missing, what was shown. */
  readonly #shown = new LRUCache<string, Set<string>>({ max: MOST_INCOMPLETE })

  constructor(bus: Bus, listeners: Listeners) {
    this.#bus = bus
    this.#listeners = listeners
  }

  async select(messages: DomainMessage[]): Promise<DomainMessage[]> {
    const watched = await this.#listeners.watched([...new Set(messages.map(({ event_id }) => event_id))])
    return messages.filter(({ event_id }) => watched.has(event_id))
  }

  /**
   * Resolves when the stream has everything on disk: what a message tells of as one, which the stream does not take again within 20 minutes.
   * What was not there yet is shown when the message comes again.
   */
  async tell(verified: Verified[]): Promise<void> {
    await Promise.all(verified.map((each) => this.#show(each)))
  }

  async #show({ missing, message, ...found }: Verified): Promise<void> {
    const shown = this.#shown.get(message.id) ?? new Set()
    const items = found.items.filter(({ _id }) => !found.repeated.has(_id) && !shown.has(_id))
    const ids = items.map(({ _id }) => _id)
    const live = payloadsOf(message, items).map((payload) => ({ type: message.type, payload }))
    // By what is in it: who does not know what was shown of it before shows it again rather than too little.
    const id = derivedId(message.id, ...ids)
    await Promise.all(writeLive(live).map((text, part) => this.#publish(message.event_id, `${id} ${part}`, text)))
    if (missing > 0) this.#shown.set(message.id, new Set([...shown, ...ids]))
    else this.#shown.delete(message.id)
  }

  /** Tells those who come back for what they missed that an event was not watched before. */
  async tellGap(event_id: string, gap: string): Promise<void> {
    await prepareStream(this.#bus, 'live')
    const [text = ''] = writeLive([{ type: RESET, payload: JSON.stringify({ type: RESET }) }])
    await this.#publish(event_id, gap, text)
  }

  async #publish(event_id: string, msgID: string, text: string): Promise<void> {
    await this.#bus.store(subjectIn(this.#bus, 'live', event_id), Buffer.from(text), PATIENCE_MS, msgID)
  }
}
