import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { renamePartner } from '../partner-campaigns/reconciliation.ts'
import type { Partner, partners as resource } from './resource.ts'
import { cleaned, takenErrors, unlessTaken } from './validation.ts'
import { partnerView } from './views.ts'

/** Changes a partner. If it is renamed, its campaigns are too. */
export async function update(
  dependencies: Dependencies,
  { params: { event_id, id }, body: given, accept }: Call<(typeof resource)['actions']['update']>,
): Promise<() => Promise<Partner>> {
  const { partners, campaigns } = dependencies
  const { _id, name } = found(await partners.get(event_id, id))
  const changes = cleaned(await accept({}, () => takenErrors(partners, event_id, given, _id)))
  if (changes.name === name) delete changes.name
  const changed = partners.update(event_id, _id, changes)
  const partner = found(await unlessTaken(changed, partners, event_id, changes, _id))
  if (changes.name !== undefined) await renamePartner(dependencies, partner)
  return async () => partnerView(partner, await campaigns.ofPartner(event_id, _id))
}
