import { eventDataOf } from '@gatehouse/proto/declaring/event-data.ts'

// The promo service serves each resource that is exported here.
export { promoCodes } from './promo-codes/resource.ts'

export const eventData = eventDataOf('promo')
