import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { BadgeMaker } from './badges/maker.ts'
import type { BadgeStore } from './badges/store.ts'
import type { FileStore } from './files/store.ts'
import type { Guests } from './guests.ts'
import type { PublicLinks } from './links.ts'
import type { guestFields } from './permissions.ts'

/** What the actions of the badges service depend on. */
export interface Dependencies {
  badges: BadgeStore
  files: FileStore
  guests: Guests
  links: PublicLinks
  maker: BadgeMaker
  guestFieldClient: Client<typeof guestFields>
}
