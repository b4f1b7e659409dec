import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { guests } from '../permissions.ts'
import type { PromoCodeStore } from './store.ts'

/** What the actions of discount codes depend on. */
export interface Dependencies {
  store: PromoCodeStore
  /** Counts the codes' uses. */
  guestClient: Client<typeof guests>
}
