import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { counted } from '../partners/usage-store.ts'
import { reconcileEvent } from './reconciliation.ts'
import type { PartnerCampaign, partnerCampaigns } from './resource.ts'

/** Returns a campaign of an invitation type. */
export async function read(
  dependencies: Dependencies,
  { params: { event_id, invitation_type_id, id } }: Call<(typeof partnerCampaigns)['actions']['read']>,
): Promise<PartnerCampaign> {
  await reconcileEvent(dependencies, event_id)
  const campaign = found(await dependencies.campaigns.get(event_id, id))
  if (campaign.invitation_type_id !== invitation_type_id) throw notFound()
  return counted(campaign, (await dependencies.partners.get(event_id, campaign.partner_id)) ?? undefined)
}
