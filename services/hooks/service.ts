import { integer } from '@gatehouse/proto/declaring/fields.ts'
import { hookSettings } from '@gatehouse/proto/declaring/webhook-urls.ts'
import { personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import { type ConfigOf, ConfigurationError } from '@gatehouse/proto/process/config.ts'
import { delaysOf, retryDelays } from '@gatehouse/proto/process/retry-delays.ts'
import { eventDataHandlers } from '@gatehouse/proto/serving/event-data.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { encryptionSettings, startService } from '@gatehouse/proto/serving/service.ts'
import { EventConsumer } from './consuming/event-consumer.ts'
import { WebhookPublisher } from './consuming/webhook-publisher.ts'
import { longestOf } from './deliveries/attempts.ts'
import { DELIVERY_PATIENCE_MS } from './deliveries/claims.ts'
import { deliveryHandlers } from './deliveries/handlers.ts'
import { deliveryTexts, personalDeliveries } from './deliveries/resource.ts'
import type { StoredDelivery } from './deliveries/store.ts'
import { dependenciesOf } from './dependencies.ts'
import { liveHandlers } from './live/handlers.ts'
import { permissions } from './permissions.ts'
import * as resources from './resources.ts'
import { webhookSecretHandlers } from './webhook-secrets/handlers.ts'
import { webhookHandlers } from './webhooks/handlers.ts'

/** How long the shutdown waits for answers of receivers. */
const DRAIN_MS = 3_000

/** Live feeds yield like deliveries, but only for seconds, since people look at them. */
const FEED_PATIENCE_MS = 5_000

const DAY_MS = 86_400_000

/** The settings of the hooks service. */
export const settings = {
  ...encryptionSettings,
  ...hookSettings,
  webhooks_per_account: integer({
    default: 100,
    minimum: 1,
    maximum: 100_000,
    description: 'Webhooks that an account can have',
  }),
  hook_retry_delays: retryDelays({
    // In all a day and a quarter of an hour.
    default: '5,30,120,600,3600,10800,21600,21600,28800',
    description: 'Seconds after each failed attempt of a delivery, up to a fifth more; after the last it is given up',
  }),
  hook_timeout_ms: integer({
    default: 15_000,
    minimum: 100,
    maximum: 60_000,
    description: 'How long a receiver may take',
  }),
  deliveries_kept_days: integer({
    default: 30,
    minimum: 2,
    maximum: 3_650,
    description:
      'Days after which deliveries expire, pending ones too: they hold guests and take most of the room. Longer than all of HOOK_RETRY_DELAYS together',
  }),
}

/** The hooks service: webhooks, their deliveries, and the source of live feeds. */
export function start(config: ConfigOf<typeof settings>): Promise<Running> {
  const delays = delaysOf(config.hook_retry_delays)
  if (longestOf(delays) >= config.deliveries_kept_days * DAY_MS) {
    throw new ConfigurationError('HOOK_RETRY_DELAYS: longer than DELIVERIES_KEPT_DAYS; deliveries would expire before')
  }
  return startService('hooks', permissions, config, async (context) => {
    const { bus, store, serve, log } = context
    const dependencies = await dependenciesOf(config, delays, context)
    const { webhooks, deliveries, dispatcher, livePublisher, wanted, webhookClient } = dependencies
    const liveEvents = new EventConsumer({
      bus,
      consumer: 'live',
      handler: livePublisher,
      patienceMs: FEED_PATIENCE_MS,
      log,
    })
    const webhookEvents = new EventConsumer({
      bus,
      consumer: 'hooks',
      handler: new WebhookPublisher({ bus, webhooks, deliveries, dispatcher }),
      patienceMs: DELIVERY_PATIENCE_MS,
      whileBusy: 1,
      log,
    })

    serve(resources.webhooks, webhookHandlers(dependencies))
    serve(resources.webhookSecrets, webhookSecretHandlers(dependencies))
    serve(resources.deliveries, deliveryHandlers(dependencies))
    serve(resources.personalData, personalDataHandlers(store.db, [personalDeliveries], {}, [deliveryTexts]))
    const collections = [
      {
        name: 'webhooks',
        by: 'account' as const,
        stays: 'webhooks of the event: they sign with a secret of their account. Make them again',
      },
      { name: 'deliveries', by: 'account' as const, stays: 'what was sent to webhooks: it is a log' },
    ]
    serve(resources.eventData, eventDataHandlers(store.db, { collections, after: async () => wanted.remove() }))
    serve(resources.live, liveHandlers(dependencies))
    wanted.serve()
    liveEvents.start()
    webhookEvents.start()
    dispatcher.start()
    return {
      // Of the account, since a webhook may hear of all its events.
      cell: {
        events: [],
        accounts: { webhooks: 'account_id', deliveries: 'account_id', webhook_secrets: '_id' },
        last: {
          ...{ webhooks: true, webhook_secrets: true },
          deliveries: ({ state }: StoredDelivery) => state === 'pending',
        },
        changed: () => void wanted.remove(),
      },
      drain: async () => {
        // A slow receiver does not delay the shutdown; another process repeats its delivery.
        const late = setTimeout(() => void webhookClient.close(), DRAIN_MS)
        await Promise.all([liveEvents.stop(), webhookEvents.stop().then(() => dispatcher.stop())])
        clearTimeout(late)
      },
      stop: () => webhookClient.close(),
    }
  })
}
