import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { BlockedRecipient, blockedRecipients } from './resource.ts'
import { errorsOf, keyOf, takenErrors, unlessTaken } from './validation.ts'

/** Changes what is blocked, or the note on it. */
export async function update(
  { blocked }: Dependencies,
  { params: { event_id, id }, body: given, accept }: Call<(typeof blockedRecipients)['actions']['update']>,
): Promise<BlockedRecipient> {
  found(await blocked.get(event_id, id))
  const body = await accept(errorsOf(given), () => takenErrors(blocked, event_id, given.address, id))
  const key = body.address === undefined ? undefined : keyOf(body.address)
  return found(await unlessTaken(blocked.update(event_id, id, { ...body, ...(key !== undefined && { key }) })))
}
