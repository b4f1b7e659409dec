import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { adoptEach, disownEach, isUpdated, unlessUsed } from '@gatehouse/proto/storage/adopting.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { create } from './create.ts'
import { deleteCategory } from './delete.ts'
import { linksOf, withoutDueLinks } from './links.ts'
import type { guestCategories } from './resource.ts'
import { update } from './update.ts'

/** Returns the handlers of guest categories. */
export function guestCategoryHandlers(dependencies: Dependencies): Handlers<typeof guestCategories> {
  return handlersOf<typeof guestCategories, Dependencies>(
    {
      async list(all, { params: { event_id } }) {
        const categories = await all.categories.ofEvent(event_id)
        for (const { _id, links_due } of categories) if (links_due) await withoutDueLinks(all, event_id, _id)
        const links = Map.groupBy(await linksOf(all, event_id), ({ guest_category_id }) => guest_category_id)
        return categories.map((category) => ({
          ...category,
          guest_category_accesspoints: links.get(category._id) ?? [],
        }))
      },
      async read(all, { params: { event_id, id } }) {
        const category = found(await withoutDueLinks(all, event_id, id))
        return { ...category, guest_category_accesspoints: await linksOf(all, event_id, [id]) }
      },
      create,
      update,
      delete: (all, { params }) => deleteCategory(all, params),
      adopt: ({ categories, orderQueue }, { query: { event_id, compares }, body }) =>
        adoptEach(body, async (items) => {
          const given = items.map((item) => ({ ...item, event_id, deleted: false }))
          const adopted = await categories.adopt(given, compares)
          // Those that are not marked for it have none to order.
          orderQueue.orderForAll(given.filter((_, index) => isUpdated(adopted[index])))
          return adopted
        }),
      async disown(all, { body: { event_id, ids } }) {
        const stored = await all.categories.ofIds(event_id, ids)
        // One that has guests here stays.
        return disownEach(ids, stored, ({ _id }) => unlessUsed(deleteCategory(all, { event_id, id: _id })))
      },
      at_door: ({ categories }, { body }) => categories.ofEvent(body.event_id),
      registration: async ({ categories }, { body }) => found(await categories.get(body.event_id, body.id)),
      known: async ({ categories }, { body }) => ({ ids: await categories.known(body.event_id, body.ids) }),
    },
    dependencies,
  )
}
