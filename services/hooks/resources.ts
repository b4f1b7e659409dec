import type { Resource } from '@gatehouse/proto/declaring/resource.ts'
import { deliveries } from './deliveries/resource.ts'
import { live } from './live/resource.ts'
import { webhookSecrets } from './webhook-secrets/resource.ts'
import { webhooks } from './webhooks/resource.ts'

export { deliveries, live, webhookSecrets, webhooks }

/** The resources of the hooks service. */
export const resources: Resource[] = [webhooks, webhookSecrets, deliveries, live]
