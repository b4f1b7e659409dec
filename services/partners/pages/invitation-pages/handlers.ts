import type { RegistrationSettings } from '@gatehouse/guests/resources'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import { unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { toAnswer } from '@gatehouse/proto/pages/exchange.ts'
import { languageOf, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import { isErased } from '@gatehouse/proto/privacy/blanking.ts'
import type { PartnerCampaignStore } from '../../campaigns/partner-campaigns/store.ts'
import type { UsageStore } from '../../campaigns/partners/usage-store.ts'
import type { FormerRecipient, FormerRecipientStore } from '../../delivery/former-recipients/store.ts'
import type { InvitationTypeStore } from '../../delivery/invitation-types/store.ts'
import { type Answers, guestIdOf, isAdmitted } from '../../delivery/invitations/answers.ts'
import type { InvitationLinks } from '../../delivery/invitations/links.ts'
import type { InvitationStore, StoredInvitation } from '../../delivery/invitations/store.ts'
import type { UnsubscriptionStore } from '../../feedback/unsubscriptions/store.ts'
import type { Unsubscribing } from '../../feedback/unsubscriptions/unsubscribing.ts'
import type { accounts, events, guests } from '../../permissions.ts'
import { colourOf } from '../account-colour.ts'
import { readForm } from '../registrations/form.ts'
import { knownOf } from '../registrations/registration.ts'
import type { RegistrationTerms } from '../registrations/terms.ts'
import type { ShownEvent } from './dates.ts'
import { type InvitationPageLook, languages } from './languages.ts'
import { invitationPage, nothingPage, unsubscribedPage, unsubscribePage, withdrawnPage } from './pages.ts'
import type { invitationPages } from './resource.ts'

const PATH = /^\/rsvp\/(?<id>[0-9a-f]{24})\/(?<secret>[\w-]{43})(?<isUnsubscribing>\/unsubscribe)?$/

interface InvitationPageHandlerOptions {
  invitations: InvitationStore
  formerRecipients: FormerRecipientStore
  campaigns: PartnerCampaignStore
  usageStore: UsageStore
  types: InvitationTypeStore
  unsubscriptions: UnsubscriptionStore
  unsubscribing: Unsubscribing
  answers: Answers
  terms: RegistrationTerms
  links: InvitationLinks
  events: Client<typeof events>
  guests: Client<typeof guests>
  accounts: Client<typeof accounts>
}

type LinkRecipient = StoredInvitation | FormerRecipient

/** Handlers of the pages of invitations. A GET changes nothing: mail scanners open links. */
export function invitationPageHandlers(options: InvitationPageHandlerOptions): Handlers<typeof invitationPages> {
  const { invitations, formerRecipients, campaigns, types, usageStore, unsubscribing, answers, terms, links } = options

  /** The recipient of the invitation of a path, whose secret proves that the e-mail was there. */
  async function recipientAt({ id, secret }: Record<string, string | undefined>): Promise<LinkRecipient | null> {
    if (id === undefined || secret === undefined) return null
    const recipient = (await invitations.get(id)) ?? (await formerRecipients.get(id))
    // What is left of an erased recipient is nobody's.
    if (!recipient || isErased(recipient.address)) return null
    return links.isOf(secret, recipient.event_id, id) ? recipient : null
  }

  async function unsubscribe(recipient: LinkRecipient): Promise<void> {
    if (isInvited(recipient)) await unsubscribing.unsubscribe(recipient)
    // The partner is deleted: there is nothing left to count.
    else await options.unsubscriptions.add(recipient.event_id, recipient.address)
  }

  async function hasUnsubscribed(recipient: LinkRecipient): Promise<boolean> {
    if (isInvited(recipient)) return recipient.state === 'unsubscribed'
    const { event_id, address } = recipient
    return (await options.unsubscriptions.among(event_id, [address])).has(address)
  }

  async function pageOf(
    method: string,
    {
      path,
      query,
      body,
      acceptLanguage,
    }: { path: string; query: URLSearchParams; body: string; acceptLanguage: string | undefined },
  ): Promise<HtmlPage> {
    const groups = PATH.exec(path)?.groups ?? {}
    const asked = [query.get('locale') ?? undefined]
    const recipient = await recipientAt(groups)
    if (!recipient) {
      const language = languageOf(asked, acceptLanguage)
      return nothingPage({ name: 'Gatehouse', colour: null, language, say: speakerOf(languages[language]) })
    }
    const { event_id, locale } = recipient
    const isUnsubscribing = groups.isUnsubscribing !== undefined
    const isDone = isUnsubscribing && method === 'POST'
    if (isDone) await unsubscribe(recipient)
    const event = await options.events.campaign_terms({ body: { event_id } })
    const language = languageOf(asked, acceptLanguage, locale ?? event.locale)
    const colour = await colourOf(options.accounts, event.account_id)
    const look = { name: event.organizer || event.title, colour, language, say: speakerOf(languages[language]) }
    if (isDone || (isUnsubscribing && (await hasUnsubscribed(recipient)))) return unsubscribedPage(look, event.title)
    if (isUnsubscribing) return unsubscribePage(look, event.title, path)
    const form = method === 'POST' ? new URLSearchParams(body) : undefined
    return isInvited(recipient)
      ? answerPage(look, recipient, event, { path, form })
      : withdrawnPage(look, event, path, form ? 409 : 200)
  }

  /** Shows an invitation, after it was answered if a form is given. */
  async function answerPage(
    look: InvitationPageLook,
    invitation: StoredInvitation,
    event: ShownEvent,
    { path, form }: { path: string; form: URLSearchParams | undefined },
  ): Promise<HtmlPage> {
    const { event_id, partner_id, partner_campaign_id, answer } = invitation
    const [partner, campaign] = await Promise.all([
      usageStore.get({ _id: partner_id, event_id }),
      campaigns.get(event_id, partner_campaign_id),
    ])
    const type = campaign && (await types.get(event_id, campaign.invitation_type_id))
    const category = partner ? await terms.category(event_id, type?.guest_category_id) : null
    const given = form?.get('answer')
    const read = readForm(
      category?.rsvp_enabled && answer !== 'accepted' ? await terms.fields(event_id) : [],
      knownOf(invitation),
      given === 'accepted' ? form : undefined,
    )
    const shown = {
      event,
      sender: partner && campaign ? { name: partner.name, reply_to: campaign.reply_to } : undefined,
      path,
      fields: read.fields,
      ...answerOf(invitation),
      openness: opennessOf(category),
      isFinal: answer !== null && event.start_date !== null && event.start_date <= new Date(),
    }
    if (!form) return invitationPage(look, { ...shown, qrcode_url: await qrCodeOf(invitation) })
    if (given !== 'accepted' && given !== 'declined') return invitationPage(look, { ...shown, status: 400 })
    const isLate = shown.isFinal && given !== answer
    if (!category?.rsvp_enabled || shown.registration_state === 'rejected' || isLate) {
      return invitationPage(look, { ...shown, status: 409 })
    }
    if (given === 'accepted' && answer !== 'accepted' && !read.isRight) {
      return invitationPage(look, { ...shown, status: 422 })
    }
    const settled = await answers.give(
      invitation,
      given === 'declined'
        ? { answer: given }
        : {
            answer: given,
            registration: { ...read.registration, language: look.language },
            isModerated: category.moderated_registrations_enabled,
          },
    )
    if (!settled) return invitationPage(look, { ...shown, answer: null, openness: 'closed', status: 409 })
    const isStored = settled.answer === given && settled.registration_state !== 'rejected'
    const after = { ...shown, ...answerOf(settled), qrcode_url: await qrCodeOf(settled) }
    // Another answer may have come between; its page says so.
    return invitationPage(look, { ...after, status: isStored || settled.answer !== given ? 200 : 409 })
  }

  /** The QR code of a guest who comes. */
  async function qrCodeOf(invitation: StoredInvitation): Promise<string | null> {
    if (!isAdmitted(invitation)) return null
    const params = { event_id: invitation.event_id, id: guestIdOf(invitation) }
    // The organizer may have deleted the guest.
    const guest = await unlessRefused(options.guests.read({ params, query: { qrcode_url: true } }), 'not_found')
    return guest?.qrcode_url ?? null
  }

  return {
    async handle({ body: { method, url, headers, body } }) {
      const [path = '', search = ''] = url.split('?', 2)
      const acceptLanguage = headers.find(({ name }) => name === 'accept-language')?.value ?? undefined
      return toAnswer(
        await pageOf(method, { path, query: new URLSearchParams(search), body: body ?? '', acceptLanguage }),
      )
    },
  }
}

/** Whether a recipient has an invitation still: its partner is not deleted. */
function isInvited(recipient: LinkRecipient): recipient is StoredInvitation {
  return 'state' in recipient
}

/** What an invitation says of its answer. */
function answerOf({ answer, registration_state }: StoredInvitation) {
  // One that is older than answers has none.
  return { answer: answer ?? null, registration_state }
}

/** Whether an invitation to a category can be answered on its page. */
function opennessOf(category: RegistrationSettings | null): 'open' | 'not_asked' | 'closed' {
  if (!category) return 'closed'
  return category.rsvp_enabled ? 'open' : 'not_asked'
}
