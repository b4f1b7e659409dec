import type { Bus } from '@gatehouse/proto/bus.ts'
import type { DomainMessage } from '@gatehouse/proto/domain.ts'
import { prepareStream, RESET, subjectIn } from '@gatehouse/proto/streams.ts'
import { type JetStreamClient, jetstream } from '@nats-io/jetstream'
import { happeningsOf } from '../intake/happenings.ts'
import type { Telling } from '../intake/intake.ts'
import type { Listeners } from '../intake/listeners.ts'
import type { Verified } from '../intake/verification.ts'

/** Shows what happens in watched events, as it happens: writes the stream that live feeds read. */
export class Shower implements Telling {
  readonly #bus: Bus
  readonly #listeners: Listeners
  readonly #jetstream: JetStreamClient

  constructor(bus: Bus, listeners: Listeners) {
    this.#bus = bus
    this.#listeners = listeners
    this.#jetstream = jetstream(bus.connection)
  }

  async select(messages: DomainMessage[]): Promise<DomainMessage[]> {
    const watched = await this.#listeners.watched([...new Set(messages.map(({ event_id }) => event_id))])
    return messages.filter(({ event_id }) => watched.has(event_id))
  }

  /** Resolves when the stream has everything on disk. What it got in the last 20 minutes it does not take again. */
  async tell(verified: Verified[]): Promise<void> {
    await Promise.all(
      verified
        .flatMap(happeningsOf)
        .map(({ id, message, payload }) =>
          this.#jetstream.publish(subjectIn(this.#bus, 'live', message.event_id), payload, { msgID: id }),
        ),
    )
  }

  /** Tells those who come back for what they missed that an event was not watched before. */
  async tellGap(event_id: string, gap: string): Promise<void> {
    await prepareStream(this.#bus, 'live')
    await this.#jetstream.publish(subjectIn(this.#bus, 'live', event_id), JSON.stringify({ type: RESET }), {
      msgID: gap,
    })
  }
}
