import { type Handlers, handlersOf, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { create } from './create.ts'
import type { webhooks } from './resource.ts'
import { update } from './update.ts'

/** Returns the handlers of webhooks. Newly wanted event types are announced to all services before the answer. */
export function webhookHandlers(dependencies: Dependencies): Handlers<typeof webhooks> {
  return handlersOf<typeof webhooks, Dependencies>(
    {
      list: ({ webhooks }, { caller }) => webhooks.ofAccount(required(caller).account_id),
      read: async ({ webhooks }, { caller, params }) =>
        found(await webhooks.get(required(caller).account_id, params.id)),
      create,
      update,
      async delete({ webhooks, deliveries, wanted }, { caller, params }) {
        const { account_id } = required(caller)
        const webhook = found(await webhooks.delete(account_id, params.id))
        await deliveries.deleteOf(account_id, webhook._id)
        wanted.remove()
        return webhook
      },
    },
    dependencies,
  )
}
