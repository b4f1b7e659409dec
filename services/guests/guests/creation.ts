import { randomInt } from 'node:crypto'
import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import { isBlank } from '@gatehouse/proto/declaring/fields.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Static } from 'typebox'
import { type BadgeOrderQueue, ordered } from '../badge-orders/order-queue.ts'
import type { GuestCategoryStore } from '../guest-categories/store.ts'
import type { GuestChanges, PendingChange } from './changes.ts'
import type { UsableCode } from './promo-uses.ts'
import type { givenGuest } from './resource.ts'
import type { GuestStore } from './store.ts'
import type { NewGuest, StoredGuest } from './stored-guest.ts'
import { CODE_USED_UP, type GuestValidation, NO_CATEGORY, UID_TAKEN } from './validation.ts'

const UID_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const UID_LENGTH = 10
/** Generated uids that may be taken before something else must be wrong. */
const UID_TRIES = 5

/** A new guest; its uid is null if one is to be generated. */
type Draft = Omit<NewGuest, 'uid'> & { uid: string | null }

/** Stores guests: gives each, or the one that an earlier try stored, or undefined if its uid is taken. */
type Insert = (guests: NewGuest[]) => Promise<(StoredGuest | undefined)[]>

/** A stored guest, and whether this very request stored it. */
interface RegisteredGuest {
  guest: StoredGuest
  created: boolean
}

/** What creates guests. */
export type GuestCreation = ReturnType<typeof guestCreation>

/** Creates guests: stores them, confirms their categories and orders their badges. */
export function guestCreation(
  store: GuestStore,
  categories: GuestCategoryStore,
  validation: GuestValidation,
  orderQueue: BadgeOrderQueue,
  changes: GuestChanges,
) {
  /** Those of the categories whose guests get badges. */
  async function wantingBadges(event_id: string, ids: string[]): Promise<Set<string>> {
    const distinct = [...new Set(ids)]
    const wants = await Promise.all(distinct.map((category) => categories.wantsBadges(event_id, category)))
    return new Set(distinct.filter((_, index) => wants[index]))
  }

  /**
   * Creates a guest, which uses the code if there is one; `earlier` is the guest if an earlier try has stored it. Throws `invalid` if the
   * uid is taken, the code used up or the category gone.
   */
  async function createOne(
    draft: Draft,
    code: UsableCode | undefined,
    earlier: StoredGuest | null,
  ): Promise<StoredGuest> {
    const insert = async (guest: NewGuest): Promise<StoredGuest | undefined> => {
      if (earlier) return earlier
      const stored = await (code ? store.insertUsing(guest, code) : store.insert(guest))
      if (stored !== null) return stored
      throw invalid({ ...CODE_USED_UP, ...(await validation.ofUid(draft.event_id, draft.uid, draft._id)) })
    }
    const { registered, gone } = await createMany(draft.event_id, [draft], (guests) => Promise.all(guests.map(insert)))
    const created = registered.get(draft._id)
    if (!created) throw invalid(UID_TAKEN)
    if (gone.size > 0) throw invalid(NO_CATEGORY)
    return created.guest
  }

  /** Creates guests. Returns them by `_id`, without those whose uid is taken, and the ids of those whose category is gone. */
  async function createMany(
    event_id: string,
    drafts: Draft[],
    insert: Insert = (guests) => store.insertAll(guests),
  ): Promise<{ registered: Map<string, RegisteredGuest>; gone: Set<string> }> {
    const change = { event_id, uids: new Set<string>(), moved_from: drafts[0]?.created_at ?? null }
    return changes.creating(change, async () => {
      const registered = await insertDrafts(drafts, insert, change)
      const byCategory = Map.groupBy(
        [...registered.values()].map(({ guest }) => guest),
        ({ guest_category_id }) => guest_category_id,
      )
      const gone = await Promise.all([...byCategory].map(([category, guests]) => settle(event_id, category, guests)))
      return { registered, gone: new Set(gone.flat()) }
    })
  }

  /** Orders badges for new guests of a category. If it was deleted meanwhile, deletes the guests and returns their ids. */
  async function settle(event_id: string, category: string, guests: StoredGuest[]): Promise<string[]> {
    const [confirmed, wantsBadges] = await Promise.all([
      categories.confirm(event_id, category),
      categories.wantsBadges(event_id, category),
    ])
    if (!confirmed) {
      const moved_from = new Date(Math.min(...guests.map(({ created_at }) => created_at.getTime())))
      await changes.leaving({ event_id, uids: guests.map(({ uid }) => uid), moved_from })
      const ids = guests.map(({ _id }) => _id)
      await store.deleteMany(event_id, ids)
      return ids
    }
    for (const guest of guests) {
      if (guest.badge_due) orderQueue.announce(guest)
      // The category began to want badges while the guest was being stored.
      else if (wantsBadges && guest.badge_order === undefined) await orderQueue.order(guest)
    }
    return []
  }

  return { wantingBadges, createOne, createMany }
}

/** A new guest of a request. */
export function draftOf(
  event_id: string,
  _id: string,
  { access_privileges_attributes: access_privileges, uid, ...fields }: Static<typeof givenGuest>,
  wantingBadges: Set<string>,
  now: Date,
): Draft {
  return {
    ...fields,
    _id,
    event_id,
    uid: isBlank(uid) ? null : uid,
    access_privileges,
    badge_completed: false,
    ...(wantingBadges.has(fields.guest_category_id) && ordered({}, true, now)),
    ...newTimes(now),
  }
}

/** Inserts new guests, each under its uid or a generated one; notes in the change that uids it tried. */
async function insertDrafts(
  drafts: Draft[],
  insert: Insert,
  change: PendingChange,
): Promise<Map<string, RegisteredGuest>> {
  const registered = new Map<string, RegisteredGuest>()
  let left = drafts
  for (let attempt = 0; attempt < UID_TRIES && left.length > 0; attempt++) {
    const guests = left.map((draft) => ({ ...draft, uid: draft.uid ?? newUid() }))
    for (const { uid } of guests) change.uids.add(uid)
    const stored = await insert(guests)
    for (const [index, guest] of stored.entries()) {
      if (!guest) continue
      change.uids.add(guest.uid)
      if (change.moved_from && guest.created_at < change.moved_from) change.moved_from = guest.created_at
      const { uid, created_at } = guests[index] as NewGuest
      const created = guest.uid === uid && guest.created_at.getTime() === created_at.getTime()
      registered.set(guest._id, { guest, created })
    }
    left = left.filter(({ _id, uid }) => !registered.has(_id) && uid === null)
  }
  if (left.length > 0) throw new Error('No free uid was found')
  return registered
}

function newUid(): string {
  return Array.from({ length: UID_LENGTH }, () => UID_LETTERS[randomInt(UID_LETTERS.length)]).join('')
}
