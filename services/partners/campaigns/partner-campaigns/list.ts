import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { counted } from '../partners/usage-store.ts'
import { reconcileEvent } from './reconciliation.ts'
import type { PartnerCampaign, partnerCampaigns } from './resource.ts'

/** Returns a page of an invitation type's campaigns, by their partners' names. */
export async function list(
  dependencies: Dependencies,
  { params: { event_id, invitation_type_id }, query }: Call<(typeof partnerCampaigns)['actions']['list']>,
): Promise<PartnerCampaign[]> {
  const { types, campaigns, partners } = dependencies
  found(await types.get(event_id, invitation_type_id))
  await reconcileEvent(dependencies, event_id)
  const page = await campaigns.page(event_id, invitation_type_id, query)
  const owners = await partners.withIds(event_id, [...new Set(page.map(({ partner_id }) => partner_id))])
  const byId = new Map(owners.map((partner) => [partner._id, partner]))
  return page.map((campaign) => counted(campaign, byId.get(campaign.partner_id)))
}
