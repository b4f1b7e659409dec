import type { Caller, Role, Scope } from '@gatehouse/proto/declaring/resource.ts'
import { nameOf } from '../contacts/names.ts'
import type { StoredContact } from '../contacts/store.ts'
import type { StoredMember } from './store.ts'

/** What tokens of the same reach have: the scope as which a request counts. */
export const scopeOfRole: Record<Role, Scope> = {
  owner: 'admin',
  organizer: 'admin',
  door_manager: 'read',
  viewer: 'read',
}

/** A staff member as a caller, with the name for the audit log. */
export function callerOf(
  account_id: string,
  { _id: token_id, role, event_id }: StoredMember,
  contact: StoredContact,
): { caller: Caller; name: string } {
  const bound = event_id === null ? {} : { event_id }
  const caller = { account_id, token_id, scope: scopeOfRole[role], role, ...bound }
  return { caller, name: nameOf(contact) ?? contact.email }
}
