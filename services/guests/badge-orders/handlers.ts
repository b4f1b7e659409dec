import type { Bus } from '@gatehouse/proto/bus.ts'
import type { Call, Handlers } from '@gatehouse/proto/resource.ts'
import type { GuestCategoryStore } from '../guest-categories/store.ts'
import { announceChange } from '../guests/changes.ts'
import type { GuestDisplay } from '../guests/showing.ts'
import type { StoredGuest } from '../guests/store.ts'
import type { GuestOutbox } from '../guests/telling.ts'
import type { badgeOrders } from './resource.ts'
import type { BadgeOrderStore } from './store.ts'

type Completion = Call<(typeof badgeOrders)['actions']['complete']>['body']

/** What the badges service asks of orders. */
export function badgeOrderHandlers(
  store: BadgeOrderStore,
  categories: GuestCategoryStore,
  outbox: GuestOutbox,
  display: GuestDisplay,
  bus: Bus,
): Handlers<typeof badgeOrders> {
  /** Ends an order; null when there is no such order any more. */
  async function complete({ event_id, guest_id, badge_order, made }: Completion): Promise<StoredGuest | null> {
    const guest = await store.complete(event_id, guest_id, badge_order, made)
    if (guest) announceChange(bus, event_id, [guest.uid], null)
    return guest
  }

  return {
    async printed({ body: { event_id, ids } }) {
      const guests = await store.guests(event_id, ids)
      // After the guests: what changes in a category later orders their badges anew.
      const known = await categories.ofIds(event_id, [...new Set(guests.map((guest) => guest.guest_category_id))])
      const byId = new Map(known.map((category) => [category._id, category]))
      return guests.flatMap(({ badge_due, badge_order = 0, ...guest }) => {
        const category = byId.get(guest.guest_category_id)
        return category ? [{ ...guest, category, badge_due: badge_due !== undefined, badge_order }] : []
      })
    },

    async known({ body }) {
      return { ids: await store.known(body.event_id, body.ids) }
    },

    async due({ body: { after, limit } }) {
      return store.due(after[0], limit)
    },

    async complete({ body }) {
      const { event_id, guest_id, badge_order, made, told } = body
      const news = { type: 'badge.completed', event_id, items: [{ _id: guest_id, badge_order }] } as const
      const guest = await (made && !told
        ? outbox.telling(
            news,
            () => complete(body),
            (guest) => (guest ? [display.told(guest)] : []),
          )
        : complete(body))
      return { done: guest !== null }
    },
  }
}
