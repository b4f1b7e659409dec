import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { ServiceContext } from '@gatehouse/proto/serving/service.ts'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { prepared } from '@gatehouse/proto/storage/mongo.ts'
import { WantedTypes } from './consuming/wanted-types.ts'
import { DeliveryDispatcher } from './deliveries/dispatcher.ts'
import { DeliveryStore } from './deliveries/store.ts'
import { targetsOf } from './deliveries/targets.ts'
import { WebhookClient } from './deliveries/webhook-client.ts'
import { LivePublisher } from './live/live-publisher.ts'
import { WatchStore } from './live/store.ts'
import { events } from './permissions.ts'
import { WebhookSecretStore } from './webhook-secrets/store.ts'
import { WebhookStore } from './webhooks/store.ts'

/** The settings that the dependencies take. */
interface Config {
  secrets_key: string
  gatehouse_allow_private_hooks: boolean
  webhooks_per_account: number
  hook_timeout_ms: number
  deliveries_kept_days: number
}

/** What the actions of the hooks service depend on. */
export type Dependencies = Awaited<ReturnType<typeof dependenciesOf>>

/** Makes what the actions of the hooks service depend on, with the indexes of all stores. `delays` are those after failed attempts. */
export async function dependenciesOf(config: Config, delays: number[], { bus, store: { db }, log }: ServiceContext) {
  const { hook_timeout_ms: timeoutMs, gatehouse_allow_private_hooks: allowPrivate } = config
  const webhooks = await prepared(new WebhookStore(db, config.webhooks_per_account))
  const secrets = new WebhookSecretStore(db, new Encrypter(config.secrets_key))
  const deliveries = await prepared(new DeliveryStore(db, config.deliveries_kept_days))
  const watches = await prepared(new WatchStore(db))
  const wanted = new WantedTypes(bus, webhooks, watches)
  const webhookClient = new WebhookClient(allowPrivate, timeoutMs)
  const targets = targetsOf(webhooks, deliveries, wanted, bus)
  return {
    bus,
    webhooks,
    secrets,
    deliveries,
    dispatcher: new DeliveryDispatcher({ store: deliveries, secrets, webhookClient, targets, timeoutMs, delays, log }),
    watches,
    livePublisher: new LivePublisher(bus, watches),
    wanted,
    webhookClient,
    eventClient: clientOf(bus, events),
    /** Whether a webhook may have an address that is not public. */
    allowPrivate,
  }
}
