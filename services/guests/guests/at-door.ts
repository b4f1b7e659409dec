import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { joinedValues } from './disclosed.ts'
import type { DeviceGuest } from './lookups.ts'
import type { guests } from './resource.ts'

type AtDoor = typeof guests.actions.at_door
type Shown = Output<AtDoor>['guests'][number]

/** The characters of a text that devices get: more is never read at a door, and all devices of an event keep all of it. */
const MAX_CHARACTERS = 1_000

/** Returns guests as devices may know them: personal data only if their category allows that. */
export async function at_door(
  { categories, guestFields, lookups }: Dependencies,
  { body: { event_id, uids, changed_since, after } }: Call<AtDoor>,
): Promise<Output<AtDoor>> {
  const allowing = (await categories.ofEvent(event_id)).filter(({ device_names_enabled }) => device_names_enabled)
  const named = new Set(allowing.map(({ _id }) => _id))
  const keys = named.size > 0 ? (await guestFields.onDevice(event_id)).map(({ key }) => key) : []
  const read = { personal: named.size > 0, metadata: keys }
  const shown = (guests: DeviceGuest[]): Shown[] =>
    guests.map((guest) => (named.has(guest.guest_category_id) ? namedGuest(guest, keys) : namelessGuest(guest)))
  if (uids) return { guests: shown(await lookups.ofDevices(event_id, uids, read)), is_whole: true }
  if (changed_since) {
    const guests = await lookups.ofDevicesSince(event_id, changed_since, read)
    return { guests: shown(guests ?? []), is_whole: guests !== undefined }
  }
  const { guests, ...page } = await lookups.ofDevicesAfter(event_id, after, read)
  return { guests: shown(guests), is_whole: true, ...page }
}

function namelessGuest({ uid, guest_category_id, access_privileges, party_size }: DeviceGuest): Shown {
  return { uid, guest_category_id, access_privileges, ...(party_size !== undefined && { party_size }) }
}

function namedGuest(guest: DeviceGuest, keys: string[]): Shown {
  const { first_name = null, last_name = null, company_name, position, message } = guest
  const metadata = keys.flatMap((name) => {
    const value = joinedValues(guest, name)
    return value ? [{ name, value: shortened(value) }] : []
  })
  return {
    ...namelessGuest(guest),
    first_name,
    last_name,
    ...(company_name && { company_name: shortened(company_name) }),
    ...(position && { position: shortened(position) }),
    ...(message && { message: shortened(message) }),
    ...(metadata.length > 0 && { guest_metadata: metadata }),
  }
}

function shortened(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1).toWellFormed()}…` : text
}
