import { type Handlers, handlersOf, type Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { totalOf } from '../guests/guest-counts.ts'
import type { statistics } from './resource.ts'

/** Returns the handlers of statistics. Guests are counted here, check-ins and signatures by the checkin service. */
export function statisticsHandlers(dependencies: Dependencies): Handlers<typeof statistics> {
  return handlersOf<typeof statistics, Dependencies>(
    {
      read: (all, { params: { event_id } }) => statisticsOf(all, event_id, 'statistics'),
      follow: (all, { body: { event_id } }) => statisticsOf(all, event_id, 'follow'),
    },
    dependencies,
  )
}

async function statisticsOf(
  { guests, categories, checkInClient }: Dependencies,
  event_id: string,
  action: 'statistics' | 'follow',
): Promise<Output<typeof statistics.actions.read>> {
  const [ofEvent, counts, { checked_in_by_category, ...door }] = await Promise.all([
    categories.ofEvent(event_id),
    guests.count([event_id]),
    checkInClient[action]({ body: { event_id } }),
  ])
  const guestCounts = counts.get(event_id)
  const inside = new Map(checked_in_by_category.map((counted) => [counted.guest_category_id, counted]))
  return {
    ...door,
    guest_count: totalOf(guestCounts),
    by_guest_category: ofEvent.map(({ _id }) => ({
      guest_category_id: _id,
      guest_count: guestCounts?.get(_id) ?? 0,
      checked_in_guest_count: inside.get(_id)?.count ?? 0,
      person_count: inside.get(_id)?.person_count ?? 0,
    })),
  }
}
