import { invalid, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { StoredCampaign } from '../partner-campaigns/store.ts'
import { type IssuedToken, issueToken } from './issue.ts'
import type { partnerAccessTokens } from './resource.ts'

type Create = (typeof partnerAccessTokens)['actions']['create']

/** Issues an access token for a campaign. */
export async function create(
  dependencies: Dependencies,
  { params, body: { expires_at }, actor, newId }: Call<Create>,
): Promise<IssuedToken> {
  const campaign = await campaignAt(dependencies, params)
  if (expires_at && expires_at <= new Date()) throw invalid({ expires_at: [messageOf('not_in_future')] })
  return issueToken(dependencies, campaign, { _id: newId(), created_by: actor, expires_at })
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
