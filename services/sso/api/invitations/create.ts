import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { languageOf } from '@gatehouse/proto/pages/languages.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { unbound } from '../../callers.ts'
import { BLOCKED } from '../../credentials/credentials.ts'
import type { StoredContact } from '../contacts/store.ts'
import type { Dependencies } from '../dependencies.ts'
import type { invitations } from './resource.ts'

type Create = (typeof invitations)['actions']['create']

const NO_MAIL = messageOf('mail_not_configured')

/** Invites a contact to choose a password, by e-mail or by a link that the caller passes on. */
export async function create(
  { accounts, contacts, credentials, staffContacts }: Dependencies,
  { params: { contact_id }, body: given, accept, caller }: Call<Create>,
): Promise<Output<Create>> {
  const { account_id } = unbound(caller)
  await staffContacts.requireRight(unbound(caller), contact_id)
  const account = found(await accounts.get(account_id))
  const contact = found(await contacts.get(account_id, contact_id))
  const errors: FieldErrors = {
    ...(given.delivery === 'email' && !credentials.sendsMail && { delivery: [NO_MAIL] }),
    ...(contact.is_blocked && BLOCKED),
  }
  const body = await accept(errors)
  const invitation = await credentials.invite(account, contact_id)
  // The contact may have become staff meanwhile; a link that was made before that is void as soon as the person has joined.
  await staffContacts.requireRight(unbound(caller), contact_id)
  const shown = found(openInvitation(invitation.contact)[0])
  if (body.delivery === 'link') return { ...shown, delivery: 'link', url: invitation.url }
  const language = languageOf([body.locale ?? undefined, account.locale ?? undefined], undefined)
  await credentials.sendInvitation(account, invitation, language)
  return { ...shown, delivery: 'email' }
}

/** Returns a contact's invitation if it is valid. */
export function openInvitation({ _id, invitation }: StoredContact) {
  if (!invitation || invitation.expires_at <= new Date()) return []
  const { created_at, expires_at } = invitation
  return [{ contact_id: _id, created_at, expires_at }]
}
