import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { type Call, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import { nameOf } from '../contacts/names.ts'
import type { ContactStore } from '../contacts/store.ts'
import type { Dependencies } from '../dependencies.ts'
import { scopeOfRole } from '../staff-members/callers.ts'
import type { StoredMember } from '../staff-members/store.ts'
import type { apiTokens } from './resource.ts'

type Me = (typeof apiTokens)['actions']['me']

/** Returns the account and the holder of the caller's token: an API token, a device, or a session of a staff member. */
export async function me(
  { accounts, tokens, devices, staff, contacts }: Dependencies,
  { caller }: Call<Me>,
): Promise<Output<Me>> {
  const { account_id, token_id } = required(caller)
  const [account, token, device, member] = await Promise.all([
    accounts.get(account_id),
    tokens.get(account_id, token_id),
    devices.get({ _id: token_id, account_id }),
    staff.get(account_id, token_id),
  ])
  const holder =
    token ??
    (device && { ...device, scope: 'door' as const }) ??
    (member && (await staffHolder(contacts, account_id, member)))
  if (!account || !holder) throw new Fault('forbidden')
  const person = { email: null, first_name: holder.name, last_name: null }
  return { ...person, ...holder, id: token_id, account_id, account: account.slug, token_id }
}

async function staffHolder(contacts: ContactStore, account_id: string, member: StoredMember) {
  const { contact_id, role, event_id, created_at } = member
  const contact = await contacts.get(account_id, contact_id)
  const { email = null, first_name = null, last_name = null } = contact ?? {}
  const name = contact && nameOf(contact)
  return { email, first_name, last_name, name, scope: scopeOfRole[role], role, event_id, created_at }
}
