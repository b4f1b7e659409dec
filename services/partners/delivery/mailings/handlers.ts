import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { create } from './create.ts'
import { preview } from './preview.ts'
import type { mailings } from './resource.ts'
import { test_send } from './test-send.ts'
import { update } from './update.ts'

/** Returns the handlers of mailings. */
export function mailingHandlers(dependencies: Dependencies): Handlers<typeof mailings> {
  return handlersOf<typeof mailings, Dependencies>(
    {
      list: ({ mailings }, { params, query }) => mailings.page(params.event_id, query),
      read: async ({ mailings }, { params }) => found(await mailings.get(params.event_id, params.id)),
      create,
      update,
      delete: async ({ mailings }, { params }) => found(await mailings.delete(params.event_id, params.id)),
      preview,
      test_send,
    },
    dependencies,
  )
}
