import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { resumeCampaign } from '../../delivery/pausing/pausing.ts'
import type { Dependencies } from '../../dependencies.ts'
import { counted } from '../partners/usage-store.ts'
import type { PartnerCampaign, partnerCampaigns } from './resource.ts'

/** Lets a campaign that has paused itself send again. */
export async function resume(
  dependencies: Dependencies,
  { params: { event_id, invitation_type_id, id } }: Call<(typeof partnerCampaigns)['actions']['resume']>,
): Promise<PartnerCampaign> {
  const campaign = found(await dependencies.campaigns.get(event_id, id))
  if (campaign.invitation_type_id !== invitation_type_id) throw notFound()
  const resumed = found(await resumeCampaign(dependencies, campaign))
  return counted(resumed, (await dependencies.partners.get(event_id, campaign.partner_id)) ?? undefined)
}
