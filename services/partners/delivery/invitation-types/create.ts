import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { InvitationType, invitationTypes } from './resource.ts'
import { errorsOf } from './validation.ts'

/** Creates an invitation type. */
export async function create(
  dependencies: Dependencies,
  { params: { event_id }, body: given, accept, newId }: Call<(typeof invitationTypes)['actions']['create']>,
): Promise<InvitationType> {
  const body = await accept(await errorsOf(dependencies, event_id, given))
  return dependencies.types.insert({ _id: newId(), ...body, event_id, ...newTimes() })
}
