import { forEachConcurrently } from '@gatehouse/proto/concurrency/for-each.ts'
import type { Client } from '../../clients/typescript/client.ts'
import { access, allowance, type CategoryName, type DemoGuest, type DoorName, doors } from './plan.ts'

/** The demo's event and its ids. */
export interface DemoEvent {
  event_id: string
  doorIds: Map<DoorName, string>
  categoryIds: Map<CategoryName, string>
}

const CONCURRENCY = 64

/** Creates the event with its categories, doors and links. */
export async function makeDemoEvent(
  gatehouse: Client,
  account_id: string,
  opened: Date,
  closes: Date,
): Promise<DemoEvent> {
  const event = {
    account_id,
    title: `Demo ${opened.toISOString().slice(0, 16).replace('T', ' ')}`,
    start_date: opened.toISOString(),
    end_date: closes.toISOString(),
  }
  const { _id: event_id } = (await gatehouse.POST('/api/v1/events.json', { body: event })).data
  const params = { path: { event_id } }
  const doorIds = new Map<DoorName, string>()
  const categoryIds = new Map<CategoryName, string>()
  for (const name of doors) {
    const { data } = await gatehouse.POST('/api/v1/events/{event_id}/accesspoints.json', { params, body: { name } })
    doorIds.set(name, data._id)
  }
  for (const name of Object.keys(access) as CategoryName[]) {
    const body = { name, rsvp_enabled: true }
    const { data } = await gatehouse.POST('/api/v1/events/{event_id}/guest_categories.json', { params, body })
    categoryIds.set(name, data._id)
    for (const [door, accesspoint_id] of doorIds) {
      const max_allowed_accesses = allowance(name, door)
      if (max_allowed_accesses === undefined) continue
      const link = { guest_category_id: data._id, accesspoint_id, max_allowed_accesses }
      await gatehouse.POST('/api/v1/events/{event_id}/guest_category_accesspoints.json', { params, body: link })
    }
  }
  return { event_id, doorIds, categoryIds }
}

/** Registers the guests, many concurrently. Calls `onDone` after each with the number registered. */
export async function inviteGuests(
  gatehouse: Client,
  { event_id, categoryIds }: DemoEvent,
  guests: DemoGuest[],
  stop: AbortSignal,
  onDone: (done: number) => void,
): Promise<void> {
  let done = 0
  await forEachConcurrently(guests, CONCURRENCY, stop, async ({ category, ...guest }) => {
    const body = { ...guest, guest_category_id: categoryIds.get(category)! }
    await gatehouse.POST('/api/v1/events/{event_id}/guests.json', { params: { path: { event_id } }, body })
    onDone(++done)
  })
}
