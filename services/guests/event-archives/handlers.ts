import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { download } from './download.ts'
import { begin, finish, withdraw } from './importing.ts'
import { lineOf } from './line.ts'
import type { eventArchives } from './resource.ts'
import { sealFor } from './sealing.ts'

/** Returns the handlers of archives of events. */
export function eventArchiveHandlers(dependencies: Dependencies): Handlers<typeof eventArchives> {
  return handlersOf<typeof eventArchives, Dependencies>(
    {
      async read({ events }, { body: { account_id, event_id } }) {
        const event = found(await events.get(event_id))
        if (event.account_id !== account_id) throw notFound()
        return { ...lineOf(event), is_archived: event.archived_at !== null }
      },
      download,
      seal: async ({ encrypter }, { body }) => ({ seal: sealFor(encrypter, body.digest) }),
      async begin(dependencies, { body }) {
        const { outcome, stored, new_key } = await begin(dependencies, body)
        return { outcome, title: stored?.title ?? null, new_key }
      },
      finish: async (dependencies, { body }) => ({ title: found(await finish(dependencies, body)).title }),
      withdraw: async (dependencies, { body }) => ({ is_known: await withdraw(dependencies, body) }),
    },
    dependencies,
  )
}
