import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { deleteArea } from './delete.ts'
import type { areas } from './resource.ts'

/** Returns the handlers of areas. */
export function areaHandlers(dependencies: Dependencies): Handlers<typeof areas> {
  return handlersOf<typeof areas, Dependencies>(
    {
      list: ({ areas }, { params }) => areas.ofEvent(params.event_id),
      read: async ({ areas }, { params: { event_id, id } }) => found(await areas.get(event_id, id)),
      create: ({ areas }, { params: { event_id }, body, newId }) =>
        areas.insert({ _id: newId(), event_id, ...body, ...newTimes() }),
      update: async ({ areas }, { params: { event_id, id }, body }) => found(await areas.update(event_id, id, body)),
      delete: deleteArea,
    },
    dependencies,
  )
}
