import { badgeOrders } from './badge-orders/resource.ts'
import { events } from './events/resource.ts'
import { guestCategories } from './guest-categories/resource.ts'
import { guestFields } from './guest-fields/resource.ts'
import { badgeFields, guests, plainFields, printedFields } from './guests/resource.ts'
import { statistics } from './statistics/resource.ts'

export type { RegistrationSettings } from './guest-categories/resource.ts'
export type { GuestField } from './guest-fields/resource.ts'

export {
  badgeFields,
  badgeOrders,
  events,
  guestCategories,
  guestFields,
  guests,
  plainFields,
  printedFields,
  statistics,
}

/** What the guests service serves. */
export const resources = [events, guestCategories, guestFields, guests, statistics, badgeOrders]
