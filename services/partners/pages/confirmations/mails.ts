import type { Purpose } from '@gatehouse/badges/links'
import { unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import { languageOf, type Say, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import { mailButton, mailDocument, mailQrCode } from '@gatehouse/proto/pages/mail-layout.ts'
import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'
import { guestIdOf, type StoredInvitation } from '../../delivery/invitations/store.ts'
import { attached, guestFile, QR_CODE } from '../../delivery/qr-code-mails/attachments.ts'
import { inLine } from '../../delivery/sending/mails.ts'
import {
  offeredWallets,
  type WalletLink,
  walletButtons,
  walletLinksOf,
  walletText,
} from '../../delivery/wallet-links.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type EventTerms, eventTerms, mailBrandingOf } from '../../event-terms.ts'
import { datesOf } from '../invitation-pages/dates.ts'
import { languages } from '../invitation-pages/languages.ts'
import { verificationOf } from '../registration-pages/verification.ts'
import { categoryOf } from '../registrations/terms.ts'
import { calendarOf } from './calendar.ts'
import type { UnleasedConfirmation } from './resource.ts'

/** Returns the e-mail that confirms that an invited recipient is a guest, with QR code and badge unless it is too late for them. */
export async function confirmationOf(
  dependencies: Dependencies,
  invitation: StoredInvitation,
  isLate: boolean,
): Promise<UnleasedConfirmation | 'incomplete' | 'unwanted'> {
  const { links, guestClient } = dependencies
  if (invitation.registration_state === 'unconfirmed') return verificationOf(dependencies, invitation)
  const { _id, event_id, address: to, registration, locale, confirmed_at, confirmation_since } = invitation
  const { guest_category_id, reply_to } = await sentForOf(dependencies, invitation)
  const category = await categoryOf(dependencies, event_id, guest_category_id)
  // The organizer may have deleted the guest.
  const guest = await unlessRefused(guestClient.read({ params: { event_id, id: guestIdOf(invitation) } }), 'not_found')
  if (!guest || !category?.confirmation_email_enabled) return 'unwanted'
  const [event, offered, qrCode, badge] = await Promise.all([
    eventTerms(dependencies, event_id),
    offeredWallets(dependencies),
    fileOf(dependencies, 'qrcode', invitation),
    category.badge_enabled ? fileOf(dependencies, 'badge', invitation) : undefined,
  ])
  const isComplete = qrCode && (badge || !category.badge_enabled)
  if (!isComplete && !isLate) return 'incomplete'
  const language = languageOf([registration?.language, locale ?? undefined], undefined, event.locale)
  const say = speakerOf(languages[language])
  const link = links.of(event_id, _id)
  const title = inLine(event.title)
  const said = {
    registered: say('registered', { title }),
    dates: datesOf(language, event),
    location: inLine(event.location),
    qrCode: qrCode && say('show_qrcode'),
    code: guest.uid,
    wallets: walletLinksOf(dependencies, offered, event_id, guest._id),
    say,
    badge: badge && say('badge'),
    change: say('change'),
    unsubscribe: say('unsubscribe'),
    link,
    unsubscribe_link: links.ofUnsubscribing(event_id, _id),
  }
  const calendar = calendarOf({ id: guest._id, event, link, stamp: guest.created_at })
  return {
    to,
    subject: said.registered,
    text: textOf(said),
    html: htmlOf(event, language, said),
    sender_name: inLine(event.organizer) || title,
    reply_to: reply_to ?? event.reply_to_email,
    unsubscribe_link: said.unsubscribe_link,
    // One that is asked for again is another e-mail: mailboxes drop what has the id of one that they have.
    ...(confirmed_at && { message_id: `${_id}.confirmation.${confirmation_since?.getTime() ?? 0}` }),
    attachments: [
      ...attached('qrcode.png', 'image/png', qrCode, QR_CODE),
      ...attached('badge.pdf', 'application/pdf', badge),
      ...attached('event.ics', 'text/calendar; charset=utf-8; method=PUBLISH', calendar),
    ],
    ...(invitation.confirmation_traceparent && { traceparent: invitation.confirmation_traceparent }),
  }
}

/** The category of a guest, and where answers go if the campaign says so. */
async function sentForOf({ campaigns, types }: Dependencies, invitation: StoredInvitation) {
  const { event_id, partner_campaign_id, guest_category_id } = invitation
  if (guest_category_id !== undefined) return { guest_category_id, reply_to: null }
  const campaign = await campaigns.get(event_id, partner_campaign_id)
  const type = campaign && (await types.get(event_id, campaign.invitation_type_id))
  return { guest_category_id: type?.guest_category_id, reply_to: campaign?.reply_to ?? null }
}

/** The QR code or the badge of an invitation's guest; undefined if it is not there yet. */
async function fileOf(
  dependencies: Dependencies,
  purpose: Purpose,
  invitation: StoredInvitation,
): Promise<Uint8Array | undefined> {
  try {
    return await guestFile(dependencies, purpose, invitation.event_id, guestIdOf(invitation))
  } catch {
    return undefined
  }
}

/** What an e-mail says. */
interface ConfirmationTexts {
  registered: string
  dates: string
  location: string
  qrCode: string | undefined
  code: string
  wallets: WalletLink[]
  say: Say<WalletLink['text'] | 'code'>
  badge: string | undefined
  change: string
  unsubscribe: string
  link: string
  unsubscribe_link: string
}

function textOf(said: ConfirmationTexts): string {
  const { registered, dates, location, qrCode, code, wallets, say, badge } = said
  const { change, unsubscribe, link, unsubscribe_link } = said
  const shown = qrCode && `${qrCode}\n${say('code', { code })}`
  const answers = [`${change}\n${link}`, `${unsubscribe}\n${unsubscribe_link}`]
  return `${[registered, dates, location, shown, walletText(wallets, say), badge, ...answers].filter(Boolean).join('\n\n')}\n`
}

function htmlOf(event: EventTerms, language: string, said: ConfirmationTexts): string {
  const { registered, dates, location, qrCode, code, wallets, say, badge } = said
  const { change, unsubscribe, link, unsubscribe_link } = said
  const button = (url: string, label: Markup) => mailButton(event.colour, url, label)
  return mailDocument(mailBrandingOf(event, language), {
    title: registered,
    content: html`<p><strong>${registered}</strong></p>
${dates !== '' && html`<p>${dates}</p>`}
${location !== '' && html`<p>${location}</p>`}
${qrCode && html`<p>${qrCode}</p>\n<p>${mailQrCode(`cid:${QR_CODE}`, qrCode, code)}</p>`}
${wallets.length > 0 && html`<p>${walletButtons(wallets, say, button)}</p>`}
${badge && html`<p>${badge}</p>`}
<p>${mailButton(event.colour, link, html`${change}`)}</p>
`,
    foot: html`<a href="${unsubscribe_link}">${unsubscribe}</a>`,
  })
}
