import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import { type Call, type Handlers, handlersOf, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { deliveries, ShownDelivery } from './resource.ts'
import { test } from './send-test.ts'
import type { StoredDelivery } from './store.ts'

type List = typeof deliveries.actions.list

const ID = /^[0-9a-f]{24}$/

/** Returns the handlers of deliveries. */
export function deliveryHandlers(dependencies: Dependencies): Handlers<typeof deliveries> {
  return handlersOf<typeof deliveries, Dependencies>(
    {
      list,
      test: async (dependencies, call) => shown(await test(dependencies, call)),
      async replay({ deliveries, dispatcher }, { caller, params: { webhook_id, delivery_id } }) {
        const delivery = found(await deliveries.replay(required(caller).account_id, webhook_id, delivery_id))
        dispatcher.wake([webhook_id])
        return shown(delivery)
      },
    },
    dependencies,
  )
}

/** Returns deliveries of a webhook, or of an event's badge hook. */
export async function list(
  { deliveries, webhooks, eventClient }: Dependencies,
  { caller, params: { webhook_id }, query }: Call<List>,
): Promise<ShownDelivery[]> {
  const { account_id } = required(caller)
  const listed = await deliveries.list(account_id, webhook_id, query)
  // An empty list may mean that webhook or event does not exist.
  if (listed.length === 0 && !(await webhooks.get(account_id, webhook_id))) {
    const owner = ID.test(webhook_id) && (await eventClient.owner({ body: { event_id: webhook_id } })).account_id
    if (owner !== account_id) throw notFound()
  }
  return listed.map(shown)
}

function shown({ due_at, ...delivery }: StoredDelivery): ShownDelivery {
  return { ...delivery, next_attempt_at: delivery.state === 'pending' ? due_at : null }
}
