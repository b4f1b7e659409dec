import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { copiesOf, copyId } from '@gatehouse/proto/serving/copies.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { invitationTypes } from './resource.ts'

type Copy = typeof invitationTypes.actions.copy

/** Copies the invitation types of an event into another; one whose category is gone has none. */
export async function copy(
  { types }: Dependencies,
  { body: { from_event_id, event_id, at, guest_category_ids } }: Call<Copy>,
): Promise<Output<Copy>> {
  const categoryIds = new Set(guest_category_ids)
  const copies = copiesOf(await types.ofEvent(from_event_id), event_id, at).map((type) => {
    const id = type.guest_category_id
    return { ...type, guest_category_id: id && categoryIds.has(id) ? copyId(event_id, id) : null }
  })
  await types.insertMany(copies)
  return { done: true }
}
