import type { Bus } from '@gatehouse/proto/bus.ts'
import type { DomainMessage } from '@gatehouse/proto/domain.ts'
import { DEDUPE_MS, subjectIn } from '@gatehouse/proto/streams.ts'
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

  /** What is older than the streams know message ids may have been shown before. */
  async select(messages: DomainMessage[]): Promise<DomainMessage[]> {
    const recent = messages.filter(({ at }) => Date.now() - Date.parse(at) < DEDUPE_MS / 2)
    const watched = await this.#listeners.watched([...new Set(recent.map(({ event_id }) => event_id))])
    return recent.filter(({ event_id }) => watched.has(event_id))
  }

  /** Resolves when the stream has everything on disk. What it has is not taken again. */
  async tell(verified: Verified[]): Promise<void> {
    await Promise.all(
      verified
        .flatMap(happeningsOf)
        .map(({ id, message, payload }) =>
          this.#jetstream.publish(subjectIn(this.#bus, 'live', message.event_id), payload, { msgID: id }),
        ),
    )
  }
}
