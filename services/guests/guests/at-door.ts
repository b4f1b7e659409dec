import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { DeviceGuest } from './lookups.ts'
import type { guests } from './resource.ts'

type AtDoor = typeof guests.actions.at_door

/** Returns guests as devices may know them: with names only if their category allows that. */
export async function at_door(
  { categories, lookups }: Dependencies,
  { body: { event_id, uids, changed_since, after } }: Call<AtDoor>,
): Promise<Output<AtDoor>> {
  const allowing = (await categories.ofEvent(event_id)).filter(({ device_names_enabled }) => device_names_enabled)
  const named = new Set(allowing.map(({ _id }) => _id))
  const shown = (guests: DeviceGuest[]): DeviceGuest[] =>
    guests.map((guest) => (named.has(guest.guest_category_id) ? guest : withoutNames(guest)))
  if (uids) return { guests: shown(await lookups.ofDevices(event_id, uids)), is_whole: true }
  if (changed_since) {
    const guests = await lookups.ofDevicesSince(event_id, changed_since)
    return { guests: shown(guests ?? []), is_whole: guests !== undefined }
  }
  const { guests, ...page } = await lookups.ofDevicesAfter(event_id, after)
  return { guests: shown(guests), is_whole: true, ...page }
}

function withoutNames({ first_name: _, last_name: __, ...guest }: DeviceGuest): DeviceGuest {
  return guest
}
