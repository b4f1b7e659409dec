import type { Outbox, OutboxEntry } from '@gatehouse/proto/events/outbox.ts'
import type { GuestPresenter } from './presenter.ts'
import type { Guest } from './resource.ts'
import type { GuestStore, StoredGuest } from './store.ts'

/**
 * What is noted of a guest before it is told of, to see afterwards whether it happened: on `guest.updated` its `updated_at`, on
 * `badge.completed` its `badge_order`, on `guest.deleted` the guest as it was.
 */
export type PlannedChange = Pick<StoredGuest, '_id'> & Partial<StoredGuest>

/** Where it is noted what happens to guests. */
export type GuestOutbox = Outbox<PlannedChange>

/** Finds out to which guests of a note it has happened. */
export function recoverEvents(
  store: GuestStore,
  presenter: GuestPresenter,
): (entry: OutboxEntry<PlannedChange>) => Promise<Guest[]> {
  return async ({ type, event_id, items }) => {
    const stored = await store.ofIds(
      event_id,
      items.map(({ _id }) => _id),
    )
    const byId = new Map(stored.map((guest) => [guest._id, guest]))
    const found = items.flatMap((item) => {
      const guest = byId.get(item._id)
      if (type === 'guest.deleted') return guest ? [] : [item as StoredGuest]
      return guest && hasOccurred(type, item, guest) ? [guest] : []
    })
    return found.map((guest) => presenter.forWebhooks(guest))
  }
}

function hasOccurred(
  type: OutboxEntry['type'],
  { updated_at, badge_order }: PlannedChange,
  guest: StoredGuest,
): boolean {
  if (type === 'guest.updated') return updated_at !== undefined && guest.updated_at > updated_at
  if (type === 'badge.completed') return guest.badge_completed && guest.badge_order === badge_order
  return true
}
