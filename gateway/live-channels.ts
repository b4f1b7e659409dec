import { statistics } from '@gatehouse/guests/resources'
import { live } from '@gatehouse/hooks/resources'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf, requesterFor } from '@gatehouse/proto/bus/client.ts'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { readLive } from '@gatehouse/proto/events/live-items.ts'
import { managerOf, prepareStream, streamNameOf, subjectIn, WATCH_EVERY_MS } from '@gatehouse/proto/events/streams.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { type Consumer, type ConsumerMessages, DeliverPolicy, type JsMsg, jetstream } from '@nats-io/jetstream'

/** A place in the live stream: behind an item of a message; behind all of it for `Infinity`. */
export interface StreamPosition {
  seq: number
  item: number
}

/** What a message of the live stream tells, as server-sent events. Each one's id is its place: `seq.item`. */
export interface LiveMessage {
  seq: number
  bytes: Buffer
}

/** Who hears of an event as it happens. */
export interface ChannelListener {
  receive(live: LiveMessage): void
  /** What the event adds up to, as JSON; where it is not asked for, it is absent. */
  receiveStatistics?(text: string): void
  /** There is nothing more to hear here: ask again. */
  end(): void
}

/** Statistics go out at most this often. */
const STATISTICS_MS = 1_000
/** So many times what they took is waited before they are asked for again, so that they give way to the door (docs/adr/0017); not for ever. */
const PAUSE_FACTOR = 10
const MAX_PAUSE_MS = 30_000
/** Not all that counts is told of (deletions of check-ins, signatures, categories): so often they are asked for in any case. */
const STATISTICS_EVERY_MS = 3_000
const READ_AHEAD = 100

/** What happens in one event, read once for all of a gateway's listeners. */
export class Channel {
  readonly #bus: Bus
  readonly #log: Log
  readonly #eventId: string
  readonly #listeners = new Set<ChannelListener>()
  readonly #onEmpty: () => void
  #consumer: Consumer | undefined
  #messages: ConsumerMessages | undefined
  #watching: NodeJS.Timeout | undefined
  #asksAgain: NodeJS.Timeout | undefined
  #position = 0
  /** Set until the answer is there. */
  #asking: NodeJS.Timeout | undefined
  #nextAsk = 0
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
    this.#watching = setInterval(() => void this.#watch().catch(() => {}), WATCH_EVERY_MS)
    this.#watching.unref()
    this.#asksAgain = setInterval(() => this.#askSoon(), STATISTICS_EVERY_MS)
    this.#asksAgain.unref()
    try {
      const { last } = await rangeOf(this.#bus)
      this.#position = last
      this.#consumer = await readerFrom(this.#bus, this.#eventId, last + 1)
      this.#messages = await this.#consumer.consume({
        max_messages: READ_AHEAD,
        callback: (message) => this.#receive(message),
      })
    } catch (error) {
      this.#log.warn({ err: error }, 'JetStream does not give live events')
      this.end()
      throw unavailable()
    }
    void this.#messages.closed().then(() => this.end())
  }

  /** From now on a listener hears everything behind `position`. */
  join(listener: ChannelListener): void {
    if (this.#ended) return listener.end()
    this.#listeners.add(listener)
    if (listener.receiveStatistics) this.#askSoon()
  }

  leave(listener: ChannelListener): void {
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

  #receive(message: JsMsg): void {
    // A consumer that lost its server begins again, now and then with what it has given already.
    if (message.seq <= this.#position) return
    const live = messageOf(message)
    this.#position = live.seq
    for (const listener of this.#listeners) listener.receive(live)
    this.#askSoon()
  }

  /** Asks for the statistics as soon as it may, if anybody wants them. */
  #askSoon(): void {
    this.#isStale = true
    if (this.#ended || this.#asking || !this.#wantsStatistics()) return
    const wait = Math.max(0, this.#nextAsk - performance.now())
    this.#asking = setTimeout(() => void this.#ask(), wait)
  }

  async #ask(): Promise<void> {
    // What happens from here on may not be in the answer.
    this.#isStale = false
    const begun = performance.now()
    try {
      const { body } = await requesterFor(this.#bus, statistics, 'follow')({ body: { event_id: this.#eventId } })
      const text = Buffer.from(body).toString()
      for (const listener of this.#listeners) listener.receiveStatistics?.(text)
    } catch (error) {
      this.#log.info({ err: error }, 'no statistics for live feeds')
    } finally {
      this.#asking = undefined
      const now = performance.now()
      this.#nextAsk = now + Math.min(Math.max(STATISTICS_MS, PAUSE_FACTOR * (now - begun)), MAX_PAUSE_MS)
      if (this.#isStale) this.#askSoon()
    }
  }

  #wantsStatistics(): boolean {
    return this.#listeners.values().some(({ receiveStatistics }) => receiveStatistics !== undefined)
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

/** What is kept of an event from behind a place up to the end of a message, in order. */
export async function* messagesBetween(
  bus: Bus,
  eventId: string,
  after: StreamPosition,
  end: number,
): AsyncGenerator<LiveMessage> {
  const first = after.item === Number.POSITIVE_INFINITY ? after.seq + 1 : after.seq
  if (first > end) return
  const consumer = await readerFrom(bus, eventId, first)
  try {
    if ((await consumer.info()).num_pending === 0) return
    const messages = await consumer.consume({ max_messages: READ_AHEAD })
    let given = first - 1
    try {
      for await (const message of messages) {
        if (message.seq > given && message.seq <= end) yield messageOf(message, after)
        given = Math.max(given, message.seq)
        if (message.seq >= end || message.info.pending === 0) return
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

/** A message without what is not behind a place. */
function messageOf(message: JsMsg, after?: StreamPosition): LiveMessage {
  const { seq } = message
  const behind = after?.seq === seq ? after.item : -1
  const events = readLive(message.string()).map(({ type, payload }, item) =>
    item > behind ? `id: ${seq}.${item}\nevent: ${type}\ndata: ${payload}\n\n` : '',
  )
  return { seq, bytes: Buffer.from(events.join('')) }
}
