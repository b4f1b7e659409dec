import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { hashOfToken } from '@gatehouse/proto/storage/tokens.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { StoredCampaign } from '../partner-campaigns/store.ts'
import { isCurrent } from './issue.ts'
import type { StoredToken } from './store.ts'

/**
 * Returns a partner access token, and its campaign. It is looked up each time, so that a revoked token and one of a deleted campaign are refused
 * at once. Throws `unauthorized` (401).
 */
export async function authenticated(
  { tokens, campaigns }: Dependencies,
  token: string | undefined,
): Promise<{ campaign: StoredCampaign; known: StoredToken }> {
  const known = token ? await tokens.findByHash(hashOfToken(token)) : null
  const campaign = known && (await campaigns.get(known.event_id, known.partner_campaign_id))
  if (!known || !campaign || !isCurrent(known, campaign)) throw new Fault('unauthorized')
  return { campaign, known }
}

/** Returns the campaign of a partner access token, as {@link authenticated}. */
export async function authenticatePartner(
  dependencies: Dependencies,
  token: string | undefined,
): Promise<StoredCampaign> {
  return (await authenticated(dependencies, token)).campaign
}
