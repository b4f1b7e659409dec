import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { AccountStates } from '@gatehouse/proto/serving/cells/fence.ts'
import type { EnrolmentCodes } from '@gatehouse/proto/storage/enrolment-codes.ts'
import type { ConsoleSessionStore } from '../console/session-store.ts'
import type { CodeStore } from '../credentials/codes.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { Issuers } from '../issuers.ts'
import type { PasskeyStore } from '../passkeys/store.ts'
import type { accesspoints, events } from '../permissions.ts'
import type { LogoStore } from './accounts/logos/store.ts'
import type { AccountStore } from './accounts/store.ts'
import type { ApiTokenStore } from './api-tokens/store.ts'
import type { AuditStore } from './audit/store.ts'
import type { ContactFieldStore } from './contact-fields/store.ts'
import type { ContactStore } from './contacts/store.ts'
import type { DeviceStore } from './devices/store.ts'
import type { OauthAppStore } from './oauth-apps/store.ts'
import type { StaffContacts } from './staff-members/contacts.ts'
import type { StaffStore } from './staff-members/store.ts'

/** What the actions of the API depend on. */
export interface Dependencies {
  accounts: AccountStore
  logos: LogoStore
  tokens: ApiTokenStore
  devices: DeviceStore
  contacts: ContactStore
  fields: ContactFieldStore
  apps: OauthAppStore
  audit: AuditStore
  codes: CodeStore
  staff: StaffStore
  sessionStore: ConsoleSessionStore
  passkeyStore: PasskeyStore
  credentials: Credentials
  deviceCodes: EnrolmentCodes
  issuers: Issuers
  staffContacts: StaffContacts
  /** The setting of this name. */
  sso_hosts: string | null
  eventClient: Client<typeof events>
  accesspointClient: Client<typeof accesspoints>
  bus: Bus
  fence: AccountStates
}
