import { conflict } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { InvitationType, invitationTypes } from './resource.ts'

/** Deletes an invitation type without campaigns. */
export async function deleteType(
  { types, campaigns }: Dependencies,
  { event_id, id }: Call<(typeof invitationTypes)['actions']['delete']>['params'],
): Promise<InvitationType> {
  const marked = found(await types.markForDeletion(event_id, id))
  const isEmpty = !(await campaigns.hasType(event_id, id))
  if (isEmpty && (await types.deleteMarked(marked))) return marked
  // Another request may have deleted it meanwhile.
  found(await types.get(event_id, id))
  throw conflict(messageOf('type_has_campaigns'))
}
