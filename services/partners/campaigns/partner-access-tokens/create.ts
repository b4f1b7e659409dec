import { invalid, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { hashOfToken, newToken } from '@gatehouse/proto/storage/tokens.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { StoredCampaign } from '../partner-campaigns/store.ts'
import type { partnerAccessTokens } from './resource.ts'

const VALID_MS = 90 * 86_400_000

type Create = (typeof partnerAccessTokens)['actions']['create']

/** Issues an access token for a campaign. */
export async function create(
  dependencies: Dependencies,
  { params, body, newId }: Call<Create>,
): Promise<Output<Create>> {
  const { tokens, sessions } = dependencies
  const campaign = await campaignAt(dependencies, params)
  const created_at = new Date()
  const expires_at = body.expires_at ?? new Date(created_at.getTime() + VALID_MS)
  if (expires_at <= created_at) throw invalid({ expires_at: [messageOf('not_in_future')] })
  const token = newToken('gh_partner_')
  const { event_id, partner_id, _id: partner_campaign_id } = campaign
  const stored = { _id: newId(), event_id, partner_id, partner_campaign_id, expires_at, created_at }
  await tokens.put({ ...stored, hash: hashOfToken(token) })
  // The campaign, and its tokens, may have been deleted before this token was stored.
  await campaignAt(dependencies, params).catch(async (error) => {
    await tokens.delete(event_id, partner_campaign_id, stored._id)
    throw error
  })
  return { ...stored, token, page_url: sessions.linkOf(token) }
}

/** Returns the campaign at a path. Throws `not_found` if it is not that partner's. */
export async function campaignAt(
  { partners, campaigns }: Dependencies,
  { event_id, partner_id, partner_campaign_id }: Call<Create>['params'],
): Promise<StoredCampaign> {
  const [partner, campaign] = await Promise.all([
    partners.get(event_id, partner_id),
    campaigns.get(event_id, partner_campaign_id),
  ])
  if (!partner || campaign?.partner_id !== partner._id) throw notFound()
  return campaign
}
