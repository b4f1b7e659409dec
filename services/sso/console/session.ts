import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { nameOf } from '../api/contacts/names.ts'
import type { consoleActions } from './actions.ts'
import type { SignedInDependencies } from './dependencies.ts'

/** Returns who is signed in, until when, and whether they can have passkeys. */
export async function session({
  passkeys,
  sessionStore,
  signedIn,
  account,
}: SignedInDependencies): Promise<Output<(typeof consoleActions)['session']>> {
  const { member, contact } = signedIn
  const { _id, role, event_id } = member
  const { obstacle } = passkeys
  return {
    account_id: account._id,
    account: account.slug,
    account_name: account.name ?? null,
    staff_member: { _id, name: nameOf(contact), email: contact.email, role, event_id },
    expires_at: new Date(sessionStore.endOf(signedIn.session)),
    passkeys: { available: obstacle === undefined, reason: obstacle ?? null },
  }
}
