import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import type { snapshots } from './resource.ts'
import type { Snapshots } from './snapshots.ts'

/** The actions of snapshots. */
export function snapshotHandlers(ofEvents: Snapshots): Handlers<typeof snapshots> {
  return {
    read: ({ params, query, caller }) => ofEvents.answer(params.event_id, query.since, caller?.accesspoint_ids),
  }
}
