import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import type { GuestCategoryStore } from '../guest-categories/store.ts'
import { announceChange } from '../guests/changes.ts'
import type { GuestPresenter } from '../guests/presenter.ts'
import type { GuestOutbox } from '../guests/publishing.ts'
import type { StoredGuest } from '../guests/stored-guest.ts'
import type { badgeOrders, Completion } from './resource.ts'
import type { BadgeOrderStore } from './store.ts'

/** Handlers of badge orders, for the badges service. */
export function badgeOrderHandlers(
  store: BadgeOrderStore,
  categories: GuestCategoryStore,
  outbox: GuestOutbox,
  presenter: GuestPresenter,
  bus: Bus,
): Handlers<typeof badgeOrders> {
  /** Ends orders. Returns their guests, without those who have a newer order. */
  async function complete(event_id: string, orders: Completion[]): Promise<StoredGuest[]> {
    const ended = await Promise.all(
      orders.map(({ guest_id, badge_order, made }) => store.complete(event_id, guest_id, badge_order, made)),
    )
    const guests = ended.filter((guest) => guest !== null)
    const uids = guests.map(({ uid }) => uid)
    if (uids.length > 0) announceChange(bus, { event_id, uids, moved_from: null })
    return guests
  }

  /** As `complete`, and publishes that the badges are completed. */
  function completeAndPublish(event_id: string, orders: Completion[]): Promise<StoredGuest[]> {
    const items = orders.map(({ guest_id: _id, badge_order }) => ({ _id, badge_order }))
    return outbox.publishing(
      { type: 'badge.completed', event_id, items },
      () => complete(event_id, orders),
      (guests) => guests.map((guest) => presenter.forWebhooks(guest)),
    )
  }

  return {
    async printed({ body: { event_id, ids } }) {
      const guests = await store.guests(event_id, ids)
      // Read after the guests: a later change of a category orders their badges anew.
      const known = await categories.ofIds(event_id, [...new Set(guests.map((guest) => guest.guest_category_id))])
      const byId = new Map(known.map((category) => [category._id, category]))
      return guests.flatMap(({ badge_due, badge_order = 0, ...guest }) => {
        const category = byId.get(guest.guest_category_id)
        return category ? [{ ...guest, category, badge_due: badge_due !== undefined, badge_order }] : []
      })
    },

    known: async ({ body }) => ({ ids: await store.known(body.event_id, body.ids) }),
    due: async ({ body: { after, limit } }) => store.due(after[0], limit),

    async complete({ body: { event_id, orders } }) {
      const isNew = ({ made, told }: Completion): boolean => made && !told
      const [unpublished, published] = await Promise.all([
        complete(
          event_id,
          orders.filter((order) => !isNew(order)),
        ),
        completeAndPublish(event_id, orders.filter(isNew)),
      ])
      return { guest_ids: [...unpublished, ...published].map(({ _id }) => _id) }
    },
  }
}
