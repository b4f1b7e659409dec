import { type FieldErrors, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { languageOf } from '@gatehouse/proto/pages/languages.ts'
import { unbound } from '../../callers.ts'
import { BLOCKED, type Credentials } from '../../credentials/credentials.ts'
import type { AccountStore } from '../accounts/store.ts'
import type { ContactStore, StoredContact } from '../contacts/store.ts'
import type { StaffContacts } from '../staff-members/contacts.ts'
import type { invitations } from './resource.ts'

const NO_MAIL = messageOf('mail_not_configured')

/** The handlers of invitations. */
export function invitationHandlers(
  contacts: ContactStore,
  accounts: AccountStore,
  credentials: Credentials,
  staff: StaffContacts,
): Handlers<typeof invitations> {
  return {
    async list({ params, caller }) {
      const contact = await contacts.get(unbound(caller).account_id, params.contact_id)
      if (!contact) throw notFound()
      const shown = open(contact)
      return shown ? [shown] : []
    },

    async create({ params, body: given, accept, caller }) {
      const { account_id } = unbound(caller)
      await staff.requireRight(unbound(caller), params.contact_id)
      const [account, contact] = await Promise.all([
        accounts.get(account_id),
        contacts.get(account_id, params.contact_id),
      ])
      if (!account || !contact) throw notFound()
      const errors: FieldErrors = {
        ...(given.delivery === 'email' && !credentials.sendsMail && { delivery: [NO_MAIL] }),
        ...(contact.is_blocked && BLOCKED),
      }
      const body = await accept(errors)
      const invitation = await credentials.invite(account, params.contact_id)
      // The contact may have become staff meanwhile; a link that was made before that is void as soon as the person has joined.
      await staff.requireRight(unbound(caller), params.contact_id)
      const shown = open(invitation.contact)
      if (!shown) throw notFound()
      if (body.delivery === 'link') return { ...shown, delivery: 'link', url: invitation.url }
      const language = languageOf([body.locale ?? undefined, account.locale ?? undefined], undefined)
      await credentials.sendInvitation(account, invitation, language)
      return { ...shown, delivery: 'email' }
    },
  }
}

/** A contact's invitation if it is valid. */
function open({ _id, invitation }: StoredContact) {
  if (!invitation || invitation.expires_at <= new Date()) return undefined
  const { created_at, expires_at } = invitation
  return { contact_id: _id, created_at, expires_at }
}
