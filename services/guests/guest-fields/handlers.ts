import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { adoptEach } from '@gatehouse/proto/storage/adopting.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { batch_create } from './batch-create.ts'
import { create } from './create.ts'
import type { guestFields } from './resource.ts'
import { update } from './update.ts'

/** Returns the handlers of guest fields. */
export function guestFieldHandlers(dependencies: Dependencies): Handlers<typeof guestFields> {
  return handlersOf<typeof guestFields, Dependencies>(
    {
      list: ({ guestFields }, { params }) => guestFields.ofEvent(params.event_id),
      read: async ({ guestFields }, { params }) => found(await guestFields.get(params.event_id, params.id)),
      create,
      batch_create,
      update,
      adopt: ({ guestFields }, { query: { event_id, compares }, body }) =>
        adoptEach(body, (items) => {
          return guestFields.adopt(
            items.map((item) => ({ ...item, label: item.label ?? item.key, object_id: event_id, event_id })),
            compares,
          )
        }),
      at_door: ({ guestFields }, { body }) => guestFields.onDevice(body.event_id),
    },
    dependencies,
  )
}
