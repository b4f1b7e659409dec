import type { Resource } from '@gatehouse/proto/declaring/resource.ts'
import { personalDataOf } from '@gatehouse/proto/privacy/personal-data.ts'
import { deliveries } from './deliveries/resource.ts'
import { live } from './live/resource.ts'
import { webhookSecrets } from './webhook-secrets/resource.ts'
import { webhooks } from './webhooks/resource.ts'

const personalData = personalDataOf('hooks')

export { deliveries, live, personalData, webhookSecrets, webhooks }

/** The resources of the hooks service. */
export const resources: Resource[] = [webhooks, webhookSecrets, deliveries, live, personalData]
