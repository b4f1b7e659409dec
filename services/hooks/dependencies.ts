import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { WantedTypes } from './consuming/wanted-types.ts'
import type { DeliveryDispatcher } from './deliveries/dispatcher.ts'
import type { DeliveryStore } from './deliveries/store.ts'
import type { LivePublisher } from './live/live-publisher.ts'
import type { WatchStore } from './live/store.ts'
import type { events } from './permissions.ts'
import type { WebhookSecretStore } from './webhook-secrets/store.ts'
import type { WebhookStore } from './webhooks/store.ts'

/** What the actions of the hooks service depend on. */
export interface Dependencies {
  webhooks: WebhookStore
  secrets: WebhookSecretStore
  deliveries: DeliveryStore
  dispatcher: DeliveryDispatcher
  watches: WatchStore
  livePublisher: LivePublisher
  wanted: WantedTypes
  eventClient: Client<typeof events>
  /** Whether a webhook may have an address that is not public. */
  allowPrivate: boolean
}
