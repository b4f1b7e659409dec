import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { WATCH_EVERY_MS } from '@gatehouse/proto/events/streams.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream'
import { live } from '../permissions.ts'
import { StatisticsFeed, type StatisticsListener } from './statistics.ts'
import { consumerFrom, type LiveMessage, liveMessageOf, READ_AHEAD, rangeOf } from './stream.ts'

/** A listener to the live events of an event. */
export interface ChannelListener extends StatisticsListener {
  receive(message: LiveMessage): void
  /** The channel has ended; it has to be reopened. */
  end(): void
}

/** The live events of one event, read once for all listeners of a gateway. */
export class Channel {
  readonly #bus: Bus
  readonly #log: Log
  readonly #eventId: string
  readonly #listeners = new Set<ChannelListener>()
  readonly #statistics: StatisticsFeed
  readonly #onEnd: () => void
  #consumer: Consumer | undefined
  #messages: ConsumerMessages | undefined
  #watching: NodeJS.Timeout | undefined
  #position = 0
  #ended = false

  constructor(bus: Bus, log: Log, eventId: string, onEnd: () => void) {
    this.#bus = bus
    this.#log = log
    this.#eventId = eventId
    this.#onEnd = onEnd
    this.#statistics = new StatisticsFeed(bus, log, eventId, this.#listeners)
  }

  /** The sequence up to which listeners have received everything. */
  get position(): number {
    return this.#position
  }

  /** Marks the event as watched and begins to read. Rejects with `unavailable` (503) if the hooks service or JetStream is away. */
  async open(): Promise<void> {
    await this.#watch()
    this.#watching = setInterval(() => void this.#watch().catch(() => {}), WATCH_EVERY_MS)
    this.#watching.unref()
    this.#statistics.start()
    try {
      const { last } = await rangeOf(this.#bus)
      this.#position = last
      this.#consumer = await consumerFrom(this.#bus, this.#eventId, last + 1)
      this.#messages = await this.#consumer.consume({
        max_messages: READ_AHEAD,
        callback: (message) => this.#receive(message),
      })
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot read live events from JetStream')
      this.end()
      throw unavailable()
    }
    void this.#messages.closed().then(() => this.end())
  }

  /** Adds a listener, who receives everything after `position`. */
  join(listener: ChannelListener): void {
    if (this.#ended) return listener.end()
    this.#listeners.add(listener)
    if (listener.receiveStatistics) this.#statistics.refresh()
  }

  leave(listener: ChannelListener): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size === 0) this.end()
  }

  /** Ends the channel for all listeners. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    clearInterval(this.#watching)
    this.#statistics.end()
    this.#messages?.stop()
    void this.#consumer?.delete().catch(() => {})
    this.#onEnd()
    for (const listener of [...this.#listeners]) listener.end()
  }

  async #watch(): Promise<void> {
    await clientOf(this.#bus, live).watch({ body: { event_id: this.#eventId } })
  }

  #receive(message: JsMsg): void {
    // A consumer that has lost its server begins again, sometimes with messages that it has already delivered.
    if (message.seq <= this.#position) return
    this.#position = message.seq
    const received = liveMessageOf(message)
    for (const listener of this.#listeners) listener.receive(received)
    this.#statistics.refresh()
  }
}

/** The channels of a gateway: one for each event that has listeners. */
export class Channels {
  readonly #bus: Bus
  readonly #log: Log
  readonly #channels = new Map<string, Promise<Channel>>()

  constructor(bus: Bus, log: Log) {
    this.#bus = bus
    this.#log = log
    // Clients that come again read what happened while the connection was broken.
    bus.onReconnect(() => this.end())
  }

  /** The open channel of an event. Rejects with `unavailable` (503) if the hooks service or JetStream is away. */
  of(eventId: string): Promise<Channel> {
    const known = this.#channels.get(eventId)
    if (known) return known
    const channel = new Channel(this.#bus, this.#log, eventId, () => {
      if (this.#channels.get(eventId) === opened) this.#channels.delete(eventId)
    })
    const opened = channel.open().then(
      () => channel,
      (error) => {
        this.#channels.delete(eventId)
        throw error
      },
    )
    this.#channels.set(eventId, opened)
    return opened
  }

  end(): void {
    for (const channel of this.#channels.values()) {
      channel.then(
        (open) => open.end(),
        () => {},
      )
    }
  }
}
