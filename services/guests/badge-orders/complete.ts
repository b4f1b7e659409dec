import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { announceChange } from '../guests/changes.ts'
import type { StoredGuest } from '../guests/stored-guest.ts'
import { isQuietlyMade } from './order-queue.ts'
import type { badgeOrders, Completion } from './resource.ts'

type Complete = typeof badgeOrders.actions.complete

/** Ends orders, and publishes those whose badges are new. */
export async function complete(
  dependencies: Dependencies,
  { body: { event_id, orders } }: Call<Complete>,
): Promise<Output<Complete>> {
  const isNew = ({ made, told }: Completion): boolean => made && !told
  const [others, news] = [orders.filter((order) => !isNew(order)), orders.filter(isNew)]
  const items = news.map(({ guest_id: _id, badge_order }) => ({ _id, badge_order }))
  const { outbox, presenter } = dependencies
  const ended = await Promise.all([
    end(dependencies, event_id, others),
    outbox.publishing(
      { type: 'badge.completed', event_id, items },
      () => end(dependencies, event_id, news),
      (guests) => guests.flatMap((guest) => (isQuietlyMade(guest) ? [] : presenter.forWebhooks(guest))),
    ),
  ])
  return { guest_ids: ended.flat().map(({ _id }) => _id) }
}

/** Ends orders. Returns their guests, without those who have a newer order. */
async function end({ badgeOrders, bus }: Dependencies, event_id: string, orders: Completion[]): Promise<StoredGuest[]> {
  const ended = await Promise.all(
    orders.map(({ guest_id, badge_order, made }) => badgeOrders.complete(event_id, guest_id, badge_order, made)),
  )
  const guests = ended.filter((guest) => guest !== null)
  const uids = guests.map(({ uid }) => uid)
  if (uids.length > 0) announceChange(bus, { event_id, uids, moved_from: null })
  return guests
}
