import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { checkCode } from '../partner-campaigns/codes.ts'
import { removePartner } from '../partner-campaigns/reconciliation.ts'
import type { Partner, partners as resource } from './resource.ts'
import { partnerView } from './views.ts'

/** Deletes a partner with its campaigns and their invitations. */
export async function deletePartner(
  dependencies: Dependencies,
  { params: { event_id, id }, caller }: Call<(typeof resource)['actions']['delete']>,
): Promise<Partner> {
  const { partners, campaigns } = dependencies
  const current = await partners.get(event_id, id)
  const attached = current ? await campaigns.ofPartner(event_id, current._id) : []
  for (const campaign of attached) checkCode(caller, campaign)
  const deleted = found(await partners.markDeleted(event_id, id))
  await removePartner(dependencies, deleted)
  return partnerView(current ?? deleted, attached)
}
