import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { adoptEach, disownEach } from '@gatehouse/proto/storage/adopting.ts'
import { boundPoints } from '../accesspoints/device-points.ts'
import type { Dependencies } from '../dependencies.ts'
import { batch_create } from './batch-create.ts'
import { create } from './create.ts'
import type { signatures } from './resource.ts'

/** Returns the handlers of signatures. */
export function signatureHandlers(dependencies: Dependencies): Handlers<typeof signatures> {
  return handlersOf<typeof signatures, Dependencies>(
    {
      list: ({ signatures }, { params, query, caller }) => signatures.list(params.event_id, query, boundPoints(caller)),
      create,
      batch_create,
      adopt: ({ signatures }, { query: { event_id, compares }, body }) =>
        adoptEach(body, (items) =>
          signatures.adopt(
            items.map((item) => ({ ...item, event_id })),
            compares,
          ),
        ),
      disown: async ({ signatures }, { body: { event_id, ids } }) =>
        disownEach(ids, await signatures.withIds(event_id, ids), (signature) => signatures.delete(signature)),
    },
    dependencies,
  )
}
