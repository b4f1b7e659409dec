import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { WATCH_EVERY_MS } from '@gatehouse/proto/events/streams.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { live } from '../permissions.ts'
import { StatisticsFeed, type StatisticsListener } from './statistics.ts'
import type { Following, LiveMessage, LiveStream } from './stream.ts'

/** A listener to the live events of an event. */
export interface ChannelListener extends StatisticsListener {
  receive(message: LiveMessage): void
  /** The channel has ended; it has to be reopened. */
  end(): void
}

/** The live events of one event, read once for all listeners of a gateway. */
export class Channel {
  readonly #stream: LiveStream
  readonly #log: Log
  readonly #eventId: string
  readonly #listeners = new Set<ChannelListener>()
  readonly #statistics: StatisticsFeed
  readonly #onEnd: () => void
  #following: Following | undefined
  #watching: NodeJS.Timeout | undefined
  #position = 0
  #ended = false

  constructor(stream: LiveStream, log: Log, eventId: string, onEnd: () => void) {
    this.#stream = stream
    this.#log = log
    this.#eventId = eventId
    this.#onEnd = onEnd
    this.#statistics = new StatisticsFeed(stream.home, log, eventId, this.#listeners)
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
      const { last } = await this.#stream.range()
      this.#position = last
      this.#following = await this.#stream.follow(this.#eventId, last, (message) => this.#receive(message))
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot read live events from JetStream')
      this.end()
      throw unavailable()
    }
    void this.#following.ended.then(() => this.end())
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
    this.#following?.stop()
    this.#onEnd()
    for (const listener of [...this.#listeners]) listener.end()
  }

  async #watch(): Promise<void> {
    await clientOf(this.#stream.home, live).watch({ body: { event_id: this.#eventId } })
  }

  #receive(message: LiveMessage): void {
    // A consumer that has lost its server begins again, sometimes with messages that it has already delivered.
    if (message.seq <= this.#position) return
    this.#position = message.seq
    for (const listener of this.#listeners) listener.receive(message)
    this.#statistics.refresh()
  }
}

/** The channels of a gateway: one for each event that has listeners. */
export class Channels {
  readonly #log: Log
  readonly #channels = new Map<string, { stream: LiveStream; opened: Promise<Channel> }>()

  constructor(bus: Bus, log: Log) {
    this.#log = log
    // Clients that come again read what happened while the connection was broken.
    bus.onReconnect(() => this.end())
  }

  /** The open channel of an event in the stream of its cell. Rejects with `unavailable` (503) if the hooks service or JetStream is away. */
  of(stream: LiveStream, eventId: string): Promise<Channel> {
    const known = this.#channels.get(eventId)
    // That of a cell from which the account has moved is about to end.
    if (known?.stream === stream) return known.opened
    const forget = (): void => {
      if (this.#channels.get(eventId)?.opened === opened) this.#channels.delete(eventId)
    }
    const channel = new Channel(stream, this.#log, eventId, forget)
    const opened = channel.open().then(
      () => channel,
      (error) => {
        forget()
        throw error
      },
    )
    this.#channels.set(eventId, { stream, opened })
    return opened
  }

  end(): void {
    for (const { opened } of this.#channels.values()) {
      opened.then(
        (open) => open.end(),
        () => {},
      )
    }
  }
}
