import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { type FieldErrors, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Call, type Handlers, required } from '@gatehouse/proto/declaring/resource.ts'
import { hookUrlError } from '@gatehouse/proto/declaring/webhook-urls.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Interest } from '../consuming/interest.ts'
import type { DeliveryStore } from '../deliveries/store.ts'
import { events } from '../permissions.ts'
import type { webhooks } from './resource.ts'
import type { WebhookStore } from './store.ts'

type SubmittedWebhook = Call<(typeof webhooks)['actions']['update']>['body']

/** The handlers of webhooks. Newly wanted event types are announced to all services before the answer. */
export function webhookHandlers(
  store: WebhookStore,
  deliveries: DeliveryStore,
  interest: Interest,
  allowPrivate: boolean,
  bus: Bus,
): Handlers<typeof webhooks> {
  const eventClient = clientOf(bus, events)

  async function errorsOf(account_id: string, { url, event_id }: SubmittedWebhook): Promise<FieldErrors> {
    const errors: FieldErrors = {}
    const urlError = url !== undefined && hookUrlError(url, allowPrivate)
    if (urlError) errors.url = [urlError]
    // An empty id is refused too: it must not subscribe a webhook to all events.
    if (event_id !== undefined && event_id !== null) {
      const owner = await eventClient.owner({ body: { event_id } })
      if (owner.account_id !== account_id)
        errors.event_id = [messageOf('unknown_reference', { thing: 'an event', owner: 'account' })]
    }
    return errors
  }

  return {
    async list({ caller }) {
      return store.ofAccount(required(caller).account_id)
    },

    async read({ caller, params }) {
      return found(await store.get(required(caller).account_id, params.id))
    },

    async create({ caller, body: given, accept, newId }) {
      const { account_id } = required(caller)
      const body = await accept(await errorsOf(account_id, given))
      const webhook = await store.insert({ _id: newId(), ...body, account_id, ...newTimes() })
      if (!webhook) throw invalid({ webhooks: [messageOf('account_limit', { limit: store.cap, act: 'delete' })] })
      if (webhook.is_enabled) await interest.add(webhook.event_types)
      return webhook
    },

    async update({ caller, params, body: given, accept }) {
      const { account_id } = required(caller)
      found(await store.get(account_id, params.id))
      const body = await accept(await errorsOf(account_id, given))
      const webhook = found(await store.update(account_id, params.id, body))
      if (webhook.is_enabled) await interest.add(webhook.event_types)
      interest.remove()
      return webhook
    },

    async delete({ caller, params }) {
      const { account_id } = required(caller)
      const webhook = found(await store.delete(account_id, params.id))
      await deliveries.deleteOf(account_id, webhook._id)
      interest.remove()
      return webhook
    },
  }
}
