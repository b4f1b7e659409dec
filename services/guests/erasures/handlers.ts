import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { create } from './create.ts'
import { shown } from './report.ts'
import type { erasures } from './resource.ts'

/** Returns the handlers of erasures. */
export function erasureHandlers(dependencies: Dependencies): Handlers<typeof erasures> {
  return handlersOf<typeof erasures, Dependencies>(
    {
      list: async ({ erasures }, { params, query }) => (await erasures.page(params.event_id, query)).map(shown),
      read: async ({ erasures }, { params }) => shown(found(await erasures.get(params.event_id, params.id))),
      create,
    },
    dependencies,
  )
}
