import type { Guest } from '@gatehouse/guests/resources'
import { languageOf, type Say, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import { mailButton, mailDocument, mailQrCode } from '@gatehouse/proto/pages/mail-layout.ts'
import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type EventTerms, eventTerms, mailBrandingOf } from '../../event-terms.ts'
import { calendarOf } from '../../pages/confirmations/calendar.ts'
import type { EncodedAttachment } from '../../pages/confirmations/resource.ts'
import { datesOf } from '../../pages/invitation-pages/dates.ts'
import { languages } from '../../pages/invitation-pages/languages.ts'
import type { FormerRecipient } from '../former-recipients/store.ts'
import { inLine } from '../sending/mails.ts'
import type { InvitationMail } from '../sending/resource.ts'
import { offeredWallets, type WalletLink, walletButtons, walletLinksOf, walletText } from '../wallet-links.ts'
import { attached, guestFile, QR_CODE } from './attachments.ts'

type QrCodeMail = Omit<InvitationMail, '_id'> & { attachments: EncodedAttachment[] }

/** Returns the e-mail that brings a guest the QR code, in the language of the event. */
export async function qrCodeMailOf(
  dependencies: Dependencies,
  guest: Guest,
  { _id, event_id, address: to }: FormerRecipient,
): Promise<QrCodeMail> {
  const { links, publicLinks } = dependencies
  const [event, offered, qrCode] = await Promise.all([
    eventTerms(dependencies, event_id),
    offeredWallets(dependencies),
    guestFile(dependencies, 'qrcode', event_id, guest._id),
  ])
  const link = publicLinks.of('qrcode', event_id, guest._id)
  const unsubscribe_link = links.ofUnsubscribing(event_id, _id)
  const wallets = walletLinksOf(dependencies, offered, event_id, guest._id)
  const content = contentOf(event, guest.uid, wallets, link, unsubscribe_link)
  return {
    to,
    ...content,
    sender_name: inLine(event.organizer) || inLine(event.title),
    reply_to: event.reply_to_email,
    link,
    unsubscribe_link,
    attachments: [
      ...attached('qrcode.png', 'image/png', qrCode, QR_CODE),
      ...attached(
        'event.ics',
        'text/calendar; charset=utf-8; method=PUBLISH',
        calendarOf({ id: guest._id, event, link, stamp: guest.created_at }),
      ),
    ],
  }
}

function contentOf(
  event: EventTerms,
  code: string,
  wallets: WalletLink[],
  link: string,
  unsubscribe_link: string,
): Pick<QrCodeMail, 'subject' | 'text' | 'html'> {
  const language = languageOf([], undefined, event.locale)
  const say = speakerOf(languages[language]) as Say<keyof (typeof languages)['en']>
  const title = inLine(event.title)
  const subject = `${say('qrcode')}${say('colon')}${title}`
  const dates = datesOf(language, event)
  const location = inLine(event.location)
  const [show, unsubscribe] = [say('show_qrcode'), say('unsubscribe')]
  const paragraphs = [
    title,
    dates,
    location,
    `${show}\n${link}\n${say('code', { code })}`,
    walletText(wallets, say),
    `${unsubscribe}\n${unsubscribe_link}`,
  ]
  const button = (url: string, label: Markup) => mailButton(event.colour, url, label)
  return {
    subject,
    text: `${paragraphs.filter(Boolean).join('\n\n')}\n`,
    html: mailDocument(mailBrandingOf(event, language), {
      title: subject,
      content: html`<p><strong>${title}</strong></p>
${dates !== '' && html`<p>${dates}</p>`}
${location !== '' && html`<p>${location}</p>`}
<p>${show}</p>
<p>${mailQrCode(`cid:${QR_CODE}`, say('qrcode'), code)}</p>
${wallets.length > 0 && html`<p>${walletButtons(wallets, say, button)}</p>`}
`,
      foot: html`<a href="${unsubscribe_link}">${unsubscribe}</a>`,
    }),
  }
}
