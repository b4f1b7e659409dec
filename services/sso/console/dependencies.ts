import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { StoredAccount } from '../api/accounts/store.ts'
import type { StaffContacts } from '../api/staff-members/contacts.ts'
import type { StaffStore } from '../api/staff-members/store.ts'
import type { Issuers } from '../issuers.ts'
import type { SsoDependencies } from '../oidc/account-request.ts'
import type { ProviderExchange } from '../oidc/exchange.ts'
import type { KeyStore } from '../oidc/keys.ts'
import type { PasskeyStore } from '../passkeys/store.ts'
import type { ConsoleCookies } from './cookies.ts'
import type { SignedInStaff } from './identify.ts'
import type { ConsoleSessionStore } from './session-store.ts'
import type { ConsoleSessions } from './sessions.ts'

/** The stores and services of the console's pages. */
export interface ConsoleDependencies extends SsoDependencies {
  passkeyStore: PasskeyStore
  staff: StaffStore
  staffContacts: StaffContacts
  keys: KeyStore
  exchange: ProviderExchange
  sessions: ConsoleSessions
  sessionStore: ConsoleSessionStore
  cookies: ConsoleCookies
  issuers: Issuers
  bus: Bus
}

/** Who asks, from where. */
export interface Asking {
  signedIn: SignedInStaff
  account: StoredAccount
  address: string
}

/** What the console's actions depend on: stores, services, and who asks. */
export interface SignedInDependencies extends ConsoleDependencies, Asking {}
