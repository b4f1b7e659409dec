import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { BSON } from 'mongodb'
import type { Dependencies } from '../dependencies.ts'
import * as topics from '../topics.ts'
import { begin } from './begin.ts'
import type { eventArchives } from './resource.ts'

/** Returns the handlers of archives of events. */
export function eventArchiveHandlers(dependencies: Dependencies): Handlers<typeof eventArchives> {
  return handlersOf<typeof eventArchives, Dependencies>(
    {
      async read({ events }, { body: { account_id, event_id } }) {
        const event = found(await events.get(event_id))
        if (event.account_id !== account_id) throw notFound()
        const { title, archived_at } = event
        return { event: BSON.EJSON.stringify(event, { relaxed: true }), title, is_archived: archived_at !== null }
      },
      begin,
      async finish({ bus, events, badgeOrders, orderQueue }, { body: { account_id, event_id } }) {
        const finishing = events.finishImport(account_id, event_id)
        // The gateway may know that there is no such event.
        const known = bus.announcing(topics.archived, { event_id }, finishing)
        const event = found(await bus.announcing(topics.imported, { event_id }, known))
        orderQueue.orderForAll(await badgeOrders.markAll(event_id))
        return { title: event.title }
      },
      async withdraw({ events, deleting }, { body: { account_id, event_id } }) {
        const is_known = await events.withdrawImport(account_id, event_id)
        if (is_known) deleting.start()
        return { is_known }
      },
    },
    dependencies,
  )
}
