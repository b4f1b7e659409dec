import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { WantedTypes } from '../consuming/wanted-types.ts'
import { events } from '../permissions.ts'
import type { WebhookStore } from '../webhooks/store.ts'
import type { Targets } from './attempts.ts'
import type { DeliveryStore, StoredDelivery } from './store.ts'

/** Whether a delivery goes to its event's `badge_complete_hook_url`: then its `webhook_id` is the event. */
function isBadgeHook({ webhook_id, event_id }: Pick<StoredDelivery, 'webhook_id' | 'event_id'>): boolean {
  return webhook_id === event_id
}

/** Looks up targets in the current webhook or event. */
export function targetsOf(webhooks: WebhookStore, deliveries: DeliveryStore, wanted: WantedTypes, bus: Bus): Targets {
  const eventClient = clientOf(bus, events)
  return {
    async of(delivery) {
      if (isBadgeHook(delivery)) {
        const { url } = await eventClient.badge_hook({ body: { event_id: delivery.webhook_id } })
        return url ? { url } : { gone: 'the event has no badge_complete_hook_url' }
      }
      const webhook = await webhooks.get(delivery.account_id, delivery.webhook_id)
      if (!webhook) return { gone: 'the webhook is deleted' }
      return webhook.is_enabled ? { url: webhook.url } : { gone: 'the webhook is disabled' }
    },

    async leave(delivery) {
      if (!isBadgeHook(delivery)) {
        await webhooks.update(delivery.account_id, delivery.webhook_id, { is_enabled: false })
        wanted.remove()
      }
      await deliveries.giveUp(delivery.webhook_id, 'the receiver answered 410')
    },
  }
}
