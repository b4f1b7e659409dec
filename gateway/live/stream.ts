import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { readLive } from '@gatehouse/proto/events/live-items.ts'
import { managerOf, prepareStream, streamNameOf, subjectIn } from '@gatehouse/proto/events/streams.ts'
import { type Consumer, DeliverPolicy, type JsMsg, jetstream } from '@nats-io/jetstream'

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

/** Messages that a consumer fetches ahead. */
export const READ_AHEAD = 100

/** The position after a whole message. */
export function after(seq: number): StreamPosition {
  return { seq, item: Number.POSITIVE_INFINITY }
}

/** The first and the last sequence that the live stream holds. */
export async function rangeOf(bus: Bus): Promise<{ first: number; last: number }> {
  await prepareStream(bus, 'live')
  const { state } = await (await managerOf(bus)).streams.info(streamNameOf(bus, 'live'))
  return { first: state.first_seq, last: state.last_seq }
}

/** A consumer of an event's messages from a sequence on. */
export function consumerFrom(bus: Bus, eventId: string, seq: number): Promise<Consumer> {
  return jetstream(bus.connection).consumers.get(streamNameOf(bus, 'live'), {
    filter_subjects: subjectIn(bus, 'live', eventId),
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: seq,
  })
}

/** The messages of an event after a position, up to and with the sequence `end`, in order. */
export async function* messagesBetween(
  bus: Bus,
  eventId: string,
  position: StreamPosition,
  end: number,
): AsyncGenerator<LiveMessage> {
  const first = position.item === Number.POSITIVE_INFINITY ? position.seq + 1 : position.seq
  if (first > end) return
  const consumer = await consumerFrom(bus, eventId, first)
  try {
    if ((await consumer.info()).num_pending === 0) return
    const messages = await consumer.consume({ max_messages: READ_AHEAD })
    let last = first - 1
    try {
      for await (const message of messages) {
        if (message.seq > last && message.seq <= end) yield liveMessageOf(message, position)
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

/** A message without its items up to a position. */
export function liveMessageOf(message: JsMsg, position?: StreamPosition): LiveMessage {
  const { seq } = message
  const last = position?.seq === seq ? position.item : -1
  const events = readLive(message.string()).map(({ type, payload }, item) =>
    item > last ? `id: ${seq}.${item}\nevent: ${type}\ndata: ${payload}\n\n` : '',
  )
  return { seq, bytes: Buffer.from(events.join('')) }
}
