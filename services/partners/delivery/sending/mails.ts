import { languageOf, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import { mailButton, mailDocument } from '@gatehouse/proto/pages/mail-layout.ts'
import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { StoredPartner } from '../../campaigns/partners/store.ts'
import type { DeliveryDependencies } from '../../dependencies.ts'
import { eventTerms, type MailTerms, mailBrandingOf } from '../../event-terms.ts'
import { languages } from '../../pages/invitation-pages/languages.ts'
import { hasLink, htmlOf, readMessage, textOf } from '../invitation-types/markup.ts'
import { filled, type PlaceholderValues } from '../invitation-types/placeholders.ts'
import type { InvitationType } from '../invitation-types/resource.ts'
import type { StoredInvitation } from '../invitations/store.ts'
import type { InvitationMail } from './resource.ts'

/** What an invitation says whose type says nothing. */
export const SUBJECT = '{{partner_name}} invites you to {{event_title}}'
export const MESSAGE = '{{partner_name}} invites you to {{event_title}}. Please answer here:\n\n{{link}}\n'
/** Control characters, line ends included. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a line
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** Returns the e-mails of a partner's invitations, which their types define. */
export async function mailsOf(
  dependencies: DeliveryDependencies,
  partner: StoredPartner,
  invitations: { invitation: StoredInvitation; campaign: StoredCampaign }[],
): Promise<InvitationMail[]> {
  const { types, links } = dependencies
  if (invitations.length === 0) return []
  const { event_id } = partner
  const typeIds = [...new Set(invitations.map(({ campaign }) => campaign.invitation_type_id))]
  const [event, found] = await Promise.all([
    eventTerms(dependencies, event_id),
    Promise.all(typeIds.map((id) => types.get(event_id, id))),
  ])
  const byId = new Map(found.map((type) => [type?._id, type]))
  return invitations.map(({ invitation, campaign }) => {
    const link = links.of(event_id, invitation._id)
    const content = contentOf(
      byId.get(campaign.invitation_type_id) ?? null,
      {
        first_name: invitation.first_name ?? '',
        last_name: invitation.last_name ?? '',
        email: invitation.email,
        event_title: event.title,
        partner_name: partner.name,
        link,
      },
      event,
    )
    return {
      _id: invitation._id,
      to: invitation.address,
      ...content,
      reply_to: campaign.reply_to ?? event.reply_to_email,
      link,
      unsubscribe_link: links.ofUnsubscribing(event_id, invitation._id),
      ...(invitation.traceparent !== undefined && { traceparent: invitation.traceparent }),
    }
  })
}

/** What an e-mail of an invitation type says, or one of none, with these values. */
export function contentOf(
  type: Pick<InvitationType, 'subject' | 'message' | 'sender_name'> | null,
  given: PlaceholderValues,
  event: MailTerms,
): Pick<InvitationMail, 'subject' | 'text' | 'html' | 'sender_name'> {
  const values = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, inLine(value)]),
  ) as PlaceholderValues
  const message = readMessage(type?.message?.trim() ? type.message : MESSAGE)
  if (!hasLink(message)) message.push({ kind: 'paragraph', of: [{ kind: 'value', name: 'link', fallback: '' }] })
  const branding = mailBrandingOf(event)
  // One of placeholders alone may be empty.
  const subject = inLine(filled(type?.subject ?? '', values)) || filled(SUBJECT, values)
  const open = speakerOf(languages[languageOf([], undefined, event.locale)])('open_invitation')
  const button = (url: string, label: Markup) => mailButton(event.colour, url, label)
  const alone = { link: button(values.link, html`${open}`) }
  return {
    subject,
    text: textOf(message, values),
    html: mailDocument(branding, { title: subject, content: htmlOf(message, values, { button, alone }) }),
    sender_name: inLine(type?.sender_name?.trim() ? type.sender_name : values.partner_name),
  }
}

/** A text in one line. */
export function inLine(text: string | null): string {
  return (text ?? '').replaceAll(CONTROL, ' ').trim()
}
