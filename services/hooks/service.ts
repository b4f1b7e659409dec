import { serveResource } from '@gatehouse/proto/bus/serving.ts'
import type { Burden } from '@gatehouse/proto/concurrency/adaptive-pause.ts'
import { integer, text } from '@gatehouse/proto/declaring/fields.ts'
import { type HookConfig, hookSettings } from '@gatehouse/proto/declaring/webhook-urls.ts'
import type { Running } from '@gatehouse/proto/process/run.ts'
import { startService } from '@gatehouse/proto/process/service.ts'
import { type SealedConfig, Sealer, sealedSettings } from '@gatehouse/proto/storage/encryption.ts'
import { Intake } from './consuming/event-consumer.ts'
import { Wanted } from './consuming/interest.ts'
import { Listeners } from './consuming/subscribers.ts'
import { Teller } from './consuming/webhook-publisher.ts'
import { DELIVERIES } from './deliveries/claims.ts'
import { Courier } from './deliveries/dispatcher.ts'
import { deliveryHandlers } from './deliveries/handlers.ts'
import { Sender } from './deliveries/sender.ts'
import { DeliveryStore } from './deliveries/store.ts'
import { targetsOf } from './deliveries/targets.ts'
import { liveHandlers } from './live/handlers.ts'
import { Shower } from './live/live-publisher.ts'
import { WatchStore } from './live/store.ts'
import { deliveries, live, webhookSecrets, webhooks } from './resources.ts'
import { webhookSecretHandlers } from './webhook-secrets/handlers.ts'
import { WebhookSecretStore } from './webhook-secrets/store.ts'
import { webhookHandlers } from './webhooks/handlers.ts'
import { WebhookStore } from './webhooks/store.ts'

/** How long receivers may take for their answers when the process is asked to end. */
const DRAIN_MS = 3_000

/** What live feeds show gives way as deliveries do, but somebody looks at it: seconds at most. */
const FEEDS: Burden = { usualMs: 0.2, fixed: 50, rests: 200, longestRestMs: 10, patienceMs: 5_000 }

const MOST_WEBHOOKS = 100

/** The settings of the hooks service. */
export const settings = {
  ...sealedSettings,
  ...hookSettings,
  webhooks_per_account: integer({
    default: MOST_WEBHOOKS,
    minimum: 1,
    maximum: 100_000,
    description: 'Webhooks that an account can have',
  }),
  hook_retry_delays: text({
    // A day and a quarter of an hour.
    default: '5,30,120,600,3600,10800,21600,21600,28800',
    pattern: '^\\d+(\\.\\d+)?(,\\d+(\\.\\d+)?)*$',
    description: 'Seconds after each failed attempt of a delivery, up to a fifth more; after the last it is given up',
  }),
  hook_timeout_ms: integer({
    default: 15_000,
    minimum: 100,
    maximum: 60_000,
    description: 'How long a receiver may take',
  }),
}

/** The settings as read. */
export interface HooksConfig extends SealedConfig, HookConfig {
  webhooks_per_account?: number
  hook_retry_delays: string
  hook_timeout_ms: number
}

/** The hooks service: webhooks and their deliveries, and what live feeds show. */
export function start(config: HooksConfig): Promise<Running> {
  return startService('hooks', config, async ({ bus, store, retries, log }) => {
    const allowPrivate = config.gatehouse_allow_private_hooks
    const webhookStore = new WebhookStore(store.db, config.webhooks_per_account ?? MOST_WEBHOOKS)
    const secretStore = new WebhookSecretStore(store.db, new Sealer(config.secrets_key))
    const deliveryStore = new DeliveryStore(store.db)
    const watchStore = new WatchStore(store.db)
    await Promise.all([webhookStore.prepare(), deliveryStore.prepare(), watchStore.prepare()])

    const wanted = new Wanted(bus, webhookStore, watchStore)
    const sender = new Sender(allowPrivate, config.hook_timeout_ms)
    const courier = new Courier({
      store: deliveryStore,
      secrets: secretStore,
      sender,
      targets: targetsOf(webhookStore, deliveryStore, wanted, bus),
      timeoutMs: config.hook_timeout_ms,
      delays: config.hook_retry_delays.split(',').map((seconds) => Number(seconds) * 1_000),
      log,
    })
    const listeners = new Listeners(bus, webhookStore, watchStore)
    const shower = new Shower(bus, listeners)
    const teller = new Teller({ bus, listeners, deliveries: deliveryStore, courier })
    const showing = new Intake({ bus, consumer: 'live', telling: shower, burden: FEEDS, log })
    const telling = new Intake({ bus, consumer: 'hooks', telling: teller, burden: DELIVERIES, whileBusy: 1, log })

    serveResource(bus, webhooks, webhookHandlers(webhookStore, deliveryStore, wanted, allowPrivate, bus), { retries })
    serveResource(bus, webhookSecrets, webhookSecretHandlers(secretStore), { retries })
    serveResource(bus, deliveries, deliveryHandlers(deliveryStore, webhookStore, courier, bus), { retries })
    serveResource(bus, live, liveHandlers(watchStore, wanted, shower), { retries })
    wanted.serve()
    showing.start()
    telling.start()
    courier.start()
    return {
      drain: async () => {
        // A slow receiver does not hold the process; it is told again by another.
        const late = setTimeout(() => void sender.close(), DRAIN_MS)
        await Promise.all([showing.stop(), telling.stop().then(() => courier.stop())])
        clearTimeout(late)
      },
      stop: () => sender.close(),
    }
  })
}
