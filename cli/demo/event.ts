import { forEachConcurrently } from '../concurrency.ts'
import type { Api } from './api.ts'
import { access, allowance, type CategoryName, type DemoGuest, type DoorName, doors } from './plan.ts'

/** The demo's event and its ids. */
export interface DemoEvent {
  event_id: string
  doorIds: Map<DoorName, string>
  categoryIds: Map<CategoryName, string>
}

const CONCURRENCY = 64

interface Made {
  _id: string
}

/** Creates the event with its categories, doors and links. `run` is the prefix of every `Idempotency-Key`. */
export async function makeDemoEvent(
  api: Api,
  account_id: string,
  run: string,
  opened: Date,
  closes: Date,
): Promise<DemoEvent> {
  const event = {
    account_id,
    title: `Demo ${opened.toISOString().slice(0, 16).replace('T', ' ')}`,
    start_date: opened,
    end_date: closes,
  }
  const { _id: event_id } = await api.create<Made>('events', `${run}-event`, event)
  const doorIds = new Map<DoorName, string>()
  const categoryIds = new Map<CategoryName, string>()
  for (const name of doors) {
    const { _id } = await api.create<Made>(`events/${event_id}/accesspoints`, `${run}-${name}`, { name })
    doorIds.set(name, _id)
  }
  for (const name of Object.keys(access) as CategoryName[]) {
    const { _id } = await api.create<Made>(`events/${event_id}/guest_categories`, `${run}-${name}`, {
      name,
      rsvp_enabled: true,
    })
    categoryIds.set(name, _id)
    for (const [door, accesspoint_id] of doorIds) {
      const max_allowed_accesses = allowance(name, door)
      if (max_allowed_accesses === undefined) continue
      const link = { guest_category_id: _id, accesspoint_id, max_allowed_accesses }
      await api.create(`events/${event_id}/guest_category_accesspoints`, `${run}-${name}-${door}`, link)
    }
  }
  return { event_id, doorIds, categoryIds }
}

/** Registers the guests, many concurrently. Calls `onDone` after each with the number registered. */
export async function inviteGuests(
  api: Api,
  { event_id, categoryIds }: DemoEvent,
  run: string,
  guests: DemoGuest[],
  stop: AbortSignal,
  onDone: (done: number) => void,
): Promise<void> {
  let done = 0
  await forEachConcurrently(guests, CONCURRENCY, stop, async ({ category, ...guest }) => {
    const body = { ...guest, guest_category_id: categoryIds.get(category) }
    await api.create(`events/${event_id}/guests`, `${run}-guest-${guest.uid}`, body)
    onDone(++done)
  })
}
