import {
  choice,
  datetime,
  identifier,
  integer,
  list,
  maybe,
  optionalDatetime,
  optionalIdentifier,
  optionalInteger,
  optionalText,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

/** How long a code is good, in minutes, unless someone asks for more time. */
export const CODE_MINUTES = 10
/** The longest time that may be asked for: as long as the codes of exhibitors' phones are good. */
const MOST_HOURS = 7 * 24
/** The caller of each request carries the check-in points. */
const MAX_POINTS = 50

/** What a device does: scan guests, or print badges (docs/print-station.md). */
const kinds = ['scanner', 'printer'] as const

const fields = {
  kind: choice(kinds, {
    default: 'scanner',
    description: '`printer` prints the badge of each guest who is let in at its check-in points',
  }),
  name: text({ description: 'What people call the device: North entrance 1' }),
  accesspoint_ids: list(identifier(), 'accesspoint_id', {
    default: [],
    maxItems: MAX_POINTS,
    description: 'The check-in points that the device may scan at; all of the event where there are none',
  }),
}

const report = {
  battery_level: optionalInteger({ minimum: 0, maximum: 100, description: 'In per cent' }),
  queue_length: optionalInteger({ minimum: 0, description: 'Scans that the device still has to send' }),
  app_version: optionalText({ maxLength: 64 }),
}

/** What a device tests of itself before an event. */
const TESTED = ['camera', 'sound', 'vibration', 'network', 'clock', 'guest_list', 'code'] as const
const outcomes = ['passed', 'failed', 'skipped'] as const
const outcome = () => choice(outcomes, { default: 'skipped' })
type SelfTest = Record<(typeof TESTED)[number], ReturnType<typeof outcome>>

const selfTest = {
  self_test: maybe(
    record(
      {
        tested_at: datetime(),
        ...(Object.fromEntries(TESTED.map((name) => [name, outcome()])) as SelfTest),
      },
      { description: 'How its last test of itself ended; `skipped` is what it could not or need not test' },
    ),
  ),
}

/** What a device says of itself. */
export type DeviceReport = Static<ReturnType<typeof record<typeof report & typeof selfTest>>>

const device = record({
  _id: identifier(),
  ...fields,
  event_id: identifier(),
  code_expires_at: optionalDatetime({ description: 'Until when a code waits to be exchanged; null if none does' }),
  enrolled_at: optionalDatetime({ description: 'When the last code was exchanged' }),
  last_seen_at: optionalDatetime({ description: 'When the device last reported' }),
  ...report,
  ...selfTest,
  created_at: datetime(),
  updated_at: datetime(),
})

/** A device as it goes out. */
export type Device = Static<typeof device>

const withCode = record({
  ...device.properties,
  code: text({
    description: `For one exchange until code_expires_at, ${CODE_MINUTES} minutes unless code_hours said otherwise; shown this once`,
  }),
  url: text({ maxLength: 2_100, description: 'Opens the scanner, or the print station, with the code' }),
  qr_code: text({ maxLength: 65_536, description: 'That address as a QR code: an SVG document' }),
})

const identity = {
  _id: identifier({ description: 'Of the device; in batches of check-ins it stands for its token' }),
  name: optionalText(),
  event_id: identifier(),
  accesspoint_ids: list(identifier(), 'accesspoint_id'),
  server_time: datetime({ description: 'By which the device corrects its clock' }),
}

/** Devices of an event: each has a token of its own, of the scope `door`, which it gets for a one-time code. */
export const devices = resource('sso.devices', 'device', {
  list: {
    route: 'GET events/:event_id/devices',
    scope: 'read',
    summary: 'Devices of an event, in the order of their creation',
    reply: list(device, 'device'),
  },
  read: { route: 'GET events/:event_id/devices/:id', scope: 'read', summary: 'One device', reply: device },
  create: {
    route: 'POST events/:event_id/devices',
    role: 'door_manager',
    summary:
      'Create a device; `code` is shown this once. 422 where the account has as many as it may, or another printer follows one of the check-in points',
    checks: true,
    body: record(fields),
    reply: withCode,
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id/devices/:id',
    role: 'door_manager',
    summary: 'Rename a device, or change its kind or check-in points',
    checks: true,
    body: subset(fields),
    reply: device,
    status: 204,
  },
  revoke: {
    route: 'DELETE events/:event_id/devices/:id',
    whileArchived: true,
    role: 'door_manager',
    summary:
      'Revoke a device, at once. For 90 days its requests get a 401 that says so, and it shall forget what it holds',
    reply: device,
    status: 204,
  },
  roll_code: {
    route: 'POST events/:event_id/devices/:id/roll_code',
    role: 'door_manager',
    summary: 'Give a device another code, shown this once; its token goes on until that code is exchanged',
    body: subset({
      code_hours: integer({
        minimum: 1,
        maximum: MOST_HOURS,
        description: `For how many hours the code is good, for a sheet that is printed beforehand; ${CODE_MINUTES} minutes if it is not given. Such a code is longer`,
      }),
    }),
    reply: withCode,
  },
  exchange: {
    route: 'POST device_codes/:code/exchange',
    also: ['device_codes/exchange'],
    secret: 'code',
    summary: 'Exchange a code for the device’s token, which is shown this once; case and dashes do not matter',
    reply: record({ ...identity, token: text() }),
    status: 201,
  },
  heartbeat: {
    route: 'PUT devices/heartbeat',
    scope: 'door',
    summary:
      'Report the state of the device whose token this is; the answer has the server’s time, for other tokens too',
    body: subset({ ...report, ...selfTest }),
    reply: record({ ...identity, event_id: optionalIdentifier() }),
  },
})
