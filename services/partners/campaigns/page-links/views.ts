import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { qrCodeOf } from '@gatehouse/proto/formats/qr-code.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type IssuedToken, isCurrent } from '../partner-access-tokens/issue.ts'
import type { StoredCampaign } from '../partner-campaigns/store.ts'
import type { PageLink, pageLinks } from './resource.ts'

/** Returns the campaign at a path. Throws `not_found` if it is not of that invitation type. */
export async function campaignOf(
  { campaigns }: Dependencies,
  { event_id, invitation_type_id, partner_campaign_id }: Call<(typeof pageLinks)['actions']['show']>['params'],
): Promise<StoredCampaign> {
  const campaign = found(await campaigns.get(event_id, partner_campaign_id))
  if (campaign.invitation_type_id !== invitation_type_id) throw notFound()
  return campaign
}

/** Returns what is known of the links to the page of a campaign that work now. */
export async function pageLinkOf({ tokens }: Dependencies, campaign: StoredCampaign): Promise<PageLink> {
  const now = new Date()
  const all = await tokens.ofCampaign(campaign.event_id, campaign._id)
  const working = all.filter((token) => token.expires_at > now && isCurrent(token, campaign))
  const [newest] = working
  const sent = latest(working, 'sent_at')
  return {
    partner_id: campaign.partner_id,
    partner_campaign_id: campaign._id,
    link_count: working.length,
    created_at: newest?.created_at ?? null,
    created_by: newest?.created_by ?? null,
    expires_at: newest?.expires_at ?? null,
    sent_at: sent?.sent_at ?? null,
    sent_to: sent?.sent_to ?? null,
    opened_at: latest(working, 'opened_at')?.opened_at ?? null,
  }
}

/** Returns the links of a campaign with the one that was made just now. */
export async function newLinkOf(dependencies: Dependencies, campaign: StoredCampaign, issued: IssuedToken) {
  const { page_url, expires_at } = issued
  return { ...(await pageLinkOf(dependencies, campaign)), expires_at, page_url, qr_code: await qrCodeOf(page_url) }
}

function latest<Name extends string, T extends { [N in Name]?: Date }>(all: T[], name: Name): T | undefined {
  const time = (each: T) => each[name]?.getTime() ?? 0
  const found = all.reduce<T | undefined>((best, each) => (best && time(best) >= time(each) ? best : each), undefined)
  return found?.[name] ? found : undefined
}
