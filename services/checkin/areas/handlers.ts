import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { deleteArea } from './delete.ts'
import { withInside, withInsideOfOne } from './presenting.ts'
import type { areas } from './resource.ts'

/** Returns the handlers of areas. */
export function areaHandlers(dependencies: Dependencies): Handlers<typeof areas> {
  return handlersOf<typeof areas, Dependencies>(
    {
      list: async (all, { params: { event_id } }) => withInside(all, event_id, await all.areas.ofEvent(event_id)),
      read: async (all, { params: { event_id, id } }) => withInsideOfOne(all, found(await all.areas.get(event_id, id))),
      create: async (all, { params: { event_id }, body, newId }) =>
        withInsideOfOne(all, await all.areas.insert({ _id: newId(), event_id, ...body, ...newTimes() })),
      async update(all, { params: { event_id, id }, body }) {
        // The doors know capacities.
        const updated = all.changeLog.adding(event_id, { rights: true }, all.areas.update(event_id, id, body))
        return withInsideOfOne(all, found(await updated))
      },
      delete: deleteArea,
    },
    dependencies,
  )
}
