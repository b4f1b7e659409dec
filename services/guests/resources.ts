import { personalDataOf } from '@gatehouse/proto/privacy/personal-data.ts'
import { badgeOrders } from './badge-orders/resource.ts'
import { erasures } from './erasures/resource.ts'
import { events } from './events/resource.ts'
import { guestCategories } from './guest-categories/resource.ts'
import { guestFields } from './guest-fields/resource.ts'
import { badgeFields, guests, plainFields, printedFields } from './guests/resource.ts'
import { personalDocuments } from './personal-documents/resource.ts'
import { statistics } from './statistics/resource.ts'

export type { RegistrationSettings } from './guest-categories/resource.ts'
export type { GuestField } from './guest-fields/resource.ts'

const personalData = personalDataOf('guests')

export {
  badgeFields,
  badgeOrders,
  erasures,
  events,
  guestCategories,
  guestFields,
  guests,
  personalData,
  personalDocuments,
  plainFields,
  printedFields,
  statistics,
}

/** What the guests service serves. */
export const resources = [
  events,
  guestCategories,
  guestFields,
  guests,
  statistics,
  badgeOrders,
  erasures,
  personalDocuments,
  personalData,
]
