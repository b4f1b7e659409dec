import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { disownEach } from '@gatehouse/proto/storage/adopting.ts'
import type { Dependencies } from '../../dependencies.ts'
import { removeCampaign } from './reconciliation.ts'
import type { partnerCampaigns } from './resource.ts'
import type { StoredCampaign } from './store.ts'

type Disown = (typeof partnerCampaigns)['actions']['disown']

/** Deletes campaigns of another system that are gone there. One that has invitations or links to its page here stays. */
export async function disown(
  dependencies: Dependencies,
  { body: { event_id, ids } }: Call<Disown>,
): Promise<Output<Disown>> {
  const { campaigns } = dependencies
  return disownEach(ids, await campaigns.withIds(event_id, ids), async (campaign) => {
    if (await isUsed(dependencies, campaign)) return false
    if (!(await campaigns.markDeleted(event_id, campaign.invitation_type_id, campaign._id))) return false
    await removeCampaign(dependencies, campaign)
    return true
  })
}

/** Whether a campaign of another system has been used here. */
export async function isUsed({ invitations, tokens }: Dependencies, campaign: StoredCampaign): Promise<boolean> {
  const { _id, event_id } = campaign
  return (await invitations.hasAny(campaign)) || (await tokens.ofCampaign(event_id, _id)).length > 0
}
