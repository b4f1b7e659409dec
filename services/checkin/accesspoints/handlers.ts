import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { adoptEach } from '@gatehouse/proto/storage/adopting.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { copy } from './copy.ts'
import { create } from './create.ts'
import { deleteAccesspoint, disown } from './delete.ts'
import { mayUsePoint } from './device-points.ts'
import { list, withLinks } from './list.ts'
import type { accesspoints } from './resource.ts'
import { update } from './update.ts'

/** Returns the handlers of check-in points. Each change is in the change log, which the doors read, before it is answered. */
export function accesspointHandlers(dependencies: Dependencies): Handlers<typeof accesspoints> {
  return handlersOf<typeof accesspoints, Dependencies>(
    {
      list,
      async read({ accesspoints, links }, { params: { event_id, id }, caller }) {
        if (!mayUsePoint(caller, id)) throw notFound()
        return withLinks(found(await accesspoints.get(event_id, id)), await links.ofPoint(event_id, id))
      },
      create,
      update,
      delete: deleteAccesspoint,
      copy,
      adopt: ({ accesspoints, changeLog }, { query: { event_id, compares }, body }) =>
        adoptEach(body, (items) => {
          const adopted = accesspoints.adopt(
            items.map((item) => ({ ...item, event_id })),
            compares,
          )
          return changeLog.adding(event_id, { rights: true }, adopted)
        }),
      disown,
      known: async ({ accesspoints }, { body }) => ({ ids: await accesspoints.known(body.event_id, body.ids) }),
    },
    dependencies,
  )
}
