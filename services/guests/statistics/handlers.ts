import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Handlers, Output } from '@gatehouse/proto/declaring/resource.ts'
import type { GuestCategoryStore } from '../guest-categories/store.ts'
import { totalOf } from '../guests/guest-counts.ts'
import type { GuestStore } from '../guests/store.ts'
import { checkIns } from '../permissions.ts'
import type { statistics } from './resource.ts'

type Ask = Client<typeof checkIns>['statistics']

/** Handlers of statistics. Guests are counted here, check-ins and signatures by the checkin service. */
export function statisticsHandlers(
  guests: GuestStore,
  categories: GuestCategoryStore,
  bus: Bus,
): Handlers<typeof statistics> {
  const checkInClient = clientOf(bus, checkIns)

  async function counted(event_id: string, ask: Ask): Promise<Output<typeof statistics.actions.read>> {
    const [known, counts, { checked_in_by_category, ...door }] = await Promise.all([
      categories.ofEvent(event_id),
      guests.count([event_id]),
      ask({ body: { event_id } }),
    ])
    const guestCounts = counts.get(event_id)
    const inside = new Map(checked_in_by_category.map(({ guest_category_id, count }) => [guest_category_id, count]))
    return {
      ...door,
      guest_count: totalOf(guestCounts),
      by_guest_category: known.map(({ _id }) => ({
        guest_category_id: _id,
        guest_count: guestCounts?.get(_id) ?? 0,
        checked_in_guest_count: inside.get(_id) ?? 0,
      })),
    }
  }

  return {
    read: async ({ params: { event_id } }) => counted(event_id, checkInClient.statistics),
    follow: async ({ body: { event_id } }) => counted(event_id, checkInClient.follow),
  }
}
