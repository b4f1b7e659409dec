import type { personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import type { Db } from 'mongodb'
import type { AccountStore } from '../api/accounts/store.ts'
import type { StaffStore } from '../api/staff-members/store.ts'

/** The handlers of personal data that hold for every service. */
export type PersonalDataHandlers = ReturnType<typeof personalDataHandlers>

/** What the actions of personal data depend on. */
export interface Dependencies {
  /** What they do once the contacts are chosen. */
  personal: PersonalDataHandlers
  staff: StaffStore
  accounts: AccountStore
  db: Db
}
