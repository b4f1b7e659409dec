import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import { type Handlers, required } from '@gatehouse/proto/declaring/resource.ts'
import { events } from '../permissions.ts'
import type { WebhookStore } from '../webhooks/store.ts'
import type { DeliveryDispatcher } from './dispatcher.ts'
import type { deliveries, ShownDelivery } from './resource.ts'
import type { DeliveryStore, StoredDelivery } from './store.ts'

const ID = /^[0-9a-f]{24}$/

/** The handlers of deliveries. */
export function deliveryHandlers(
  store: DeliveryStore,
  webhooks: WebhookStore,
  dispatcher: DeliveryDispatcher,
  bus: Bus,
): Handlers<typeof deliveries> {
  const eventClient = clientOf(bus, events)

  /** Whether an account has such a webhook, or such an event. */
  async function isOf(account_id: string, id: string): Promise<boolean> {
    if (await webhooks.get(account_id, id)) return true
    if (!ID.test(id)) return false
    return (await eventClient.owner({ body: { event_id: id } })).account_id === account_id
  }

  return {
    async list({ caller, params: { webhook_id }, query }) {
      const { account_id } = required(caller)
      const found = await store.list(account_id, webhook_id, query)
      // An empty list may mean that webhook or event does not exist.
      if (found.length === 0 && !(await isOf(account_id, webhook_id))) throw notFound()
      return found.map(shown)
    },

    async replay({ caller, params: { webhook_id, delivery_id } }) {
      const delivery = await store.replay(required(caller).account_id, webhook_id, delivery_id)
      if (!delivery) throw notFound()
      dispatcher.wake([webhook_id])
      return shown(delivery)
    },
  }
}

function shown({ due_at, ...delivery }: StoredDelivery): ShownDelivery {
  return { ...delivery, next_attempt_at: delivery.state === 'pending' ? due_at : null }
}
