import { checkIns } from '@gatehouse/checkin/resources'
import type { Bus } from '@gatehouse/proto/bus.ts'
import { askerFor } from '@gatehouse/proto/calls.ts'
import type { DomainMessage } from '@gatehouse/proto/domain.ts'
import { parseJson } from '@gatehouse/proto/reading.ts'

/** A message of which it is known what is true. */
export interface Verified {
  message: DomainMessage
  /** What happened, as the API shows it in JSON. */
  items: { _id: string }[]
  /** Those of them that were told of before, as far as can be seen: a scan was sent again. */
  repeated: Set<string>
  /** Items that are not stored, or not yet. */
  missing: number
}

/** A check-in that is about to be stored. */
interface Intent {
  _id: string
  created_at: string
}

/** A check-in as the API shows it; what else it has is passed on as it came, for thousands a second. */
interface Stored {
  _id: string
  created_at: string
}

const ASK_SIZE = 2_000
/**
 * A check-in that was stored this long before it was told of is a repetition of one that was told before. Shorter than the streams
 * know message ids (proto/streams.ts), so that what comes again sooner is known by its id.
 */
const REPETITION_MS = 10 * 60_000

/**
 * Finds out what is true of messages. Check-ins are told as intents, before they are stored: they are looked up, and count as they are
 * stored. All else was told after it was stored.
 */
export function verifierOf(bus: Bus): (messages: DomainMessage[]) => Promise<Verified[]> {
  const findMany = askerFor(bus, checkIns, 'find_many')
  const find = async (event_id: string, ids: string[]): Promise<Stored[]> =>
    parseJson((await findMany({ body: { event_id, ids } })).body) as Stored[]

  async function lookUp(event_id: string, messages: DomainMessage[]): Promise<Verified[]> {
    const ids = [...new Set(messages.flatMap(({ items }) => items.map(({ _id }) => _id)))]
    const stored = new Map<string, Stored>()
    for (let from = 0; from < ids.length; from += ASK_SIZE) {
      for (const checkIn of await find(event_id, ids.slice(from, from + ASK_SIZE))) stored.set(checkIn._id, checkIn)
    }
    return messages.map((message) => {
      const found = message.items.flatMap(({ _id }) => stored.get(_id) ?? [])
      const items = found.filter(({ created_at }) => Date.parse(message.at) - Date.parse(created_at) < REPETITION_MS)
      const intended = new Map((message.items as Intent[]).map(({ _id, created_at }) => [_id, Date.parse(created_at)]))
      // Whoever decided it at another time did not store it.
      const isRepeated = ({ _id, created_at }: Stored) => intended.get(_id) !== Date.parse(created_at)
      const repeated = new Set(items.filter(isRepeated).map(({ _id }) => _id))
      return { message, items, repeated, missing: message.items.length - found.length }
    })
  }

  return async (messages) => {
    const intents = messages.filter(({ type }) => type === 'check_in.created')
    const facts = messages.filter(({ type }) => type !== 'check_in.created')
    const byEvent = Map.groupBy(intents, ({ event_id }) => event_id)
    const looked = await Promise.all([...byEvent].map(([event_id, ofEvent]) => lookUp(event_id, ofEvent)))
    return [
      ...facts.map((message) => ({ message, items: [...message.items], repeated: new Set<string>(), missing: 0 })),
      ...looked.flat(),
    ]
  }
}
