import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import {
  type Adopted,
  adoptEach,
  adoptionOf,
  compared,
  mayFollow,
  outcomeOf,
} from '@gatehouse/proto/storage/adopting.ts'
import { untilUnchanged } from '@gatehouse/proto/storage/documents.ts'
import type { Static } from 'typebox'
import { ordered } from '../badge-orders/order-queue.ts'
import type { Dependencies } from '../dependencies.ts'
import { categoriesWithBadges, createDrafts } from './creation.ts'
import type { guests } from './resource.ts'
import { NOT_ENTERED } from './stored-guest.ts'
import { changeAsRead } from './update.ts'
import { ID_TAKEN, NO_CATEGORY, UID_TAKEN } from './validation.ts'

type Adopt = typeof guests.actions.adopt

/**
 * Takes over guests of another system. Their categories must be here; their badges are made here, and nobody is told that they are. A discount code
 * that a guest holds is only named: its use counts among those of the other system.
 */
export function adopt(
  dependencies: Dependencies,
  { query: { event_id, compares }, body }: Call<Adopt>,
): Promise<Output<Adopt>> {
  return adoptEach(body, async (items): Promise<Adopted[]> => {
    const ids = items.map(({ _id }) => _id)
    const known = await dependencies.lookups.withIds(event_id, ids)
    const here = compared(
      items.map((item) => givenOf(event_id, item)),
      known,
    )
    if (compares) return here
    const byId = new Map(known.map((guest) => [guest._id, guest]))
    const fresh = items.filter(({ _id }) => !byId.has(_id))
    const stored = fresh.length > 0 ? await storedAll(dependencies, event_id, fresh) : new Map<string, Adopted>()
    const outcomes = here.map(async (outcome, index): Promise<Adopted> => {
      const item = items[index] as GivenGuest
      const guest = byId.get(item._id)
      if (!guest) return stored.get(item._id) ?? outcome
      return mayFollow(givenOf(event_id, item), guest) ? follow(dependencies, event_id, item) : outcome
    })
    return Promise.all(outcomes)
  })
}

type GivenGuest = Static<Adopt['body']>[number]

/** Stores guests, of whom another request may have stored some. Returns what became of each, by `_id`. */
async function storedAll(
  dependencies: Dependencies,
  event_id: string,
  items: GivenGuest[],
): Promise<Map<string, Adopted>> {
  const categories = items.map(({ guest_category_id }) => guest_category_id)
  const uids = items.map(({ uid }) => uid)
  // Check-ins were taken over before: a guest who is stored with the first entry needs no second write.
  const [withBadges, entries] = await Promise.all([
    categoriesWithBadges(dependencies, event_id, categories),
    dependencies.entrySync.firstEntries(event_id, uids),
  ])
  const drafts = items.map((item) => ({
    ...withoutNoCode(item),
    event_id,
    adopted: adoptionOf(givenOf(event_id, item)),
    badge_completed: false,
    checked_in_at: entries.get(item.uid) ?? NOT_ENTERED,
    ...(withBadges.has(item.guest_category_id) && ordered({}, { wanted: true, due: new Date(), isQuiet: true })),
  }))
  const { registered, gone } = await createDrafts(dependencies, event_id, drafts)
  return new Map(
    items.map(({ _id }): [string, Adopted] => {
      const own = registered.get(_id)
      if (!own) return [_id, { errors: UID_TAKEN }]
      if (own.guest.event_id !== event_id) return [_id, { errors: ID_TAKEN }]
      return [_id, gone.has(_id) ? { errors: NO_CATEGORY } : { outcome: 'stored' }]
    }),
  )
}

/** Takes over what has changed of a guest in the other system alone. */
async function follow(dependencies: Dependencies, event_id: string, item: GivenGuest): Promise<Adopted> {
  const { guests, changes } = dependencies
  const given = givenOf(event_id, item)
  const { _id, created_at: _, updated_at, promo_code, ...fields } = item
  const uids = new Set([item.uid])
  const change = async (): Promise<Adopted | null> => {
    const current = await guests.get(event_id, _id)
    if (!current) return { outcome: 'missing' }
    const outcome = outcomeOf(given, current)
    if (!('fields' in outcome) || !mayFollow(given, current)) return outcome
    uids.add(current.uid)
    const adoption = { adopted: adoptionOf(given), updated_at, ...(promo_code !== null && { promo_code }) }
    const changed = await changeAsRead(dependencies, current, fields, adoption)
    return changed && { outcome: 'updated', fields: outcome.fields }
  }
  try {
    return await changes.changing({ event_id, uids, moved_from: null }, () => untilUnchanged('guest', change))
  } catch (error) {
    if (error instanceof Fault && error.errors) return { errors: error.errors }
    throw error
  }
}

/** A guest who holds no discount code is stored without the field. */
function withoutNoCode({ promo_code, ...item }: GivenGuest): Omit<GivenGuest, 'promo_code'> & { promo_code?: string } {
  return promo_code === null ? item : { ...item, promo_code }
}

/** A guest without what is stored otherwise: a status may follow from the reply, and the time of registration from that of creation. */
function givenOf(event_id: string, { status: _, registered_at: __, ...given }: GivenGuest) {
  return { ...given, event_id }
}
