import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { republishCreated, requireAnHour } from '@gatehouse/proto/events/republishing.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { adopt } from './adopt.ts'
import { batch_create } from './batch-create.ts'
import { change } from './change.ts'
import { list } from './list.ts'
import { of_event } from './of-event.ts'
import { own } from './own.ts'
import type { connections } from './resource.ts'
import { shownLead } from './store.ts'

/** Returns the handlers of leads. */
export function connectionHandlers(dependencies: Dependencies): Handlers<typeof connections> {
  return handlersOf<typeof connections, Dependencies>(
    {
      list,
      of_event,
      read: async ({ leads }, { params: { event_id, id } }) => shownLead(found((await leads.find(event_id, [id]))[0])),
      batch_create,
      adopt,
      own,
      change,
      async republish({ leads, outbox }, { body: { event_id, since, until } }) {
        requireAnHour({ since, until })
        await republishCreated(outbox, 'lead.created', event_id, leads.createdWithin(event_id, since, until))
        return {}
      },
    },
    dependencies,
  )
}
