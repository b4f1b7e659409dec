import { invalid, notFound, unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { hashOfToken, newToken } from '@gatehouse/proto/storage/tokens.ts'
import type { PartnerSessions } from '../../pages/partner-pages/session.ts'
import type { PartnerCampaignStore, StoredCampaign } from '../partner-campaigns/store.ts'
import type { PartnerStore } from '../partners/store.ts'
import type { partnerAccessTokens } from './resource.ts'
import type { PartnerAccessTokenStore } from './store.ts'

const VALID_MS = 90 * 86_400_000

/** The path of a campaign. */
interface Path {
  event_id: string
  partner_id: string
  partner_campaign_id: string
}

/** Handlers of partner access tokens. */
export function partnerAccessTokenHandlers(
  store: PartnerAccessTokenStore,
  partners: PartnerStore,
  campaigns: PartnerCampaignStore,
  sessions: PartnerSessions,
): Handlers<typeof partnerAccessTokens> {
  async function campaignOf({ event_id, partner_id, partner_campaign_id }: Path): Promise<StoredCampaign> {
    const [partner, campaign] = await Promise.all([
      partners.get(event_id, partner_id),
      campaigns.get(event_id, partner_campaign_id),
    ])
    if (!partner || campaign?.partner_id !== partner._id) throw notFound()
    return campaign
  }

  return {
    async list({ params }) {
      const { event_id, _id } = await campaignOf(params)
      return store.ofCampaign(event_id, _id)
    },

    async create({ params, body, newId }) {
      const campaign = await campaignOf(params)
      const created_at = new Date()
      const expires_at = body.expires_at ?? new Date(created_at.getTime() + VALID_MS)
      if (expires_at <= created_at) throw invalid({ expires_at: [messageOf('not_in_future')] })
      const token = newToken('gh_partner_')
      const { event_id, partner_id, _id: partner_campaign_id } = campaign
      const stored = { _id: newId(), event_id, partner_id, partner_campaign_id, expires_at, created_at }
      await store.put({ ...stored, hash: hashOfToken(token) })
      // The campaign, and its tokens, may have been deleted before this token was stored.
      await campaignOf(params).catch(async (error) => {
        await store.delete(event_id, partner_campaign_id, stored._id)
        throw error
      })
      return { ...stored, token, page_url: sessions.linkOf(token) }
    },

    async revoke({ params }) {
      const campaign = await campaignOf(params)
      return found(await store.delete(params.event_id, campaign._id, params.id))
    },

    async resolve({ body }) {
      const token = await store.findByHash(body.hash)
      // The tokens of a deleted campaign may exist a moment longer.
      const holds = token && (await unlessRefused(campaignOf(token), 'not_found'))
      return holds ? { token } : {}
    },

    async authenticate({ body: { hashes } }) {
      const known = await store.knownHashes(hashes)
      return hashes.map((hash) => ({ known: known.has(hash) }))
    },
  }
}
