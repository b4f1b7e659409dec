import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import type { BadgeOrderQueue } from './badge-orders/order-queue.ts'
import type { BadgeOrderStore } from './badge-orders/store.ts'
import type { Erasing, PersonalDataClients } from './erasures/erasing.ts'
import type { People } from './erasures/people.ts'
import type { ErasureStore } from './erasures/store.ts'
import type { EventStore } from './events/store.ts'
import type { GuestCategoryStore } from './guest-categories/store.ts'
import type { GuestFieldStore } from './guest-fields/store.ts'
import type { GuestChanges } from './guests/changes.ts'
import type { GuestLookups } from './guests/lookups.ts'
import type { GuestPresenter } from './guests/presenter.ts'
import type { GuestOutbox } from './guests/publishing.ts'
import type { GuestStore } from './guests/store.ts'
import type * as permissions from './permissions.ts'

/** What the actions of the guests service depend on. */
export interface Dependencies {
  bus: Bus
  encrypter: Encrypter
  events: EventStore
  categories: GuestCategoryStore
  guestFields: GuestFieldStore
  guests: GuestStore
  lookups: GuestLookups
  badgeOrders: BadgeOrderStore
  orderQueue: BadgeOrderQueue
  erasures: ErasureStore
  erasing: Erasing
  people: People
  presenter: GuestPresenter
  outbox: GuestOutbox
  changes: GuestChanges
  accesspointClient: Client<typeof permissions.accesspoints>
  linkClient: Client<typeof permissions.links>
  checkInClient: Client<typeof permissions.checkIns>
  promoCodeClient: Client<typeof permissions.promoCodes>
  badgeClient: Client<typeof permissions.badges>
  fileClient: Client<typeof permissions.files>
  /** The clients of services that hold personal data, in the order of its erasure. */
  personalDataClients: PersonalDataClients
  /** Whether a badge hook may have an address that is not public. */
  allowPrivateHooks: boolean
}
