import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { adoptEach, disownEach } from '@gatehouse/proto/storage/adopting.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { mayUsePoint } from '../accesspoints/device-points.ts'
import type { Dependencies } from '../dependencies.ts'
import { create } from './create.ts'
import { replace } from './replace.ts'
import type { links } from './resource.ts'
import { update } from './update.ts'
import { withId } from './validation.ts'

/** Returns the handlers of links. Each change is in the change log, which the doors read, before it is answered. */
export function linkHandlers(dependencies: Dependencies): Handlers<typeof links> {
  return handlersOf<typeof links, Dependencies>(
    {
      async list({ links }, { params, query, caller }) {
        const all = await links.find(params.event_id, query)
        return all.filter(({ accesspoint_id }) => mayUsePoint(caller, accesspoint_id)).map(withId)
      },
      create,
      update,
      async delete({ links, changeLog }, { params: { event_id, id } }) {
        return withId(found(await changeLog.adding(event_id, { rights: true }, links.delete(event_id, id))))
      },
      adopt: ({ links, changeLog }, { query: { event_id, compares }, body }) =>
        adoptEach(body, (items) => {
          return changeLog.adding(
            event_id,
            { rights: true },
            links.adopt(
              items.map((item) => ({ ...item, event_id })),
              compares,
            ),
          )
        }),
      async disown({ links, changeLog }, { body: { event_id, ids } }) {
        const stored = await links.withIds(event_id, ids)
        const disowned = disownEach(ids, stored, async ({ _id, updated_at }) => {
          return (await links.delete(event_id, _id, { updated_at })) !== null
        })
        return changeLog.adding(event_id, { rights: true }, disowned)
      },
      of_categories: ({ links }, { body: { event_id, guest_category_ids } }) =>
        guest_category_ids ? links.ofCategories(event_id, guest_category_ids) : links.ofEvent(event_id),
      replace,
      async forget_category({ links, changeLog }, { body: { event_id, guest_category_id } }) {
        await changeLog.adding(event_id, { rights: true }, links.deleteOfCategory(event_id, guest_category_id))
        return { done: true }
      },
    },
    dependencies,
  )
}
