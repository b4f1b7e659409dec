import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { complete } from './complete.ts'
import type { badgeOrders } from './resource.ts'

/** Returns the handlers of badge orders, for the badges service. */
export function badgeOrderHandlers(dependencies: Dependencies): Handlers<typeof badgeOrders> {
  return handlersOf<typeof badgeOrders, Dependencies>(
    {
      async printed({ badgeOrders, categories }, { body: { event_id, ids } }) {
        const guests = await badgeOrders.guests(event_id, ids)
        // Read after the guests: a later change of a category orders their badges anew.
        const all = await categories.ofIds(event_id, [...new Set(guests.map((guest) => guest.guest_category_id))])
        const byId = new Map(all.map((category) => [category._id, category]))
        return guests.flatMap(({ badge_due, badge_order = 0, ...guest }) => {
          const category = byId.get(guest.guest_category_id)
          return category ? [{ ...guest, category, badge_due: badge_due !== undefined, badge_order }] : []
        })
      },
      metadata: ({ badgeOrders }, { body: { event_id, ids, names } }) => badgeOrders.metadata(event_id, ids, names),
      longest_name: async ({ badgeOrders }, { body }) => ({ guest_id: await badgeOrders.longestName(body.event_id) }),
      async order_template({ badgeOrders, orderQueue }, { body: { event_id, badge_template_id, is_deleted } }) {
        orderQueue.orderForAll(await badgeOrders.markTemplate(event_id, badge_template_id, is_deleted))
        return {}
      },
      known: async ({ badgeOrders }, { body }) => ({ ids: await badgeOrders.known(body.event_id, body.ids) }),
      due: ({ badgeOrders }, { body: { after, limit } }) => badgeOrders.due(after[0], limit),
      complete,
    },
    dependencies,
  )
}
