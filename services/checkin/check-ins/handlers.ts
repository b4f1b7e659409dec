import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { requireAnHour } from '@gatehouse/proto/events/republishing.ts'
import type { Dependencies } from '../dependencies.ts'
import { adopt } from './adopt.ts'
import { batch_create } from './batch-create.ts'
import { create } from './create.ts'
import { deleteCheckIn } from './delete.ts'
import { disown } from './disown.ts'
import { list } from './list.ts'
import type { checkIns } from './resource.ts'
import { counts, statistics } from './statistics.ts'

/** Returns the handlers of check-ins. */
export function checkInHandlers(dependencies: Dependencies): Handlers<typeof checkIns> {
  return handlersOf<typeof checkIns, Dependencies>(
    {
      list,
      create,
      batch_create,
      delete: deleteCheckIn,
      adopt,
      disown,
      made_here: async ({ firstEntries }, { body: { event_id, uids } }) => ({
        uids: await firstEntries.madeHere(event_id, uids),
      }),
      counts,
      first_entries: async ({ firstEntries }, { body: { event_id, uids } }) =>
        Array.from(await firstEntries.of(event_id, uids), ([uid, entry]) => ({ uid, ...entry })),
      async republish({ publisher }, { body: { event_id, since, until } }) {
        requireAnHour({ since, until })
        await publisher.republish(event_id, since, until)
        return {}
      },
      statistics: (dependencies, { body }) => statistics(dependencies, body.event_id, false),
      follow: (dependencies, { body }) => statistics(dependencies, body.event_id, true),
    },
    dependencies,
  )
}
