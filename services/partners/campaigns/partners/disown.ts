import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { disownEach } from '@gatehouse/proto/storage/adopting.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isUsed } from '../partner-campaigns/disown.ts'
import { removePartner } from '../partner-campaigns/reconciliation.ts'
import type { partners as resource } from './resource.ts'

type Disown = (typeof resource)['actions']['disown']

/** Deletes partners of another system that are gone there, with their campaigns. One with a campaign that was made or used here stays. */
export async function disown(
  dependencies: Dependencies,
  { body: { event_id, ids } }: Call<Disown>,
): Promise<Output<Disown>> {
  const { partners, campaigns } = dependencies
  return disownEach(ids, await partners.withIds(event_id, ids), async ({ _id, updated_at }) => {
    for (const campaign of await campaigns.ofPartner(event_id, _id))
      if (!campaign.adopted || (await isUsed(dependencies, campaign))) return false
    const deleted = await partners.markDeleted(event_id, _id, { updated_at })
    if (deleted) await removePartner(dependencies, deleted)
    return deleted !== null
  })
}
