import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import type { Body } from '@gatehouse/proto/declaring/resource.ts'
import { found, untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import { type BadgeOrderQueue, changesBadge, ordered } from '../badge-orders/order-queue.ts'
import type { GuestCategoryStore } from '../guest-categories/store.ts'
import type { GuestChanges } from './changes.ts'
import type { GuestFields, guests } from './resource.ts'
import type { GuestStore } from './store.ts'
import type { StoredGuest } from './stored-guest.ts'
import { NO_CATEGORY, UID_TAKEN } from './validation.ts'

/** Changes a guest. */
export type GuestUpdater = ReturnType<typeof guestUpdate>

/** Returns a function that changes guests: their fields, and with them their category and their badge. */
export function guestUpdate(
  store: GuestStore,
  categories: GuestCategoryStore,
  orderQueue: BadgeOrderQueue,
  guestChanges: GuestChanges,
) {
  /** Returns null if the guest was changed meanwhile. */
  async function attempt(current: StoredGuest, changes: Partial<GuestFields>): Promise<StoredGuest | null> {
    const { event_id, guest_category_id: category } = { ...current, ...changes }
    const moves = category !== current.guest_category_id
    const base = moves ? await store.claimCategory(current, category) : current
    if (!base) return null
    if (moves && !(await categories.confirm(event_id, category))) throw invalid(NO_CATEGORY)
    const reprints = changesBadge(current, changes)
    const wanted = reprints && (await categories.wantsBadges(event_id, category))
    if (changes.uid !== undefined && changes.uid !== current.uid)
      await guestChanges.leaving({ event_id, uids: [current.uid], moved_from: null })
    const updated = await store.update(base, { ...changes, ...(reprints && ordered(current, wanted, new Date())) })
    if (updated === undefined) throw invalid(UID_TAKEN)
    if (updated && wanted) orderQueue.announce(updated)
    // The category may have begun to want badges before the guest was there to be ordered one.
    else if (updated && moves && (await categories.wantsBadges(event_id, category))) await orderQueue.order(updated)
    return updated
  }

  /**
   * Changes a guest and makes the change known. Throws `not_found`, `invalid` if the uid is taken or the category gone, `conflict` if too
   * many others change the guest.
   */
  return async (event_id: string, _id: string, changes: Partial<GuestFields>): Promise<StoredGuest> => {
    const uids = new Set<string>()
    return guestChanges.changing({ event_id, uids, moved_from: null }, () =>
      untilUnchanged('guest', async () => {
        const current = found(await store.get(event_id, _id))
        uids.add(current.uid).add(changes.uid ?? current.uid)
        return attempt(current, changes)
      }),
    )
  }
}

/** The changes that a request asks for; lists are replaced as a whole. */
export function changesOf({
  access_privileges_attributes: access_privileges,
  uid,
  ...fields
}: Body<(typeof guests)['actions']['update']>): Partial<GuestFields> {
  return { ...fields, ...(uid && { uid }), ...(access_privileges && { access_privileges }) }
}
