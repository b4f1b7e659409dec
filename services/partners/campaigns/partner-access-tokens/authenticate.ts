import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { hashOfToken } from '@gatehouse/proto/storage/tokens.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { StoredCampaign } from '../partner-campaigns/store.ts'

/**
 * Returns the campaign of a partner access token. It is looked up each time, so that a revoked token and one of a deleted campaign are refused
 * at once. Throws `unauthorized` (401).
 */
export async function authenticatePartner(
  { tokens, campaigns }: Dependencies,
  token: string | undefined,
): Promise<StoredCampaign> {
  const known = token ? await tokens.findByHash(hashOfToken(token)) : null
  const campaign = known && (await campaigns.get(known.event_id, known.partner_campaign_id))
  if (!campaign) throw new Fault('unauthorized')
  return campaign
}
