import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { CellData } from '@gatehouse/proto/serving/cells/cell-data.ts'
import { type EventOfAccount, eventDataHandlers } from '@gatehouse/proto/serving/event-data.ts'
import type { Db } from 'mongodb'
import type { DeviceStore } from './api/devices/store.ts'
import { removed } from './api/staff-members/rules.ts'
import type { StaffStore } from './api/staff-members/store.ts'
import type { ConsoleSessionStore } from './console/session-store.ts'
import type { PasskeyStore } from './passkeys/store.ts'
import * as topics from './topics.ts'

interface EventDataDependencies {
  devices: DeviceStore
  staff: StaffStore
  sessionStore: ConsoleSessionStore
  passkeyStore: PasskeyStore
  bus: Bus
}

/** What the service holds of accounts besides what expires within a day. */
export const ofAccounts = {
  ...{ accounts: '_id', staff: '_id', oidc_keys: '_id' },
  ...{ logos: 'account_id', contacts: 'account_id', contact_fields: 'account_id', passkeys: 'account_id' },
  ...{ oauth_apps: 'account_id', oidc_consents: 'account_id', oidc_artifacts: 'account_id' },
  ...{ audit_records: 'account_id', console_sessions: 'account_id' },
  ...{ devices: 'account_id', api_tokens: 'account_id' },
} as const satisfies CellData['accounts']

/** By these people and devices who bring no token yet find an account. */
export const foundByStrangers = {
  ...{ accounts: true, staff: true, oidc_keys: true, oauth_apps: true, oidc_artifacts: true },
  ...{ console_sessions: true, devices: true, api_tokens: true },
} as const satisfies CellData['last']

/** Returns the handlers that delete who reaches a deleted event alone: its tokens, devices, and staff members who are bound to it. Audit records stay. */
export function ssoEventDataHandlers(db: Db, dependencies: EventDataDependencies) {
  const { devices, bus } = dependencies
  return eventDataHandlers(db, {
    collections: [
      { name: 'api_tokens', by: 'account', stays: 'API tokens of the event: they are secret. Make new ones' },
    ],
    others: [
      { name: 'devices', stays: 'devices: they hold secret tokens. Add them again' },
      { name: 'staff', stays: 'staff members of the event: they belong to the account. Invite them again' },
      { name: 'audit_records', stays: 'the audit log: it belongs to the account' },
    ],
    before: async ({ account_id, event_id }) => {
      await bus.announcing(topics.tokens, 'revoked', devices.revokeOfEvent(account_id, event_id))
      await removeStaff(dependencies, { account_id, event_id })
    },
    after: async () => bus.announcing(topics.tokens, 'revoked', Promise.resolve()),
  })
}

async function removeStaff(
  { staff, sessionStore, passkeyStore, bus }: EventDataDependencies,
  { account_id, event_id }: EventOfAccount,
): Promise<void> {
  for (const { _id, contact_id, event_id: bound } of await staff.ofAccount(account_id)) {
    if (bound !== event_id) continue
    const removing = staff.change(account_id, (members) => removed(members, _id))
    await bus.announcing(topics.tokens, 'revoked', removing)
    await sessionStore.deleteOfMember(account_id, _id)
    await passkeyStore.deleteOfContact(account_id, contact_id)
  }
}
