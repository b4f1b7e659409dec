import { type Language, languageOf, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import { mailButton, mailDocument } from '@gatehouse/proto/pages/mail-layout.ts'
import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'
import { filled } from '@gatehouse/proto/pages/placeholders.ts'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { StoredPartner } from '../../campaigns/partners/store.ts'
import type { DeliveryDependencies } from '../../dependencies.ts'
import { eventTerms, type MailTerms, mailBrandingOf } from '../../event-terms.ts'
import { datesOf, type ShownEvent } from '../../pages/invitation-pages/dates.ts'
import { languages } from '../../pages/invitation-pages/languages.ts'
import { hasLink, htmlOf, readMessage, textOf } from '../invitation-types/markup.ts'
import type { PlaceholderValues } from '../invitation-types/placeholders.ts'
import type { InvitationType } from '../invitation-types/resource.ts'
import type { StoredInvitation } from '../invitations/store.ts'
import type { InvitationMail } from './resource.ts'

/** What the values of placeholders follow from, besides the event. */
export type Recipient = Omit<PlaceholderValues, EventPlaceholder> & {
  /** The language of whoever gets it, if that is known. */
  locale?: string | null
  /** Where whoever gets it unsubscribes. */
  unsubscribe_link: string
}
type EventPlaceholder = 'event_title' | 'event_dates' | 'event_location'

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
    const unsubscribe_link = links.ofUnsubscribing(event_id, invitation._id)
    const content = contentOf(
      byId.get(campaign.invitation_type_id) ?? null,
      {
        first_name: invitation.first_name ?? '',
        last_name: invitation.last_name ?? '',
        email: invitation.email,
        locale: invitation.locale,
        partner_name: partner.name,
        link,
        unsubscribe_link,
      },
      event,
    )
    return {
      _id: invitation._id,
      to: invitation.address,
      ...content,
      reply_to: campaign.reply_to ?? event.reply_to_email,
      link,
      unsubscribe_link,
      ...(invitation.traceparent !== undefined && { traceparent: invitation.traceparent }),
    }
  })
}

/**
 * What an e-mail of an invitation type says, or one of none, with these values: in the language of the event, in which the organizer writes, and
 * where the type says nothing in that of the recipient.
 */
export function contentOf(
  type: Pick<InvitationType, 'subject' | 'message' | 'sender_name'> | null,
  { locale, unsubscribe_link, ...given }: Recipient,
  event: MailTerms & ShownEvent,
): Pick<InvitationMail, 'subject' | 'text' | 'html' | 'sender_name'> {
  const own = type?.message?.trim() ? type.message : undefined
  const language = languageOf([(own === undefined && locale) || undefined], undefined, event.locale)
  const values = eachInLine({
    ...given,
    event_title: event.title,
    event_dates: datesOf(language, event),
    event_location: event.location,
  })
  const usual = usualTexts(event, language)
  const message = readMessage(own ?? usual.message)
  if (!hasLink(message)) message.push({ kind: 'paragraph', of: [{ kind: 'value', name: 'link', fallback: '' }] })
  // One of placeholders alone may be empty.
  const subject = inLine(filled(type?.subject ?? '', values)) || filled(usual.subject, values)
  const say = speakerOf(languages[language])
  const [open, unsubscribe] = [say('open_invitation'), say('unsubscribe')]
  const button = (url: string, label: Markup) => mailButton(event.colour, url, label)
  const alone = { link: button(values.link, html`${open}`) }
  return {
    subject,
    text: `${textOf(message, values)}\n${unsubscribe}\n${unsubscribe_link}\n`,
    html: mailDocument(mailBrandingOf(event, language), {
      title: subject,
      content: htmlOf(message, values, { button, alone }),
      foot: html`<a href="${unsubscribe_link}">${unsubscribe}</a>`,
    }),
    sender_name: inLine(type?.sender_name?.trim() ? type.sender_name : values.partner_name),
  }
}

/** What an invitation says in a language whose type says nothing: who invites, to what, and when and where that is, as far as the event says so. */
export function usualTexts(
  { start_date, location }: ShownEvent,
  language: Language,
): Record<'subject' | 'message', string> {
  const say = speakerOf(languages[language])
  const subject = say('mail_invites', { partner: '{{partner_name}}', event: '{{event_title}}' })
  const facts = [start_date && '{{event_dates}}', inLine(location) && '{{event_location}}'].filter(Boolean)
  const paragraphs = [subject, facts.join('\n'), say('mail_answer'), '{{link}}']
  return { subject, message: paragraphs.filter(Boolean).join('\n\n') }
}

function eachInLine(values: Record<keyof PlaceholderValues, string | null>): PlaceholderValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inLine(value)])) as PlaceholderValues
}

/** A text in one line. */
export function inLine(text: string | null): string {
  return (text ?? '').replaceAll(CONTROL, ' ').trim()
}
