import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { create } from './create.ts'
import type { blockedRecipients } from './resource.ts'
import { update } from './update.ts'

/** Returns the handlers of blocked recipients. */
export function blockedRecipientHandlers(dependencies: Dependencies): Handlers<typeof blockedRecipients> {
  return handlersOf<typeof blockedRecipients, Dependencies>(
    {
      list: ({ blocked }, { params }) => blocked.ofEvent(params.event_id),
      read: async ({ blocked }, { params }) => found(await blocked.get(params.event_id, params.id)),
      create,
      update,
      delete: async ({ blocked }, { params }) => found(await blocked.delete(params.event_id, params.id)),
    },
    dependencies,
  )
}
