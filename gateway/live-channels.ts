import { statistics } from '@gatehouse/guests/resources'
import { live } from '@gatehouse/hooks/resources'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { clientOf } from '@gatehouse/proto/calls.ts'
import { unavailable } from '@gatehouse/proto/faults.ts'
import type { Log } from '@gatehouse/proto/log.ts'
import { EMPTY } from '@gatehouse/proto/messages.ts'
import { subjectOf } from '@gatehouse/proto/resource.ts'
import { managerOf, prepareStream, streamNameOf, subjectIn, WATCH_AGAIN_MS } from '@gatehouse/proto/streams.ts'
import { type Consumer, type ConsumerMessages, DeliverPolicy, type JsMsg, jetstream } from '@nats-io/jetstream'

/** Something that happened in a watched event. `seq` orders them; `text` is what webhooks get too. */
export interface LiveItem {
  seq: number
  type: string
  text: string
}

/** Who hears of an event as it happens. */
export interface Listener {
  hear(item: LiveItem): void
  /** What the event adds up to, as JSON; where it is not asked for, it is absent. */
  hearStatistics?(text: string): void
  /** There is nothing more to hear here: ask again. */
  end(): void
}

/** Statistics go out at most this often. */
const STATISTICS_MS = 1_000
/** Not all that counts is told of (deletions of check-ins, signatures, categories): so often they are asked for in any case. */
const STATISTICS_AGAIN_MS = 3_000
const READ_AHEAD = 100

/** What happens in one event, read once for all of a gateway's listeners. */
export class Channel {
  readonly #bus: Bus
  readonly #log: Log
  readonly #eventId: string
  readonly #listeners = new Set<Listener>()
  readonly #onEmpty: () => void
  #consumer: Consumer | undefined
  #messages: ConsumerMessages | undefined
  #watching: NodeJS.Timeout | undefined
  #asksAgain: NodeJS.Timeout | undefined
  #position = 0
  /** Set until the answer is there. */
  #asking: NodeJS.Timeout | undefined
  #asked = 0
  /** Something may have happened since the statistics were asked for. */
  #isStale = false
  #ended = false

  constructor(bus: Bus, log: Log, eventId: string, onEmpty: () => void) {
    this.#bus = bus
    this.#log = log
    this.#eventId = eventId
    this.#onEmpty = onEmpty
  }

  /** Everything up to this place was heard by those who listened. */
  get position(): number {
    return this.#position
  }

  /** Has the event watched and begins to read. Throws `unavailable` where that can not be done. */
  async open(): Promise<void> {
    await this.#watch()
    this.#watching = setInterval(() => void this.#watch().catch(() => {}), WATCH_AGAIN_MS)
    this.#watching.unref()
    this.#asksAgain = setInterval(() => this.#askSoon(), STATISTICS_AGAIN_MS)
    this.#asksAgain.unref()
    try {
      const { last } = await rangeOf(this.#bus)
      this.#position = last
      this.#consumer = await readerFrom(this.#bus, this.#eventId, last + 1)
      this.#messages = await this.#consumer.consume({
        max_messages: READ_AHEAD,
        callback: (message) => this.#take(message),
      })
    } catch (error) {
      this.#log.warn({ err: error }, 'JetStream does not give live events')
      this.end()
      throw unavailable()
    }
    void this.#messages.closed().then(() => this.end())
  }

  /** From now on a listener hears everything behind `position`. */
  join(listener: Listener): void {
    if (this.#ended) return listener.end()
    this.#listeners.add(listener)
    if (listener.hearStatistics) this.#askSoon()
  }

  leave(listener: Listener): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size === 0) this.end()
  }

  /** Ends it for all listeners. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    clearInterval(this.#watching)
    clearInterval(this.#asksAgain)
    clearTimeout(this.#asking)
    this.#messages?.stop()
    void this.#consumer?.delete().catch(() => {})
    this.#onEmpty()
    for (const listener of [...this.#listeners]) listener.end()
  }

  async #watch(): Promise<void> {
    await clientOf(this.#bus, live).watch({ body: { event_id: this.#eventId } })
  }

  #take(message: JsMsg): void {
    const item = itemOf(message)
    this.#position = item.seq
    for (const listener of this.#listeners) listener.hear(item)
    this.#askSoon()
  }

  /** Asks for the statistics as soon as a second has passed since the last time, if anybody wants them. */
  #askSoon(): void {
    this.#isStale = true
    if (this.#ended || this.#asking || !this.#wantsStatistics()) return
    const wait = Math.max(0, this.#asked + STATISTICS_MS - performance.now())
    this.#asking = setTimeout(() => void this.#ask(), wait)
  }

  async #ask(): Promise<void> {
    // What happens from here on may not be in the answer.
    this.#isStale = false
    try {
      const params = { event_id: this.#eventId }
      const { body } = await this.#bus.call(subjectOf(statistics, 'read'), { params }, EMPTY, true)
      const text = Buffer.from(body).toString()
      for (const listener of this.#listeners) listener.hearStatistics?.(text)
    } catch (error) {
      this.#log.info({ err: error }, 'no statistics for live feeds')
    } finally {
      this.#asked = performance.now()
      this.#asking = undefined
      if (this.#isStale) this.#askSoon()
    }
  }

  #wantsStatistics(): boolean {
    return this.#listeners.values().some(({ hearStatistics }) => hearStatistics !== undefined)
  }
}

/** The channels of a gateway: one for each event that somebody listens to. */
export class Channels {
  readonly #bus: Bus
  readonly #log: Log
  readonly #channels = new Map<string, Promise<Channel>>()

  constructor(bus: Bus, log: Log) {
    this.#bus = bus
    this.#log = log
    // What happened while the connection was broken is read anew by those who ask again.
    bus.onReconnect(() => this.end())
  }

  /** The channel of an event, open. Throws `unavailable` where the hooks service or JetStream is away. */
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

/** What the live stream keeps: from the first to the last sequence. */
export async function rangeOf(bus: Bus): Promise<{ first: number; last: number }> {
  await prepareStream(bus, 'live')
  const { state } = await (await managerOf(bus)).streams.info(streamNameOf(bus, 'live'))
  return { first: state.first_seq, last: state.last_seq }
}

/** What is kept of an event from behind `after` up to `end`, in order. */
export async function* itemsBetween(bus: Bus, eventId: string, after: number, end: number): AsyncGenerator<LiveItem> {
  if (after >= end) return
  const consumer = await readerFrom(bus, eventId, after + 1)
  try {
    if ((await consumer.info()).num_pending === 0) return
    const messages = await consumer.consume({ max_messages: READ_AHEAD })
    try {
      for await (const message of messages) {
        const item = itemOf(message)
        if (item.seq <= end) yield item
        if (item.seq >= end || message.info.pending === 0) return
      }
    } finally {
      messages.stop()
    }
  } finally {
    void consumer.delete().catch(() => {})
  }
}

function readerFrom(bus: Bus, eventId: string, seq: number): Promise<Consumer> {
  return jetstream(bus.connection).consumers.get(streamNameOf(bus, 'live'), {
    filter_subjects: subjectIn(bus, 'live', eventId),
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: seq,
  })
}

function itemOf(message: JsMsg): LiveItem {
  const text = message.string()
  return { seq: message.seq, type: (JSON.parse(text) as { type: string }).type, text }
}
