import { type Beginning, type ItemProps, type OnceProps, resource } from '../resources/resource.ts'
import { lazily } from '../view/lazily.tsx'
import { DeviceName } from './device-name.tsx'
import { DevicePoints } from './points.tsx'
import { SelfTest } from './self-test.tsx'

const DeviceCode = lazily<OnceProps>(async () => (await import('./device-code.tsx')).DeviceCode)
const DeviceDetails = lazily<ItemProps>(async () => (await import('./print-station.tsx')).DeviceDetails)

/** The devices of an event. */
export const devices = resource('/api/v1/events/{event_id}/devices.json', {
  columns: ['name', 'accesspoint_ids', 'last_seen_at', 'battery_level', 'queue_length', 'self_test', 'app_version'],
  whole: ['self_test'],
  fields: ['name', 'kind', 'accesspoint_ids'],
  facts: ['enrolled_at', 'last_seen_at', 'battery_level', 'queue_length', 'self_test', 'app_version'],
  hints: { name: 'hint_device_name' },
  cells: { name: DeviceName, accesspoint_ids: DevicePoints, self_test: SelfTest },
  begin: beginDevice,
  deletion: 'revoke',
  Once: DeviceCode,
  More: DeviceDetails,
  actions: [{ label: 'device_roll', path: '/api/v1/events/{event_id}/devices/{id}/roll_code.json' }],
})

/** The most check-in points that a device may be bound to, as the API has it. */
const MOST_POINTS = 50

/** A device is a phone at all check-in points, unless somebody says otherwise. */
function beginDevice({ say, names, items }: Beginning) {
  const taken = new Set(items.map(({ name }) => name))
  const nameAt = (number: number): string => say('device_first_name', { number })
  let number = 1
  while (taken.has(nameAt(number))) number += 1
  const points = [...(names.accesspoint_ids?.keys() ?? [])]
  return { name: nameAt(number), accesspoint_ids: points.length > MOST_POINTS ? [] : points }
}
