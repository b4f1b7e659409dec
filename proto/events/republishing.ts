import { invalid } from '../declaring/faults.ts'
import { datetime, identifier, record } from '../declaring/fields.ts'
import { messageOf } from '../declaring/messages.ts'
import type { EventType } from './domain-events.ts'
import type { Outbox } from './outbox.ts'

/* What is stored is published once more after a restore: hooks may have missed it (docs/adr/0015). */

/** The longest time that one request republishes: its items are read and put into the outbox before the answer. */
const MAX_MS = 3_600_000
/** Items in one outbox entry. */
const CHUNK = 100

/** What a request to republish names: the event, and the time within which its items were stored. */
export const republished = record({ event_id: identifier(), since: datetime(), until: datetime() })

/** Throws `invalid` if more than an hour is asked for. */
export function requireAnHour({ since, until }: { since: Date; until: Date }): void {
  const duration = until.getTime() - since.getTime()
  if (duration <= 0 || duration > MAX_MS) throw invalid({ until: [messageOf('within_hour', { field: 'since' })] })
}

/** Stores outbox entries for created items, as if the entries of their creation had been left behind. */
export async function republishCreated<Planned extends { _id: string }>(
  outbox: Pick<Outbox<Planned>, 'add'>,
  type: EventType & `${string}.created`,
  event_id: string,
  items: AsyncIterable<NoInfer<Planned> & { created_at: Date }>,
): Promise<void> {
  let chunk: (Planned & { created_at: Date })[] = []
  const add = async () => {
    const [first] = chunk
    if (first) await outbox.add({ type, event_id, items: chunk }, first.created_at)
    chunk = []
  }
  for await (const item of items) {
    chunk.push(item)
    if (chunk.length === CHUNK) await add()
  }
  await add()
}
