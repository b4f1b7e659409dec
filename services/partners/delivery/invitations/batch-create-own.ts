import type { Call, Rejected } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { ownCampaign } from '../../campaigns/partner-campaigns/own.ts'
import type { Dependencies } from '../../dependencies.ts'
import { submit } from './batch-create.ts'
import type { PartnerInvitation, partnerInvitations } from './resource.ts'

/** Invites recipients without a partner. */
export async function batchCreateOwn(
  dependencies: Dependencies,
  { params: { event_id, invitation_type_id }, body }: Call<(typeof partnerInvitations)['actions']['batch_create_own']>,
): Promise<(PartnerInvitation | Rejected)[]> {
  found(await dependencies.types.get(event_id, invitation_type_id))
  return submit(dependencies, await ownCampaign(dependencies, event_id, invitation_type_id), body)
}
