import type { Guest, GuestField } from '@gatehouse/guests/resources'
import { languageOf, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import { mailButton, mailDocument, mailQrCode } from '@gatehouse/proto/pages/mail-layout.ts'
import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'
import { filled, type NamedValues } from '@gatehouse/proto/pages/placeholders.ts'
import type { DeliveryDependencies } from '../../dependencies.ts'
import { type EventTerms, eventTerms, mailBrandingOf } from '../../event-terms.ts'
import { calendarOf } from '../../pages/confirmations/calendar.ts'
import type { EncodedAttachment } from '../../pages/confirmations/resource.ts'
import { datesOf } from '../../pages/invitation-pages/dates.ts'
import { languages } from '../../pages/invitation-pages/languages.ts'
import { anchor, holds, htmlOf, type ParsedMessage, readMessage, textOf } from '../invitation-types/markup.ts'
import { NO_INVITATION } from '../invitations/links.ts'
import { attached, guestFile, QR_CODE } from '../qr-code-mails/attachments.ts'
import { inLine } from '../sending/mails.ts'
import type { InvitationMail } from '../sending/resource.ts'
import { offeredWallets, type Wallets, walletButtons, walletLinksOf, walletText } from '../wallet-links.ts'
import type { Mailing } from './resource.ts'
import { guestValues, vocabularyOf } from './vocabulary.ts'

const EXAMPLE: NamedValues = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada.lovelace@example.org',
  company_name: 'Analytical Engines',
  position: 'Mathematician',
  phone_number: '+44 20 7946 0958',
  uid: 'ada1815',
}
const CALENDAR = 'event.ics'

type Content = Pick<InvitationMail, 'subject' | 'text' | 'html' | 'sender_name' | 'reply_to'>

/** What an e-mail of a mailing says. */
export interface MailingContent extends Content {
  message: ParsedMessage
  event: EventTerms
}

/** What the e-mails of a mailing follow from. */
export type MailingTexts = Pick<Mailing, 'event_id' | 'subject' | 'message' | 'sender_name'>

interface Wanted {
  /** Whose values it has; example values without a guest. */
  guest: Guest | null
  unsubscribe_link: string
  /** Where the HTML part finds the QR code: in a file of the e-mail, or at its public address. */
  qrCode: 'attached' | 'public'
}

/** What the e-mails of an event's mailings have in common. */
interface MailingContext {
  event: EventTerms
  guestFields: GuestField[]
  wallets: Wallets
}

/** Returns what the e-mails of an event's mailings have in common. */
export async function contextOf(dependencies: DeliveryDependencies, event_id: string): Promise<MailingContext> {
  const [event, guestFields, wallets] = await Promise.all([
    eventTerms(dependencies, event_id),
    dependencies.guestFieldClient.list({ params: { event_id } }),
    offeredWallets(dependencies),
  ])
  return { event, guestFields, wallets }
}

/** Returns what an e-mail of a mailing says. */
export function contentOf(
  { links, publicLinks }: DeliveryDependencies,
  { event, guestFields, wallets }: MailingContext,
  mailing: MailingTexts,
  { guest, unsubscribe_link, qrCode }: Wanted,
): MailingContent {
  const { event_id } = mailing
  const language = languageOf([], undefined, event.locale)
  const say = speakerOf(languages[language])
  // Where the links of examples lead, there is nothing.
  const nowhere = links.of(event_id, NO_INVITATION)
  const picture = guest ? publicLinks.of('qrcode', event_id, guest._id) : nowhere
  const passes = guest
    ? walletLinksOf({ publicLinks }, wallets, event_id, guest._id)
    : walletLinksOf({ publicLinks }, wallets, event_id, '').map((each) => ({ ...each, url: nowhere }))
  const values: NamedValues = {
    ...valuesOf(guest, guestFields),
    event_title: inLine(event.title),
    event_dates: datesOf(language, event),
    event_location: inLine(event.location),
    qrcode: picture,
    badge: guest ? (guest.badge_url ?? '') : nowhere,
    wallet: walletText(passes, say),
    calendar: event.start_date ? CALENDAR : '',
    unsubscribe_link,
  }
  const message = readMessage(mailing.message, vocabularyOf(guestFields))
  const foot: ParsedMessage = holds(message, 'unsubscribe_link')
    ? []
    : [{ kind: 'paragraph', of: [{ kind: 'link', of: [say('unsubscribe')], to: 'unsubscribe_link' }] }]
  const button = (url: string, label: Markup) => mailButton(event.colour, url, label)
  const drawn: Record<string, Markup> = {
    qrcode: guest
      ? mailQrCode(qrCode === 'attached' ? `cid:${QR_CODE}` : picture, say('qrcode'), values.uid ?? '')
      : html`<strong>[${say('qrcode')}]</strong>`,
    wallet: html`${walletButtons(passes, say, button)}`,
    badge: addressOf(values.badge),
    unsubscribe_link: addressOf(unsubscribe_link),
  }
  const badge = say('open_badge')
  const code = say('code', { code: values.uid ?? '' })
  const calendar = say('calendar_attached')
  const subject = inLine(filled(mailing.subject, values)) || inLine(event.title)
  return {
    subject,
    text: textOf([...message, ...foot], values, {
      qrcode: `${picture}\n${code}`,
      badge: `${badge}\n${values.badge}`,
      calendar,
    }),
    html: mailDocument(mailBrandingOf(event), {
      title: subject,
      content: htmlOf(message, values, {
        drawn,
        alone: {
          badge: button(values.badge ?? '', html`${badge}`),
          calendar: html`<span dir="auto">${calendar}</span>`,
        },
        button,
      }),
      foot: foot.length > 0 ? anchor(unsubscribe_link, [html`${say('unsubscribe')}`]) : undefined,
    }),
    sender_name: inLine(mailing.sender_name) || inLine(event.organizer) || inLine(event.title),
    reply_to: event.reply_to_email,
    message,
    event,
  }
}

/** Returns the files of an e-mail of a mailing for a guest: the QR code and the calendar file, if the message mentions them. */
export async function attachmentsOf(
  dependencies: DeliveryDependencies,
  { message, event }: MailingContent,
  { _id, event_id, created_at: stamp }: Pick<Guest, '_id' | 'event_id' | 'created_at'>,
  isExample = false,
): Promise<EncodedAttachment[]> {
  const wantsQrCode = holds(message, 'qrcode') && !isExample
  const qrCode = wantsQrCode ? await guestFile(dependencies, 'qrcode', event_id, _id) : undefined
  const link = dependencies.publicLinks.of('qrcode', event_id, _id)
  const calendar = holds(message, 'calendar') ? calendarOf({ id: _id, event, link, stamp }) : undefined
  return [
    ...attached('qrcode.png', 'image/png', qrCode, QR_CODE),
    ...attached(CALENDAR, 'text/calendar; charset=utf-8; method=PUBLISH', calendar),
  ]
}

/** The values of a guest, or of the example, whose guest fields have their own names. */
function valuesOf(
  guest: Guest | null,
  guestFields: readonly { key: string; label: string | null }[],
): Record<string, string> {
  const metadata = new Map(guest?.guest_metadata?.map(({ name, value }) => [name, value]))
  const ofKeys = guestFields.map(({ key, label }) => [key, guest ? metadata.get(key) : (label ?? key)] as const)
  const ofGuest = guestValues.map((name) => [name, guest ? guest[name] : EXAMPLE[name]] as const)
  return Object.fromEntries([...ofKeys, ...ofGuest].map(([name, value]) => [name, inLine(value ?? '')]))
}

function addressOf(url = ''): Markup {
  return anchor(url, [html`${url}`])
}
