import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import type { Body } from '@gatehouse/proto/declaring/resource.ts'
import { found, untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import { type BadgeOrderQueue, changesBadge, ordered } from '../badge-orders/order-queue.ts'
import type { GuestCategoryStore } from '../guest-categories/store.ts'
import { announceLeaving, announcing } from './changes.ts'
import type { GuestFields, guests } from './resource.ts'
import type { GuestStore } from './store.ts'
import type { StoredGuest } from './stored-guest.ts'
import { NO_CATEGORY, UID_TAKEN } from './validation.ts'

/** Changes guests: their fields, and with them their category and their badge. */
export class GuestUpdating {
  readonly #store: GuestStore
  readonly #categories: GuestCategoryStore
  readonly #orderQueue: BadgeOrderQueue
  readonly #bus: Bus

  constructor(store: GuestStore, categories: GuestCategoryStore, orderQueue: BadgeOrderQueue, bus: Bus) {
    this.#store = store
    this.#categories = categories
    this.#orderQueue = orderQueue
    this.#bus = bus
  }

  /**
   * Changes a guest and announces the change. Throws `not_found`, `invalid` if the uid is taken or the category gone, `conflict` if too
   * many others change the guest.
   */
  async update(event_id: string, _id: string, changes: Partial<GuestFields>): Promise<StoredGuest> {
    const uids = new Set<string>()
    return announcing(this.#bus, { event_id, uids, moved_from: null }, () =>
      untilUnchanged('guest', async () => {
        const current = found(await this.#store.get(event_id, _id))
        uids.add(current.uid).add(changes.uid ?? current.uid)
        return this.#attempt(current, changes)
      }),
    )
  }

  /** Gives null if the guest was changed meanwhile. */
  async #attempt(current: StoredGuest, changes: Partial<GuestFields>): Promise<StoredGuest | null> {
    const { event_id, guest_category_id: category } = { ...current, ...changes }
    const moves = category !== current.guest_category_id
    const base = moves ? await this.#store.claimCategory(current, category) : current
    if (!base) return null
    if (moves && !(await this.#categories.confirm(event_id, category))) throw invalid(NO_CATEGORY)
    const reprints = changesBadge(current, changes)
    const wanted = reprints && (await this.#categories.wantsBadges(event_id, category))
    if (changes.uid !== undefined && changes.uid !== current.uid)
      await announceLeaving(this.#bus, { event_id, uids: [current.uid], moved_from: null })
    const badge = reprints ? ordered(current, wanted, new Date()) : {}
    const updated = await this.#store.update(base, { ...changes, ...badge })
    if (updated === undefined) throw invalid(UID_TAKEN)
    if (updated && wanted) this.#orderQueue.announce(updated)
    // The category may have begun to want badges before the guest was there to be ordered one.
    else if (updated && moves && (await this.#categories.wantsBadges(event_id, category)))
      await this.#orderQueue.order(updated)
    return updated
  }
}

/** The changes which a request asks for; lists are replaced as a whole. */
export function changesOf({
  access_privileges_attributes: access_privileges,
  uid,
  ...fields
}: Body<(typeof guests)['actions']['update']>): Partial<GuestFields> {
  return { ...fields, ...(uid && { uid }), ...(access_privileges && { access_privileges }) }
}
