import { randomInt } from 'node:crypto'
import { isBlank } from '@gatehouse/proto/declaring/fields.ts'
import type { Rejected } from '@gatehouse/proto/declaring/resource.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Static } from 'typebox'
import { ordered } from '../badge-orders/order-queue.ts'
import type { Dependencies } from '../dependencies.ts'
import type { PendingChange } from './changes.ts'
import type { UsableCode } from './promo-uses.ts'
import type { GuestSource, givenGuest } from './resource.ts'
import type { NewGuest, StoredGuest } from './stored-guest.ts'
import { CODE_USED_UP, NO_CATEGORY, UID_TAKEN, uidErrors } from './validation.ts'

/** Without l, 1, o and 0, which people who type a code take for each other. */
const UID_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const UID_LENGTH = 10
/** Generated uids that may be taken before something else must be wrong. */
const UID_TRIES = 5

/** A new guest; its uid is null if one is to be generated. */
export type Draft = Omit<NewGuest, 'uid'> & { uid: string | null }

/** A stored guest, and whether this very request stored it. */
export interface RegisteredGuest {
  guest: StoredGuest
  created: boolean
}

/** A guest to create. */
export interface WantedGuest {
  draft: Draft
  /** The discount code that it uses. */
  code?: UsableCode | undefined
  /** The guest, where it is known that an earlier try has stored it: it holds its use of the code. */
  earlier?: StoredGuest | undefined
}

/** Returns those of the categories whose guests get badges. */
export async function categoriesWithBadges(
  { categories }: Dependencies,
  event_id: string,
  ids: string[],
): Promise<Set<string>> {
  const distinct = [...new Set(ids)]
  const wants = await Promise.all(distinct.map((category) => categories.wantsBadges(event_id, category)))
  return new Set(distinct.filter((_, index) => wants[index]))
}

/**
 * Creates guests, and publishes those that this very request stored. Returns each guest by `_id`, or what is wrong with it. Where `mayRepeat`,
 * another request may create the same guests at the same time: then each is published by itself, once.
 */
export async function createAll(
  dependencies: Dependencies,
  event_id: string,
  wanted: WantedGuest[],
  mayRepeat: boolean,
): Promise<Map<string, RegisteredGuest | Rejected>> {
  const { guests, outbox, presenter } = dependencies
  const byId = new Map(wanted.map((each) => [each.draft._id, each]))
  const usedUp = new Set<string>()
  const insert = async (guest: NewGuest): Promise<StoredGuest | null | undefined> => {
    const { code, earlier } = byId.get(guest._id) ?? {}
    if (earlier) return earlier
    const stored = await (code ? guests.insertUsing(guest, code) : guests.insert(guest))
    if (stored === null) usedUp.add(guest._id)
    return stored
  }
  // One alone is stored with those of other requests.
  const isPlain = wanted.length > 1 && wanted.every(({ code, earlier }) => !code && !earlier)
  const drafts = wanted.map(({ draft }) => draft)
  const planned = drafts.map(({ _id, created_at }) => ({ _id, ...(mayRepeat && { created_at }) }))
  const { registered, gone } = await outbox.publishing(
    { type: 'guest.created', event_id, items: planned },
    () => createDrafts(dependencies, event_id, drafts, isPlain ? undefined : insert),
    // The request that stored an earlier guest publishes it.
    ({ registered, gone }) =>
      [...registered.values()].flatMap(({ guest, created }) =>
        created && !gone.has(guest._id) ? [presenter.forWebhooks(guest)] : [],
      ),
  )
  const outcomes = drafts.map(async ({ _id, uid }): Promise<[string, RegisteredGuest | Rejected]> => {
    if (gone.has(_id)) return [_id, { errors: NO_CATEGORY }]
    if (usedUp.has(_id))
      return [_id, { errors: { ...CODE_USED_UP, ...(await uidErrors(dependencies, event_id, uid, _id)) } }]
    return [_id, registered.get(_id) ?? { errors: UID_TAKEN }]
  })
  return new Map(await Promise.all(outcomes))
}

/**
 * Stores guests, confirms their categories and orders their badges. Returns the guests by `_id`, without those that cannot be stored, and the ids
 * of those whose category is gone. `insert` stores one guest as {@link insertDrafts} says; by default all are stored in one write.
 */
export async function createDrafts(
  dependencies: Dependencies,
  event_id: string,
  drafts: Draft[],
  insert?: (guest: NewGuest) => Promise<StoredGuest | null | undefined>,
): Promise<{ registered: Map<string, RegisteredGuest>; gone: Set<string> }> {
  const { guests, changes } = dependencies
  const entries = new Map<string, Date>()
  const change = { event_id, uids: new Set<string>(), moved_from: drafts[0]?.created_at ?? null, entries }
  return changes.creating(change, async () => {
    const insertAll = (all: NewGuest[]) => (insert ? Promise.all(all.map(insert)) : guests.insertAll(all))
    const registered = await insertDrafts(drafts, insertAll, change)
    const byCategory = Map.groupBy(
      [...registered.values()].map(({ guest }) => guest),
      ({ guest_category_id }) => guest_category_id,
    )
    const gone = await Promise.all(
      [...byCategory].map(([category, members]) => confirmCategory(dependencies, event_id, category, members)),
    )
    return { registered, gone: new Set(gone.flat()) }
  })
}

/** Orders badges for new guests of a category. If it was deleted meanwhile, deletes the guests and returns their ids. */
async function confirmCategory(
  { guests, categories, orderQueue, changes }: Dependencies,
  event_id: string,
  category: string,
  members: StoredGuest[],
): Promise<string[]> {
  const [confirmed, wantsBadges] = await Promise.all([
    categories.confirm(event_id, category),
    categories.wantsBadges(event_id, category),
  ])
  if (!confirmed) {
    const moved_from = new Date(Math.min(...members.map(({ created_at }) => created_at.getTime())))
    await changes.leaving({ event_id, uids: members.map(({ uid }) => uid), moved_from })
    const ids = members.map(({ _id }) => _id)
    await guests.deleteMany(event_id, ids)
    return ids
  }
  for (const guest of members) {
    if (guest.badge_due) orderQueue.announce(guest)
    // The category began to want badges while the guest was being stored.
    else if (wantsBadges && guest.badge_order === undefined) await orderQueue.order(guest)
  }
  return []
}

/** A new guest of a request. */
export function draftOf(
  event_id: string,
  _id: string,
  {
    access_privileges_attributes: access_privileges,
    uid,
    ...fields
  }: Static<typeof givenGuest> & { source: GuestSource },
  withBadges: Set<string>,
  now: Date,
): Draft {
  return {
    ...fields,
    _id,
    event_id,
    uid: isBlank(uid) ? null : uid,
    access_privileges,
    badge_completed: false,
    ...(withBadges.has(fields.guest_category_id) && ordered({}, { wanted: true, due: now })),
    ...newTimes(now),
  }
}

/**
 * Inserts new guests, each under its uid or a generated one, and notes in the change which uids it tried and what is stored of entries. `insert` returns each guest, or the
 * one that an earlier try stored, undefined if its uid is taken, or null if another uid would not help.
 */
async function insertDrafts(
  drafts: Draft[],
  insert: (guests: NewGuest[]) => Promise<(StoredGuest | null | undefined)[]>,
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
      if (!guest.entry_unread) change.entries?.set(guest.uid, guest.checked_in_at)
      if (change.moved_from && guest.created_at < change.moved_from) change.moved_from = guest.created_at
      const { uid, created_at } = guests[index] as NewGuest
      const created = guest.uid === uid && guest.created_at.getTime() === created_at.getTime()
      registered.set(guest._id, { guest, created })
    }
    left = left.filter(({ uid }, index) => stored[index] === undefined && uid === null)
  }
  if (left.length > 0) throw new Error('No free uid was found')
  return registered
}

function newUid(): string {
  return Array.from({ length: UID_LENGTH }, () => UID_LETTERS[randomInt(UID_LETTERS.length)]).join('')
}
