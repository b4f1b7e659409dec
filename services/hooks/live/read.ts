import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { managerOf, nextMessage, prepareStream, streamNameOf } from '@gatehouse/proto/events/streams.ts'
import type { Dependencies } from '../dependencies.ts'
import type { live } from './resource.ts'

type Read = (typeof live)['actions']['read']

/** Bytes of messages after which an answer ends. */
const ENOUGH = 512 * 1024

/** Returns what happened in an event after a sequence of the stream. */
export async function read({ bus }: Dependencies, { body }: Call<Read>): Promise<Output<Read>> {
  await prepareStream(bus, 'live')
  const { state } = await (await managerOf(bus)).streams.info(streamNameOf(bus, 'live'))
  const messages: { seq: number; text: string }[] = []
  let seq = Math.max(body.after + 1, state.first_seq)
  let bytes = 0
  while (messages.length < body.limit && bytes < ENOUGH && seq <= state.last_seq) {
    const next = await nextMessage(bus, 'live', body.event_id, seq)
    if (!next || next.seq > state.last_seq) break
    messages.push({ seq: next.seq, text: next.string() })
    bytes += next.data.length
    seq = next.seq + 1
  }
  return { first: state.first_seq, last: state.last_seq, messages }
}
