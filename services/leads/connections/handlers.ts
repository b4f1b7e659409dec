import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { republishCreated, requireAnHour } from '@gatehouse/proto/events/republishing.ts'
import type { Dependencies } from '../dependencies.ts'
import { batch_create } from './batch-create.ts'
import { change } from './change.ts'
import { list } from './list.ts'
import { own } from './own.ts'
import type { connections } from './resource.ts'

/** Returns the handlers of leads. */
export function connectionHandlers(dependencies: Dependencies): Handlers<typeof connections> {
  return handlersOf<typeof connections, Dependencies>(
    {
      list,
      batch_create,
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
