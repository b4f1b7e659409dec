import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { finish, withdraw } from '../event-archives/importing.ts'
import { add } from './add.ts'
import { accountOf, importOf, shown } from './begun.ts'
import { create } from './create.ts'
import type { eventImports } from './resource.ts'

/** Returns the handlers of imports of archives. */
export function eventImportHandlers(dependencies: Dependencies): Handlers<typeof eventImports> {
  return handlersOf<typeof eventImports, Dependencies>(
    {
      list: async ({ events }, { caller }) => (await events.imports(accountOf(caller))).map(shown),
      create,
      add,
      async finish(dependencies, { params: { id: event_id }, caller }) {
        const account_id = accountOf(caller)
        const event = await importOf(dependencies, account_id, event_id)
        for (const { client } of dependencies.eventDataServices) await client.finish({ body: { account_id, event_id } })
        found(await finish(dependencies, { account_id, event_id }))
        return shown(event)
      },
      async delete(dependencies, { params: { id: event_id }, caller }) {
        const account_id = accountOf(caller)
        const event = await importOf(dependencies, account_id, event_id)
        if (!(await withdraw(dependencies, { account_id, event_id }))) throw notFound()
        return shown(event)
      },
    },
    dependencies,
  )
}
