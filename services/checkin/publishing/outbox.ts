import { derivedId } from '@gatehouse/proto/bus/client.ts'
import type { DomainEvents } from '@gatehouse/proto/events/domain-events.ts'
import { Outbox, type OutboxEntry } from '@gatehouse/proto/events/outbox.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { Db } from 'mongodb'
import { type ShownCheckIn, shown } from '../check-ins/presenting.ts'
import { checkIns } from '../check-ins/resource.ts'
import type { CheckIn, CheckInStore } from '../check-ins/store.ts'

/** The outbox of check-ins. An entry of deleted ones has them; that of a window has none: which ones are stored is not known before. */
export type CheckInOutbox = Outbox<CheckIn>

/** A window that began this long ago is abandoned: no flush takes as long. Few are read together: one may hold thousands of check-ins. */
export const ABANDONED = { minAgeMs: 20_000, batchSize: 2 }

/** Returns the outbox of check-ins, which reads those of an abandoned entry from the store. */
export function checkInOutbox(service: { db: Db; domain: DomainEvents; log: Log }, store: CheckInStore): CheckInOutbox {
  return new Outbox<CheckIn>({
    ...service,
    recover: (entry) => recoverCheckIns(store, entry),
    onceAs: (type, _, { _id, created_at }) =>
      type === 'check_in.deleted' ? derivedId(type, _id, created_at.toISOString()) : undefined,
    schemaOf: () => checkIns.actions.create.reply,
    ...ABANDONED,
  })
}

/** Finds out for which check-ins of an entry the event occurred. */
async function recoverCheckIns(
  store: CheckInStore,
  { type, event_id, items, at, until = at }: OutboxEntry<CheckIn>,
): Promise<ShownCheckIn[]> {
  if (type !== 'check_in.deleted') return (await store.arrivedWithin(event_id, at, until)).map(shown)
  const stored = await store.findMany(items.map(({ _id }) => _id))
  return items.filter(({ _id }) => !stored.has(_id)).map(shown)
}
