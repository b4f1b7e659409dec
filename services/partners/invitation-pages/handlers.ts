import type { events, guests } from '@gatehouse/guests/resources'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { toAnswer } from '@gatehouse/proto/pages/exchange.ts'
import { languageOf } from '@gatehouse/proto/pages/languages.ts'
import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import type { InvitationTypeStore } from '../invitation-types/store.ts'
import { type Answers, guestIdOf } from '../invitations/answers.ts'
import type { InvitationLinks } from '../invitations/links.ts'
import type { InvitationStore, StoredInvitation } from '../invitations/store.ts'
import type { PartnerCampaignStore } from '../partner-campaigns/store.ts'
import type { UsageStore } from '../partners/usage-store.ts'
import type { Unsubscribing } from '../unsubscriptions/unsubscribing.ts'
import { type Look, speaker } from './languages/languages.ts'
import { invitationPage, nothingPage, type ShownEvent, unsubscribedPage, unsubscribePage } from './pages.ts'
import type { invitationPages } from './resource.ts'

const PATH = /^\/rsvp\/(?<id>[0-9a-f]{24})\/(?<secret>[\w-]{43})(?<isUnsubscribing>\/unsubscribe)?$/

interface Parts {
  invitations: InvitationStore
  campaigns: PartnerCampaignStore
  usageStore: UsageStore
  types: InvitationTypeStore
  unsubscribing: Unsubscribing
  answers: Answers
  links: InvitationLinks
  events: Client<typeof events>
  guests: Client<typeof guests>
}

/** Handlers of the pages of invitations. A GET changes nothing: mail scanners open links. */
export function invitationPageHandlers(parts: Parts): Handlers<typeof invitationPages> {
  const { invitations, campaigns, types, usageStore, unsubscribing, answers, links } = parts

  /** The invitation of a path, whose secret proves that the e-mail was there. */
  async function invitationAt({ id, secret }: Record<string, string | undefined>): Promise<StoredInvitation | null> {
    if (id === undefined || secret === undefined) return null
    const invitation = await invitations.get(id)
    return invitation && links.isOf(secret, invitation.event_id, id) ? invitation : null
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
    const invitation = await invitationAt(groups)
    if (!invitation) {
      const language = languageOf(asked, acceptLanguage)
      return nothingPage({ name: 'Gatehouse', colour: null, language, say: speaker(language) })
    }
    const { event_id } = invitation
    const isUnsubscribing = groups.isUnsubscribing !== undefined
    const isDone = isUnsubscribing && method === 'POST'
    if (isDone) await unsubscribing.unsubscribe(invitation)
    const event = await parts.events.campaign_terms({ body: { event_id } })
    const language = languageOf(asked, acceptLanguage, invitation.locale ?? event.locale)
    const look = { name: event.organizer || event.title, colour: null, language, say: speaker(language) }
    if (isDone || (isUnsubscribing && invitation.state === 'unsubscribed')) return unsubscribedPage(look, event.title)
    if (isUnsubscribing) return unsubscribePage(look, event.title, path)
    const given = method === 'POST' ? new URLSearchParams(body).get('answer') : undefined
    return answerPage(look, invitation, event, { path, given })
  }

  /** Shows an invitation, after it was answered if an answer is given. */
  async function answerPage(
    look: Look,
    invitation: StoredInvitation,
    event: ShownEvent,
    { path, given }: { path: string; given: string | null | undefined },
  ): Promise<HtmlPage> {
    const { event_id, partner_id, partner_campaign_id } = invitation
    const [partner, campaign] = await Promise.all([
      usageStore.get({ _id: partner_id, event_id }),
      campaigns.get(event_id, partner_campaign_id),
    ])
    const type = campaign && (await types.get(event_id, campaign.invitation_type_id))
    const sender = partner && campaign ? { name: partner.name, reply_to: campaign.reply_to } : undefined
    const { answer } = invitation
    const hasBegun = event.start_date !== null && event.start_date <= new Date()
    const shown = {
      event,
      sender,
      path,
      answer,
      isOpen: sender !== undefined && Boolean(type?.guest_category_id),
      isFinal: answer !== null && hasBegun,
    }
    if (given === undefined) return invitationPage(look, { ...shown, qrcode_url: await qrCodeOf(invitation, answer) })
    if (given !== 'accepted' && given !== 'declined') return invitationPage(look, { ...shown, status: 400 })
    if (!shown.isOpen || (shown.isFinal && given !== answer)) return invitationPage(look, { ...shown, status: 409 })
    const stored = await answers.give(invitation, given)
    if (stored === null) return invitationPage(look, { ...shown, answer: null, isOpen: false, status: 409 })
    return invitationPage(look, { ...shown, answer: stored, qrcode_url: await qrCodeOf(invitation, stored) })
  }

  /** The QR code of a guest who comes. */
  async function qrCodeOf(invitation: StoredInvitation, answer: StoredInvitation['answer']): Promise<string | null> {
    if (answer !== 'accepted') return null
    const params = { event_id: invitation.event_id, id: guestIdOf(invitation) }
    try {
      const { qrcode_url } = await parts.guests.read({ params, query: { qrcode_url: true } })
      return qrcode_url ?? null
    } catch (error) {
      // The organizer has deleted the guest.
      if (error instanceof Fault && error.code === 'not_found') return null
      throw error
    }
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
