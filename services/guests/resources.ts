import { eventDataOf } from '@gatehouse/proto/declaring/event-data.ts'
import { personalDataOf } from '@gatehouse/proto/declaring/personal-data.ts'

// The guests service serves each resource that is exported here.
export { badgeOrders } from './badge-orders/resource.ts'
export { erasures } from './erasures/resource.ts'
export { eventArchives } from './event-archives/resource.ts'
export { eventImports } from './event-imports/resource.ts'
export { events } from './events/resource.ts'
export type { RegistrationSettings } from './guest-categories/resource.ts'
export { guestCategories } from './guest-categories/resource.ts'
export type { GuestField } from './guest-fields/resource.ts'
export { guestFields } from './guest-fields/resource.ts'
export type { Guest } from './guests/resource.ts'
export { badgeFields, guestDefaults, guests, plainFields, printedFields, rsvpStatuses } from './guests/resource.ts'
export { hostMails } from './host-mails/resource.ts'
export { personalDocuments } from './personal-documents/resource.ts'
export { statistics } from './statistics/resource.ts'

export const personalData = personalDataOf('guests')
export const eventData = eventDataOf('guests')
