import { setTimeout as sleep } from 'node:timers/promises'
import type { Askable, Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { readLive } from '@gatehouse/proto/events/live-items.ts'
import { managerOf, prepareStream, streamNameOf, subjectIn } from '@gatehouse/proto/events/streams.ts'
import { type Consumer, DeliverPolicy, jetstream } from '@nats-io/jetstream'
import { live } from '../permissions.ts'

/** A position in the live stream: after an item of a message, or after the whole message (`Infinity`). */
export interface StreamPosition {
  seq: number
  item: number
}

/** A message of the live stream as server-sent events. The id of each is its position: `seq.item`. */
export interface LiveMessage {
  seq: number
  bytes: Buffer
}

/** The live stream of a cell. */
export interface LiveStream {
  /** Whom to ask in the cell. */
  home: Askable
  /** The first and the last sequence that it holds. */
  range(): Promise<{ first: number; last: number }>
  /** The messages of an event after a position, up to and with the sequence `end`, in order. */
  between(eventId: string, position: StreamPosition, end: number): AsyncGenerator<LiveMessage>
  /** Gives each message of an event after a sequence to `receive`, in order, some of them perhaps again. */
  follow(eventId: string, after: number, receive: (message: LiveMessage) => void): Promise<Following>
}

/** The reading of new messages. */
export interface Following {
  /** Resolves when it has ended. */
  ended: Promise<unknown>
  stop(): void
}

/** Messages that are fetched ahead. */
const READ_AHEAD = 100
/** How often another cell is asked for new messages. */
const ASK_EVERY_MS = 1_000

/** The position after a whole message. */
export function after(seq: number): StreamPosition {
  return { seq, item: Number.POSITIVE_INFINITY }
}

/** The first message that has something after a position. */
function firstAfter({ seq, item }: StreamPosition): number {
  return item === Number.POSITIVE_INFINITY ? seq + 1 : seq
}

/** The stream of the gateway's own cell, which it reads itself. */
export class OwnStream implements LiveStream {
  readonly home: Bus

  constructor(bus: Bus) {
    this.home = bus
  }

  async range(): Promise<{ first: number; last: number }> {
    await prepareStream(this.home, 'live')
    const { state } = await (await managerOf(this.home)).streams.info(streamNameOf(this.home, 'live'))
    return { first: state.first_seq, last: state.last_seq }
  }

  async *between(eventId: string, position: StreamPosition, end: number): AsyncGenerator<LiveMessage> {
    const first = firstAfter(position)
    if (first > end) return
    const consumer = await this.#consumerFrom(eventId, first)
    try {
      if ((await consumer.info()).num_pending === 0) return
      const messages = await consumer.consume({ max_messages: READ_AHEAD })
      let last = first - 1
      try {
        for await (const message of messages) {
          if (message.seq > last && message.seq <= end) yield liveMessageOf(message.seq, message.string(), position)
          last = Math.max(last, message.seq)
          if (message.seq >= end || message.info.pending === 0) return
        }
      } finally {
        messages.stop()
      }
    } finally {
      void consumer.delete().catch(() => {})
    }
  }

  async follow(eventId: string, seq: number, receive: (message: LiveMessage) => void): Promise<Following> {
    const consumer = await this.#consumerFrom(eventId, seq + 1)
    const messages = await consumer.consume({
      max_messages: READ_AHEAD,
      callback: (message) => receive(liveMessageOf(message.seq, message.string())),
    })
    return {
      ended: messages.closed(),
      stop: () => {
        messages.stop()
        void consumer.delete().catch(() => {})
      },
    }
  }

  /** A consumer of an event's messages from a sequence on. */
  #consumerFrom(eventId: string, seq: number): Promise<Consumer> {
    return jetstream(this.home.connection).consumers.get(streamNameOf(this.home, 'live'), {
      filter_subjects: subjectIn(this.home, 'live', eventId),
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: seq,
    })
  }
}

/** The stream of another cell, of which its hooks service is asked. */
export class ForeignStream implements LiveStream {
  readonly home: Askable
  readonly #client

  constructor(home: Askable) {
    this.home = home
    this.#client = clientOf(home, live)
  }

  range(): Promise<{ first: number; last: number }> {
    return this.#client.read({ body: { event_id: 'none', after: 0, limit: 0 } })
  }

  async *between(event_id: string, position: StreamPosition, end: number): AsyncGenerator<LiveMessage> {
    for (let last = firstAfter(position) - 1; last < end; ) {
      const { messages } = await this.#client.read({ body: { event_id, after: last, limit: READ_AHEAD } })
      if (messages.length === 0) return
      for (const { seq, text } of messages) {
        if (seq > end) return
        yield liveMessageOf(seq, text, position)
        last = seq
      }
    }
  }

  async follow(event_id: string, seq: number, receive: (message: LiveMessage) => void): Promise<Following> {
    let last = seq
    const ask = async (): Promise<void> => {
      const { messages } = await this.#client.read({ body: { event_id, after: last, limit: READ_AHEAD } })
      for (const message of messages) receive(liveMessageOf(message.seq, message.text))
      last = messages.at(-1)?.seq ?? last
    }
    const over = new AbortController()
    const asking = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await sleep(ASK_EVERY_MS, undefined, { signal: over.signal, ref: false })
        await ask()
      }
    }
    // Clients come again after a failure, and find out where the account lives.
    return { ended: asking().catch(() => {}), stop: () => over.abort() }
  }
}

/** A message without its items up to a position. */
function liveMessageOf(seq: number, text: string, position?: StreamPosition): LiveMessage {
  const last = position?.seq === seq ? position.item : -1
  const events = readLive(text).map(({ type, payload }, item) =>
    item > last ? `id: ${seq}.${item}\nevent: ${type}\ndata: ${payload}\n\n` : '',
  )
  return { seq, bytes: Buffer.from(events.join('')) }
}
