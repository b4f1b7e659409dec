import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { BlockedRecipient, blockedRecipients } from './resource.ts'
import { errorsOf, keyOf, takenErrors, unlessTaken } from './validation.ts'

/** Blocks an address or a domain. */
export async function create(
  { blocked }: Dependencies,
  { params: { event_id }, body: given, accept, newId }: Call<(typeof blockedRecipients)['actions']['create']>,
): Promise<BlockedRecipient> {
  const _id = newId()
  const body = await accept(errorsOf(given), () => takenErrors(blocked, event_id, given.address, _id))
  const key = keyOf(body.address) as string
  return unlessTaken(blocked.insert({ _id, ...body, key, event_id, ...newTimes() }))
}
