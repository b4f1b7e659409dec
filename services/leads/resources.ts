import { eventDataOf } from '@gatehouse/proto/declaring/event-data.ts'
import { personalDataOf } from '@gatehouse/proto/declaring/personal-data.ts'

// The leads service serves each resource that is exported here.
export { apps } from './apps/resource.ts'
export { connections } from './connections/resource.ts'
export { exhibitors } from './exhibitors/resource.ts'
export { leadGuests } from './lead-guests/resource.ts'
export { licences } from './licences/resource.ts'

export const personalData = personalDataOf('leads')
export const eventData = eventDataOf('leads')
