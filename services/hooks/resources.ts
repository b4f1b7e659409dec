import { eventDataOf } from '@gatehouse/proto/declaring/event-data.ts'
import { personalDataOf } from '@gatehouse/proto/declaring/personal-data.ts'

// The hooks service serves each resource that is exported here.
export { deliveries } from './deliveries/resource.ts'
export { live } from './live/resource.ts'
export { webhookSecrets } from './webhook-secrets/resource.ts'
export { webhooks } from './webhooks/resource.ts'

export const personalData = personalDataOf('hooks')
export const eventData = eventDataOf('hooks')
