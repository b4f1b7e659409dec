import type { PublicLinks } from '@gatehouse/badges/links'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf, requesterFor } from '@gatehouse/proto/bus/client.ts'
import { unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import { languageOf, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import { html } from '@gatehouse/proto/pages/markup.ts'
import type { PartnerCampaignStore } from '../../campaigns/partner-campaigns/store.ts'
import { inLine } from '../../delivery/hand-overs/mails.ts'
import type { InvitationTypeStore } from '../../delivery/invitation-types/store.ts'
import { guestIdOf } from '../../delivery/invitations/answers.ts'
import type { InvitationLinks } from '../../delivery/invitations/links.ts'
import type { StoredInvitation } from '../../delivery/invitations/store.ts'
import { badges, events, guests, qrCodes } from '../../permissions.ts'
import { datesOf } from '../invitation-pages/dates.ts'
import { languages } from '../invitation-pages/languages.ts'
import type { RegistrationTerms } from '../registrations/terms.ts'
import { calendarOf } from './calendar.ts'
import type { ConfirmationMail } from './resource.ts'

const QR_CODE = 'qrcode'

interface ConfirmationMailOptions {
  campaigns: PartnerCampaignStore
  types: InvitationTypeStore
  terms: RegistrationTerms
  links: InvitationLinks
  publicLinks: PublicLinks
  bus: Bus
}

type EncodedAttachment = ConfirmationMail['attachments'][number]
/** An e-mail without the claim under which it is sent. */
type UnclaimedConfirmation = Omit<ConfirmationMail, '_id' | 'event_id' | 'until'>

/** Makes the e-mails that confirm that invited recipients are guests. */
export class ConfirmationMails {
  readonly #options: ConfirmationMailOptions
  readonly #events
  readonly #guests
  readonly #qrCode
  readonly #badge

  constructor(options: ConfirmationMailOptions) {
    const { bus } = options
    this.#options = options
    this.#events = clientOf(bus, events)
    this.#guests = clientOf(bus, guests)
    this.#qrCode = requesterFor(bus, qrCodes, 'read')
    this.#badge = requesterFor(bus, badges, 'file')
  }

  /** The e-mail of an invitation, with QR code and badge unless it is too late for them. */
  async of(invitation: StoredInvitation, isLate: boolean): Promise<UnclaimedConfirmation | 'incomplete' | 'unwanted'> {
    const { campaigns, types, terms, links } = this.#options
    const { _id, event_id, address: to, partner_campaign_id, registration, locale } = invitation
    const campaign = await campaigns.get(event_id, partner_campaign_id)
    const type = campaign && (await types.get(event_id, campaign.invitation_type_id))
    const category = await terms.category(event_id, type?.guest_category_id)
    // The organizer may have deleted the guest.
    const guest = await unlessRefused(
      this.#guests.read({ params: { event_id, id: guestIdOf(invitation) } }),
      'not_found',
    )
    if (!campaign || !guest || !category?.confirmation_email_enabled) return 'unwanted'
    const [event, qrCode, badge] = await Promise.all([
      this.#events.campaign_terms({ body: { event_id } }),
      this.#file('qrcode', invitation),
      category.badge_enabled ? this.#file('badge', invitation) : undefined,
    ])
    const isComplete = qrCode && (badge || !category.badge_enabled)
    if (!isComplete && !isLate) return 'incomplete'
    const language = languageOf([registration?.language, locale ?? undefined], undefined, event.locale)
    const say = speakerOf(languages[language])
    const link = links.of(event_id, _id)
    const calendar = calendarOf({ id: guest._id, event, link, stamp: guest.created_at })
    const attachments: (EncodedAttachment | false | null)[] = [
      qrCode !== undefined && attached('qrcode.png', 'image/png', qrCode, QR_CODE),
      badge !== undefined && attached('badge.pdf', 'application/pdf', badge),
      calendar !== null && attached('event.ics', 'text/calendar; charset=utf-8; method=PUBLISH', calendar),
    ]
    const title = inLine(event.title)
    const said = {
      registered: say('registered', { title }),
      dates: datesOf(language, event),
      location: inLine(event.location),
      qrCode: qrCode && say('show_qrcode'),
      badge: badge && say('badge'),
      change: say('change'),
      unsubscribe: say('unsubscribe'),
      link,
      unsubscribe_link: links.ofUnsubscribing(event_id, _id),
    }
    return {
      to,
      subject: said.registered,
      text: textOf(said),
      html: htmlOf(language, said),
      sender_name: inLine(event.organizer) || title,
      reply_to: campaign.reply_to,
      unsubscribe_link: said.unsubscribe_link,
      attachments: attachments.filter((each) => each !== false && each !== null),
      ...(invitation.confirmation_traceparent && { traceparent: invitation.confirmation_traceparent }),
    }
  }

  /** The QR code or the badge of a guest; undefined if it is not there yet. */
  async #file(purpose: 'qrcode' | 'badge', invitation: StoredInvitation): Promise<Uint8Array | undefined> {
    const { event_id } = invitation
    const guest_id = guestIdOf(invitation)
    const secret = this.#options.publicLinks.secretOf(purpose, event_id, guest_id)
    const request = purpose === 'badge' ? this.#badge : this.#qrCode
    try {
      return (await request({ params: { event_id, guest_id, secret } })).body
    } catch {
      return undefined
    }
  }
}

/** What an e-mail says. */
interface ConfirmationTexts {
  registered: string
  dates: string
  location: string
  qrCode: string | undefined
  badge: string | undefined
  change: string
  unsubscribe: string
  link: string
  unsubscribe_link: string
}

function textOf(said: ConfirmationTexts): string {
  const { registered, dates, location, qrCode, badge, change, unsubscribe, link, unsubscribe_link } = said
  const options = [
    registered,
    dates,
    location,
    qrCode,
    badge,
    `${change}\n${link}`,
    `${unsubscribe}\n${unsubscribe_link}`,
  ]
  return `${options.filter(Boolean).join('\n\n')}\n`
}

function htmlOf(language: string, said: ConfirmationTexts): string {
  const { registered, dates, location, qrCode, badge, change, unsubscribe, link, unsubscribe_link } = said
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"></head><body>
<p><strong>${registered}</strong></p>
${dates !== '' && html`<p>${dates}</p>`}
${location !== '' && html`<p>${location}</p>`}
${qrCode && html`<p>${qrCode}</p><p><img src="cid:${QR_CODE}" alt="${qrCode}" width="256" height="256"></p>`}
${badge && html`<p>${badge}</p>`}
<p><a href="${link}">${change}</a></p>
<p><a href="${unsubscribe_link}">${unsubscribe}</a></p>
</body></html>
`.text
}

function attached(
  filename: string,
  content_type: string,
  content: Uint8Array | string,
  cid?: string,
): EncodedAttachment {
  return { filename, content_type, content: Buffer.from(content).toString('base64'), ...(cid && { cid }) }
}
