import { createHash } from 'node:crypto'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { PartnerCampaignStore, StoredCampaign } from '../partner-campaigns/store.ts'
import type { PartnerAccessTokenStore } from './store.ts'

/** The hash of a token, which is stored and looked up in its place: so the time of a lookup does not depend on the token. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/**
 * The campaign of a partner access token. It is looked up each time, so that a revoked token and one of a deleted campaign are refused at once.
 * Throws `unauthorized` (401).
 */
export async function authenticatePartner(
  tokens: PartnerAccessTokenStore,
  campaigns: PartnerCampaignStore,
  token: string | undefined,
): Promise<StoredCampaign> {
  const known = token ? await tokens.findByHash(hashOf(token)) : null
  const campaign = known && (await campaigns.get(known.event_id, known.partner_campaign_id))
  if (!campaign) throw new Fault('unauthorized')
  return campaign
}
