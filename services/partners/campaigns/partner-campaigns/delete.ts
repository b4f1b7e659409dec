import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { counted } from '../partners/usage-store.ts'
import { checkCode } from './codes.ts'
import { removeCampaign } from './reconciliation.ts'
import type { PartnerCampaign, partnerCampaigns } from './resource.ts'

/** Deletes a campaign, its access tokens, and disables its discount code. */
export async function deleteCampaign(
  dependencies: Dependencies,
  { params: { event_id, invitation_type_id, id }, caller }: Call<(typeof partnerCampaigns)['actions']['delete']>,
): Promise<PartnerCampaign> {
  const { campaigns, partners } = dependencies
  const current = await campaigns.find({ event_id, _id: id })
  if (current) checkCode(caller, current)
  const campaign = found(await campaigns.markDeleted(event_id, invitation_type_id, id))
  const partner = await partners.get(event_id, campaign.partner_id)
  await removeCampaign(dependencies, campaign)
  return counted(campaign, partner ?? undefined)
}
