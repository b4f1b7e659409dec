import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { conflict } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { BadgeOrderQueue } from '../badge-orders/order-queue.ts'
import type { GuestChanges } from '../guests/changes.ts'
import type { GuestStore } from '../guests/store.ts'
import { links } from '../permissions.ts'
import { CategoryLinks } from './links.ts'
import type { GuestCategory, guestCategories } from './resource.ts'
import type { GuestCategoryStore, StoredCategory } from './store.ts'

/** The fields whose change makes the badges of the category's guests anew. */
const PRINTED = ['name', 'badge_enabled', 'badge_qr_code_enabled', 'badge_ecard_in_qr_code_enabled'] as const

/** Handlers of guest categories. */
export function guestCategoryHandlers(
  store: GuestCategoryStore,
  guests: GuestStore,
  orderQueue: BadgeOrderQueue,
  changes: GuestChanges,
  bus: Bus,
): Handlers<typeof guestCategories> {
  const linkClient = clientOf(bus, links)
  const categoryLinks = new CategoryLinks(store, bus)

  const withLinks = async (category: StoredCategory): Promise<GuestCategory> => ({
    ...category,
    guest_category_accesspoints: await categoryLinks.of(category.event_id, [category._id]),
  })

  return {
    async list({ params: { event_id } }) {
      const categories = await store.ofEvent(event_id)
      for (const { _id, links_due } of categories) if (links_due) await categoryLinks.settled(event_id, _id)
      const all = await categoryLinks.of(event_id)
      const byCategory = Map.groupBy(all, ({ guest_category_id }) => guest_category_id)
      return categories.map((category) => ({
        ...category,
        guest_category_accesspoints: byCategory.get(category._id) ?? [],
      }))
    },

    read: async ({ params }) => withLinks(found(await categoryLinks.settled(params.event_id, params.id))),

    async create({ params: { event_id }, body: given, accept, newId }) {
      const errors = await categoryLinks.errorsOf(event_id, given.guest_category_accesspoints)
      const { guest_category_accesspoints: links, ...fields } = await accept(errors)
      const times = newTimes()
      const links_due = links.length > 0 && { links_due: { since: times.created_at, links } }
      const category = await store.insert({ _id: newId(), ...fields, event_id, ...links_due, ...times, deleted: false })
      return { ...category, guest_category_accesspoints: links_due ? await categoryLinks.settle(category) : [] }
    },

    async update({ params, body: given, accept }) {
      const before = found(await store.get(params.event_id, params.id))
      const errors = await categoryLinks.errorsOf(params.event_id, given.guest_category_accesspoints)
      const { guest_category_accesspoints: links, ...body } = await accept(errors)
      const reprints = PRINTED.some((field) => body[field] !== undefined && body[field] !== before[field])
      const changes = { ...body, ...(reprints && { badges_due: new Date() }) }
      const category = found(
        links
          ? await categoryLinks.update(params.event_id, params.id, changes, links)
          : await store.update(params.event_id, params.id, changes),
      )
      if (reprints) orderQueue.orderForAll([category])
      return () => withLinks(category)
    },

    async delete({ params: { event_id, id } }) {
      const category = found(await store.markForDeletion(event_id, id))
      if (!category.deleted) {
        const empty = !(await guests.holdsCategory(event_id, id))
        if (!empty || !(await store.deleteMarked(category))) throw conflict(messageOf('category_has_guests'))
      }
      // Guests who came too late: their creation was not answered, and deletes them too unless it was interrupted.
      const uids = await guests.uidsOfCategory(event_id, id)
      if (uids.length > 0) {
        await changes.changing({ event_id, uids: new Set(uids) }, async () => {
          await changes.leaving({ event_id, uids })
          await guests.deleteOfCategory(event_id, id)
        })
      }
      await linkClient.forget_category({ body: { event_id, guest_category_id: id } })
      await store.remove(category)
      return { ...category, guest_category_accesspoints: [] }
    },

    at_door: ({ body }) => store.ofEvent(body.event_id),
    registration: async ({ body }) => found(await store.get(body.event_id, body.id)),
    known: async ({ body }) => ({ ids: await store.known(body.event_id, body.ids) }),
  }
}
