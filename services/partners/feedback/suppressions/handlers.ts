import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import { conflict } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { suppressions as resource } from './resource.ts'

/** Returns the handlers of suppressions. */
export function suppressionHandlers(dependencies: Dependencies): Handlers<typeof resource> {
  return handlersOf<typeof resource, Dependencies>(
    {
      // A text that is not an address matches none.
      list: ({ suppressions }, { params, query: { address, ...page } }) =>
        suppressions.page(params.event_id, page, address && (normalized(address) ?? address)),
      delete: async ({ suppressions }, { params: { event_id, id } }) => {
        const deleted = await suppressions.deleteBounced(event_id, id)
        if (deleted) return deleted
        found(await suppressions.get(event_id, id))
        throw conflict(messageOf('marked_as_spam'))
      },
    },
    dependencies,
  )
}
