import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { InvitationType, invitationTypes } from './resource.ts'
import { errorsOf } from './validation.ts'

/** Changes an invitation type. */
export async function update(
  dependencies: Dependencies,
  { params: { event_id, id }, body: given, accept }: Call<(typeof invitationTypes)['actions']['update']>,
): Promise<InvitationType> {
  found(await dependencies.types.get(event_id, id))
  const body = await accept(await errorsOf(dependencies, event_id, given))
  return found(await dependencies.types.update(event_id, id, body))
}
