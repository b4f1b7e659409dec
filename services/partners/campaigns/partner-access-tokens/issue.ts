import { conflict, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { hashOfToken, newToken } from '@gatehouse/proto/storage/tokens.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { StoredCampaign } from '../partner-campaigns/store.ts'
import type { StoredToken } from './store.ts'

const VALID_MS = 90 * 86_400_000

interface NewToken {
  _id: string
  created_by: string | undefined
  /** In 90 days unless given. */
  expires_at?: Date | null
}

/** A token as it is made: the secret, and the address of the page, are known at no other time. */
export type IssuedToken = StoredToken & { token: string; page_url: string }

/** Stores a new token of a campaign. Throws `not_found` if the campaign was deleted meanwhile, `conflict` if its links were renewed. */
export async function issueToken(
  { tokens, campaigns, sessions }: Dependencies,
  { event_id, partner_id, _id: partner_campaign_id, link_generation }: StoredCampaign,
  { _id, expires_at, created_by }: NewToken,
): Promise<IssuedToken> {
  const token = newToken('gh_partner_')
  const created_at = new Date()
  const stored: StoredToken = {
    ...{ _id, event_id, partner_id, partner_campaign_id, created_at, hash: hashOfToken(token) },
    expires_at: expires_at ?? new Date(created_at.getTime() + VALID_MS),
    ...(created_by !== undefined && { created_by }),
    ...(link_generation !== undefined && { link_generation }),
  }
  await tokens.put(stored)
  // Who deleted the campaign, or renewed its links, may not have seen this token.
  const campaign = await campaigns.get(event_id, partner_campaign_id)
  if (campaign && isCurrent(stored, campaign)) return { ...stored, token, page_url: sessions.linkOf(token) }
  await tokens.delete(event_id, partner_campaign_id, _id)
  throw campaign ? conflict(messageOf('too_many_changes', { thing: 'page link' })) : notFound()
}

/** Whether a token is of the present links of its campaign: those before were revoked all at once. */
export function isCurrent(token: StoredToken, campaign: StoredCampaign): boolean {
  return (token.link_generation ?? 0) === (campaign.link_generation ?? 0)
}
