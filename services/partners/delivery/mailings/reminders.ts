import type { DeliveryDependencies } from '../../dependencies.ts'
import { eventTerms } from '../../event-terms.ts'
import type { StoredInvitation } from '../invitations/store.ts'
import { contentOf } from '../sending/mails.ts'
import type { InvitationMail } from '../sending/resource.ts'
import { exampleRecipient } from '../test-sends/outcome.ts'
import type { MailingTexts } from './content.ts'
import type { Addressee } from './delivery-store.ts'
import type { AudiencePosition, StoredMailing } from './store.ts'

/*
 * Mailings to those who were invited and have not answered: their deliveries name the invitation in place of a guest, and lead to its page.
 */

/** Recipients who are looked for together. */
const PAGE = 500

/** A page of those who have not answered invitations of a mailing's type, and the last of them if there may be more. */
export async function unansweredOf(
  { campaigns, partnerInvitations }: DeliveryDependencies,
  { event_id, audience }: StoredMailing,
  after: AudiencePosition | undefined,
): Promise<{ addressees: Addressee[]; next: AudiencePosition | undefined }> {
  const all = await campaigns.idsOfType(event_id, audience.invitation_type_id ?? '')
  const begun = after?.partner_campaign_id ?? ''
  const found: StoredInvitation[] = []
  for (const _id of all.filter((id) => id >= begun)) {
    const position = _id === begun ? after : undefined
    const limit = PAGE - found.length
    const some = await partnerInvitations.unanswered({ _id, event_id }, position, limit)
    found.push(...some)
    const last = some.at(-1) ?? position
    if (some.length === limit && last) {
      const { created_at } = last
      return { addressees: found.map(addresseeOf), next: { partner_campaign_id: _id, _id: last._id, created_at } }
    }
  }
  return { addressees: found.map(addresseeOf), next: undefined }
}

function addresseeOf({ _id, address }: StoredInvitation): Addressee {
  return { invitation_id: _id, address }
}

/** Returns the e-mails of leased reminders. Those whose invitations were answered meanwhile, or are gone, are cancelled. */
export async function reminderMailsOf(
  dependencies: DeliveryDependencies,
  mailing: StoredMailing,
  lease: string,
  leased: readonly { invitation: StoredInvitation }[],
): Promise<InvitationMail[]> {
  const { links, partnerInvitations, partners } = dependencies
  const { event_id } = mailing
  const event = await eventTerms(dependencies, event_id)
  const gone: string[] = []
  const mails = leased.map(async ({ invitation: { _id, invitation_id = '', address: to } }) => {
    const invitation = await partnerInvitations.get(invitation_id)
    const partner = invitation && (await partners.get(event_id, invitation.partner_id))
    if (!partner || invitation.event_id !== event_id || invitation.state !== 'sent' || invitation.answer !== null) {
      gone.push(_id)
      return []
    }
    const link = links.of(event_id, invitation_id)
    const unsubscribe_link = links.ofUnsubscribing(event_id, _id)
    const content = contentOf(
      mailing,
      {
        ...{ first_name: invitation.first_name ?? '', last_name: invitation.last_name ?? '', email: invitation.email },
        ...{ partner_name: partner.name, link, unsubscribe_link },
      },
      event,
    )
    return [{ _id, to, ...content, reply_to: event.reply_to_email, link, unsubscribe_link }]
  })
  const made = (await Promise.all(mails)).flat()
  await dependencies.invitations.recordOutcome(event_id, lease, gone, 'cancelled', null)
  return made
}

/** Returns what a reminder says, with example values. */
export async function exampleReminder(
  dependencies: DeliveryDependencies,
  mailing: MailingTexts,
  email = 'ada.lovelace@example.org',
): Promise<Pick<InvitationMail, 'subject' | 'text' | 'html' | 'sender_name' | 'reply_to'>> {
  const event = await eventTerms(dependencies, mailing.event_id)
  const content = contentOf(mailing, { ...exampleRecipient(dependencies, mailing.event_id), email }, event)
  return { ...content, reply_to: event.reply_to_email }
}
