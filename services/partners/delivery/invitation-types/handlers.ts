import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { adoptEach, disownEach, unlessUsed } from '@gatehouse/proto/storage/adopting.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { copy } from './copy.ts'
import { create } from './create.ts'
import { deleteType } from './delete.ts'
import { preview, preview_draft } from './preview.ts'
import { remind } from './remind.ts'
import type { invitationTypes } from './resource.ts'
import { update } from './update.ts'

/** Returns the handlers of invitation types. */
export function invitationTypeHandlers(dependencies: Dependencies): Handlers<typeof invitationTypes> {
  return handlersOf<typeof invitationTypes, Dependencies>(
    {
      list: ({ types }, { params }) => types.ofEvent(params.event_id),
      read: async ({ types }, { params }) => found(await types.get(params.event_id, params.id)),
      preview,
      preview_draft,
      create,
      update,
      delete: (all, { params }) => deleteType(all, params),
      copy,
      adopt: ({ types }, { query: { event_id, compares }, body }) =>
        adoptEach(body, (items) =>
          types.adopt(
            items.map((item) => ({ ...item, event_id })),
            compares,
          ),
        ),
      async disown(all, { body: { event_id, ids } }) {
        // One that has campaigns here stays.
        const remove = ({ _id }: { _id: string }) => unlessUsed(deleteType(all, { event_id, id: _id }))
        return disownEach(ids, await all.types.withIds(event_id, ids), remove)
      },
      remind,
    },
    dependencies,
  )
}
