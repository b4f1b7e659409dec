import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { type Adopted, adoptEach, compared } from '@gatehouse/proto/storage/adopting.ts'
import type { Static } from 'typebox'
import { ordered } from '../badge-orders/order-queue.ts'
import type { Dependencies } from '../dependencies.ts'
import { categoriesWithBadges, createDrafts } from './creation.ts'
import type { guests } from './resource.ts'
import { ID_TAKEN, NO_CATEGORY, UID_TAKEN } from './validation.ts'

type Adopt = typeof guests.actions.adopt

/** Takes over guests of another system. Their categories must be here; their badges are made here. */
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
    const isKnown = new Set(known.map(({ _id }) => _id))
    const fresh = items.filter(({ _id }) => !isKnown.has(_id))
    const stored = fresh.length > 0 ? await storedAll(dependencies, event_id, fresh) : new Map<string, Adopted>()
    return here.map((outcome, index) => stored.get(ids[index] ?? '') ?? outcome)
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
  const withBadges = await categoriesWithBadges(dependencies, event_id, categories)
  const drafts = items.map((item) => ({
    ...item,
    event_id,
    badge_completed: false,
    ...(withBadges.has(item.guest_category_id) && ordered({}, true, new Date())),
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

/** A guest without what is stored otherwise: a status may follow from the reply, and the time of registration from that of creation. */
function givenOf(event_id: string, { status: _, registered_at: __, ...given }: GivenGuest) {
  return { ...given, event_id }
}
