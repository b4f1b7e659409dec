import { createHash, randomBytes } from 'node:crypto'
import { Fault, invalid, notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import type { PartnerCampaignStore, StoredCampaign } from '../partner-campaigns/store.ts'
import type { PartnerStore } from '../partners/store.ts'
import type { partnerAccessTokens } from './resource.ts'
import type { PartnerAccessTokenStore } from './store.ts'

const VALID_MS = 90 * 86_400_000

/** The campaign that a path names. */
interface Path {
  event_id: string
  partner_id: string
  partner_campaign_id: string
}

/** What partner access tokens do and refuse. */
export function partnerAccessTokenHandlers(
  store: PartnerAccessTokenStore,
  partners: PartnerStore,
  campaigns: PartnerCampaignStore,
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
      if (expires_at <= created_at) throw invalid({ expires_at: ['must be in the future'] })
      const token = `gh_partner_${randomBytes(32).toString('base64url')}`
      const { event_id, partner_id, _id: partner_campaign_id } = campaign
      const stored = { _id: newId(), event_id, partner_id, partner_campaign_id, expires_at, created_at }
      await store.put({ ...stored, hash: hashOf(token) })
      // The campaign may have gone, and its tokens with it, between the look and the insert.
      await campaignOf(params).catch(async (error) => {
        await store.delete(event_id, partner_campaign_id, stored._id)
        throw error
      })
      return { ...stored, token }
    },

    async revoke({ params }) {
      const campaign = await campaignOf(params)
      const token = await store.delete(params.event_id, campaign._id, params.id)
      if (!token) throw notFound()
      return token
    },

    async resolve({ body }) {
      const token = await store.findByHash(body.hash)
      // A campaign that went may have left its tokens a moment longer.
      const holds = token && (await campaignOf(token).then(() => true, unlessGone))
      return holds ? { token } : {}
    },
  }
}

function unlessGone(error: unknown): false {
  if (error instanceof Fault && error.code === 'not_found') return false
  throw error
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
