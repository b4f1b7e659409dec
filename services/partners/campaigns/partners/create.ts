import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { noneYet, type Partner, type partners as resource } from './resource.ts'
import { cleaned, takenErrors, unlessTaken } from './validation.ts'
import { partnerView } from './views.ts'

/** Creates a partner. */
export async function create(
  { partners }: Dependencies,
  { params: { event_id }, body: given, accept, newId }: Call<(typeof resource)['actions']['create']>,
): Promise<Partner> {
  const _id = newId()
  const times = newTimes()
  const fields = cleaned(await accept({}, () => takenErrors(partners, event_id, given, _id)))
  const made = partners.insert({ _id, ...fields, ...noneYet, event_id, ...times })
  return partnerView(await unlessTaken(made, partners, event_id, fields, _id), [])
}
