import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { copiesOf } from '@gatehouse/proto/serving/copies.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { delete_logo, logo, upload_logo } from './logos/handlers.ts'
import { draw, preview } from './preview.ts'
import type { badgeTemplates } from './resource.ts'

/** Returns the handlers of badge templates. */
export function badgeTemplateHandlers(dependencies: Dependencies): Handlers<typeof badgeTemplates> {
  return handlersOf<typeof badgeTemplates, Dependencies>(
    {
      list: ({ templates }, { params }) => templates.ofEvent(params.event_id),
      read: async ({ templates }, { params }) => found(await templates.get(params.event_id, params.id)),
      create: ({ templates }, { params: { event_id }, body, newId }) =>
        templates.insert({ _id: newId(), event_id, ...body, logo_id: null, ...newTimes(), deleted: false }),
      async update({ templates, templateOrders }, { params: { event_id, id }, body }) {
        const updated = found(await templates.update(event_id, id, body))
        await templateOrders.order(updated)
        return updated
      },
      async delete({ templates, templateOrders }, { params: { event_id, id } }) {
        const deleted = found(await templates.markDeleted(event_id, id))
        await templateOrders.order(deleted)
        return deleted
      },
      upload_logo,
      delete_logo,
      logo,
      preview,
      draw,
      known: async ({ templates }, { body }) => ({ ids: await templates.known(body.event_id, body.ids) }),
      async copy({ templates, badgeLogos }, { body: { from_event_id, event_id, at } }) {
        const originals = await templates.ofEvent(from_event_id)
        await badgeLogos.copy(from_event_id, event_id, await templates.logoIds(from_event_id))
        const copies = copiesOf(originals, event_id, at)
        await templates.insertMany(copies.map(({ orders_due: _, ...copy }) => ({ ...copy, deleted: false })))
        return { ids: originals.map(({ _id }) => _id) }
      },
    },
    dependencies,
  )
}
