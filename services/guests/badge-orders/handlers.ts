import { type Handlers, handlersOf, type Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { GuestCategoryStore } from '../guest-categories/store.ts'
import type { StoredGuest } from '../guests/stored-guest.ts'
import { complete } from './complete.ts'
import type { badgeOrders, Selection } from './resource.ts'
import type { PrintSelection } from './store.ts'

type Printed = (typeof badgeOrders)['actions']['printed']

/** Returns the handlers of badge orders, for the badges service. */
export function badgeOrderHandlers(dependencies: Dependencies): Handlers<typeof badgeOrders> {
  return handlersOf<typeof badgeOrders, Dependencies>(
    {
      printed: async (all, { body: { event_id, ids } }) =>
        printed(all, event_id, await all.badgeOrders.guests(event_id, ids)),
      async printed_by_name(all, { body: { after, limit, ...selection } }) {
        const { badgeOrders, categories } = all
        const found = await badgeOrders.byName(await printable(categories, selection), after[0], limit)
        const last = found.length < limit ? undefined : found.at(-1)
        return {
          guests: await printed(all, selection.event_id, found),
          after: last ? [{ sort_name: last.sort_name, id: last._id }] : [],
        }
      },
      count_printed: async ({ badgeOrders, categories }, { body }) => ({
        count: await badgeOrders.count(await printable(categories, body)),
      }),
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

/** What badges of these guests are made of. */
async function printed(
  { categories }: Dependencies,
  event_id: string,
  guests: StoredGuest[],
): Promise<Output<Printed>> {
  // Read after the guests: a later change of a category orders their badges anew.
  const all = await categories.ofIds(event_id, [...new Set(guests.map((guest) => guest.guest_category_id))])
  const byId = new Map(all.map((category) => [category._id, category]))
  return guests.flatMap(({ badge_due, badge_order = 0, party_size = 1, ...guest }) => {
    const category = byId.get(guest.guest_category_id)
    return category ? [{ ...guest, party_size, category, badge_due: badge_due !== undefined, badge_order }] : []
  })
}

/** The selection by those of its categories that have badges. */
async function printable(
  categories: GuestCategoryStore,
  { event_id, categories: wanted, checked_in }: Selection,
): Promise<PrintSelection> {
  const all = await categories.ofEvent(event_id)
  const guest_category_ids = all.flatMap(({ _id, badge_enabled }) =>
    badge_enabled && (wanted?.includes(_id) ?? true) ? [_id] : [],
  )
  return { event_id, guest_category_ids, checked_in }
}
