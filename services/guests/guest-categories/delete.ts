import { conflict } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { GuestCategory, guestCategories } from './resource.ts'

/** Deletes a guest category that has no guests, and its links; a retry finishes what was interrupted. */
export async function deleteCategory(
  { categories, guests, changes, linkClient }: Dependencies,
  { event_id, id }: Call<typeof guestCategories.actions.delete>['params'],
): Promise<GuestCategory> {
  const category = found(await categories.markForDeletion(event_id, id))
  if (!category.deleted) {
    const empty = !(await guests.holdsCategory(event_id, id))
    if (!empty || !(await categories.deleteMarked(category))) throw conflict(messageOf('category_has_guests'))
  }
  // Guests who came too late: their creation was not answered, and deletes them too unless it was interrupted.
  const uids = await guests.uidsOfCategory(event_id, id)
  if (uids.length > 0) {
    await changes.changing({ event_id, uids: new Set(uids) }, async () => {
      await changes.leaving({ event_id, uids })
      await guests.deleteOfCategory(event_id, id)
    })
  }
  await linkClient.forget_category({ body: { event_id, guest_category_id: id } })
  await categories.remove(category)
  return { ...category, guest_category_accesspoints: [] }
}
