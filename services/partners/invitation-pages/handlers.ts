import type { events } from '@gatehouse/guests/resources'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { toAnswer } from '@gatehouse/proto/pages/exchange.ts'
import { languageOf } from '@gatehouse/proto/pages/languages.ts'
import type { HtmlPage } from '@gatehouse/proto/pages/layout.ts'
import type { InvitationLinks } from '../invitations/links.ts'
import type { InvitationStore, StoredInvitation } from '../invitations/store.ts'
import type { PartnerCampaignStore } from '../partner-campaigns/store.ts'
import type { UsageStore } from '../partners/usage-store.ts'
import type { Unsubscribing } from '../unsubscriptions/unsubscribing.ts'
import { speaker } from './languages/languages.ts'
import { invitationPage, nothingPage, unsubscribedPage, unsubscribePage } from './pages.ts'
import type { invitationPages } from './resource.ts'

const PATH = /^\/rsvp\/(?<id>[0-9a-f]{24})\/(?<secret>[\w-]{43})(?<isUnsubscribing>\/unsubscribe)?$/

interface Parts {
  invitations: InvitationStore
  campaigns: PartnerCampaignStore
  usageStore: UsageStore
  unsubscribing: Unsubscribing
  links: InvitationLinks
  events: Client<typeof events>
}

/** Handlers of the pages of invitations. A GET changes nothing: mail scanners open links. */
export function invitationPageHandlers(parts: Parts): Handlers<typeof invitationPages> {
  const { invitations, campaigns, usageStore, unsubscribing, links } = parts

  /** The invitation of a path, whose secret proves that the e-mail was there. */
  async function invitationAt({ id, secret }: Record<string, string | undefined>): Promise<StoredInvitation | null> {
    if (id === undefined || secret === undefined) return null
    const invitation = await invitations.get(id)
    return invitation && links.isOf(secret, invitation.event_id, id) ? invitation : null
  }

  async function pageOf(
    method: string,
    { path, query, acceptLanguage }: { path: string; query: URLSearchParams; acceptLanguage: string | undefined },
  ): Promise<HtmlPage> {
    const groups = PATH.exec(path)?.groups ?? {}
    const asked = [query.get('locale') ?? undefined]
    const invitation = await invitationAt(groups)
    if (!invitation) {
      const language = languageOf(asked, acceptLanguage)
      return nothingPage({ name: 'Gatehouse', colour: null, language, say: speaker(language) })
    }
    const { event_id, partner_id, partner_campaign_id } = invitation
    const isUnsubscribing = groups.isUnsubscribing !== undefined
    const isDone = isUnsubscribing && method === 'POST'
    if (isDone) await unsubscribing.unsubscribe(invitation)
    const event = await parts.events.campaign_terms({ body: { event_id } })
    const language = languageOf(asked, acceptLanguage, invitation.locale ?? event.locale)
    const look = { name: event.organizer || event.title, colour: null, language, say: speaker(language) }
    if (isDone || (isUnsubscribing && invitation.state === 'unsubscribed')) return unsubscribedPage(look, event.title)
    if (isUnsubscribing) return unsubscribePage(look, event.title, path)
    const [partner, campaign] = await Promise.all([
      usageStore.get({ _id: partner_id, event_id }),
      campaigns.get(event_id, partner_campaign_id),
    ])
    const sender = partner && campaign ? { name: partner.name, reply_to: campaign.reply_to } : undefined
    return invitationPage(look, event, sender, `${path}/unsubscribe`)
  }

  return {
    async handle({ body: { method, url, headers } }) {
      const [path = '', search = ''] = url.split('?', 2)
      const acceptLanguage = headers.find(({ name }) => name === 'accept-language')?.value ?? undefined
      return toAnswer(await pageOf(method, { path, query: new URLSearchParams(search), acceptLanguage }))
    },
  }
}
