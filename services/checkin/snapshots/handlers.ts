import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { boundPoints } from '../accesspoints/device-points.ts'
import type { Dependencies } from '../dependencies.ts'
import type { snapshots } from './resource.ts'

/** Returns the handlers of snapshots. */
export function snapshotHandlers(dependencies: Dependencies): Handlers<typeof snapshots> {
  return handlersOf<typeof snapshots, Dependencies>(
    {
      read: ({ snapshots }, { params, query, caller }) =>
        snapshots.answer(params.event_id, query.since, boundPoints(caller)),
    },
    dependencies,
  )
}
