import { type ItemProps, resource } from '../resources/resource.ts'
import { lazily } from '../view/lazily.tsx'
import { DeviceCode } from './device-code.tsx'
import { DevicePoints } from './points.tsx'
import { SelfTest } from './self-test.tsx'

const DeviceDetails = lazily<ItemProps>(async () => (await import('./print-station.tsx')).DeviceDetails)

/** The devices of an event. */
export const devices = resource('/api/v1/events/{event_id}/devices.json', {
  columns: ['name', 'accesspoint_ids', 'last_seen_at', 'battery_level', 'queue_length', 'self_test', 'app_version'],
  fields: ['name', 'kind', 'accesspoint_ids'],
  facts: ['enrolled_at', 'last_seen_at', 'battery_level', 'queue_length', 'self_test', 'app_version'],
  cells: { accesspoint_ids: DevicePoints, self_test: SelfTest },
  deletion: 'revoke',
  Once: DeviceCode,
  More: DeviceDetails,
  actions: [{ label: 'device_roll', path: '/api/v1/events/{event_id}/devices/{id}/roll_code.json' }],
})
