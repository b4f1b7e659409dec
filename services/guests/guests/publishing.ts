import { derivedId } from '@gatehouse/proto/bus/client.ts'
import type { Outbox, OutboxEntry } from '@gatehouse/proto/events/outbox.ts'
import { isQuietlyMade } from '../badge-orders/order-queue.ts'
import type { GuestLookups } from './lookups.ts'
import type { GuestPresenter } from './presenter.ts'
import type { Guest } from './resource.ts'
import type { StoredGuest } from './stored-guest.ts'

/**
 * What an outbox entry holds of a guest, to find out later whether the event occurred: for `guest.updated` its `updated_at`, for
 * `badge.completed` its `badge_order`, for `guest.deleted` the guest as it was; for `guest.created` its `created_at` where several requests
 * may create it.
 */
export type PlannedChange = Pick<StoredGuest, '_id'> & Partial<StoredGuest>

/** The outbox of events of guests. */
export type GuestOutbox = Outbox<PlannedChange>

/** Finds out for which guests of an entry the event occurred. */
export function recoverEvents(
  lookups: GuestLookups,
  presenter: GuestPresenter,
): (entry: OutboxEntry<PlannedChange>) => Promise<Guest[]> {
  return async ({ type, event_id, items }) => {
    const ids = items.map(({ _id }) => _id)
    const byId = new Map((await lookups.withIds(event_id, ids)).map((guest) => [guest._id, guest]))
    const found = items.flatMap((item) => {
      const guest = byId.get(item._id)
      if (type === 'guest.deleted') return guest ? [] : [item as StoredGuest]
      return guest && hasOccurred(type, item, guest) ? [guest] : []
    })
    return found.map((guest) => presenter.forWebhooks(guest))
  }
}

/**
 * The id of what happens to a guest once, though several entries may say so: a badge is completed once for each order, and whoever makes it tries again
 * if it does not hear that the first attempt succeeded; a change is what the guest is since its `updated_at`, of which several tries of an erasure
 * tell, each with other guests; a guest is created and deleted once, though the request is sent again. A guest who is created again under its old id has
 * another creation.
 */
export function onceAs(
  type: OutboxEntry['type'],
  guest: { _id: string },
  { badge_order, created_at: planned_at }: PlannedChange,
): string | undefined {
  const { created_at, updated_at } = guest as Guest
  const idOf = (what: string) => derivedId(type, guest._id, created_at.toISOString(), what)
  if (type === 'badge.completed') return idOf(`${badge_order}`)
  if (type === 'guest.deleted' || (type === 'guest.created' && planned_at)) return idOf('')
  return type === 'guest.updated' ? idOf(updated_at.toISOString()) : undefined
}

function hasOccurred(
  type: OutboxEntry['type'],
  { updated_at, badge_order }: PlannedChange,
  guest: StoredGuest,
): boolean {
  if (type === 'guest.updated') return updated_at !== undefined && guest.updated_at > updated_at
  if (type === 'badge.completed')
    return guest.badge_completed && guest.badge_order === badge_order && !isQuietlyMade(guest)
  return true
}
