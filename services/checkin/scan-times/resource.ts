import {
  datetime,
  flag,
  identifier,
  integer,
  list,
  maybe,
  optionalInteger,
  record,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

/** How far back the times of scans go, in minutes. */
export const WINDOW_MINUTES = 10
/** The most scans in a report: a device that makes one a second reports three times a minute. */
const MAX_REPORTED = 500
/** The most counts in a note of a gateway. */
export const MAX_NOTED = 1_000

const times = {
  scan_count: integer({ description: 'How many scans; one that was sent twice counts twice' }),
  median_ms: optionalInteger({ description: 'Half of them took at most so long, rounded up to a step of some 20 %' }),
  p95_ms: optionalInteger({ description: '95 in a hundred took at most so long, rounded up in the same way' }),
  worst_ms: optionalInteger({ description: 'How long the slowest took' }),
  slow_count: integer({ description: 'How many took more than a second' }),
  unanswered_count: integer({ description: 'How many of them got no answer' }),
}

const waits = {
  in_gatehouse: record(times, {
    description: 'From the arrival of the whole request at a gateway to the answer, and while the token was checked',
  }),
  at_device: record(
    {
      ...times,
      slow_on_network_count: integer({
        description: 'How many took more than a second of which more passed on the network than in Gatehouse',
      }),
      alone_count: integer({
        description: 'How many the device decided alone, without asking; they are in none of the other counts',
      }),
    },
    { description: 'From the question to the answer, as devices report it: what passed on the network is part of it' },
  ),
}

const reported = record({
  accesspoint_id: identifier(),
  ago_ms: integer({ minimum: 0, description: 'How long ago the scan ended, when the report is sent' }),
  waited_ms: maybe(
    optionalInteger({
      minimum: 0,
      description: 'From the question to the answer, or until the device gave up; null if it decided without asking',
    }),
  ),
  gatehouse_ms: maybe(
    optionalInteger({
      minimum: 0,
      description: 'What the `Server-Timing` of the answer says of `gatehouse`; null if there was no answer',
    }),
  ),
})

/** A scan as its device reports it. */
export type ReportedScan = Static<typeof reported>

const noted = record({
  event_id: identifier(),
  accesspoint_id: identifier(),
  token_id: maybe(identifier()),
  ago_ms: integer(),
  is_answered: flag(),
  step: integer(),
  count: integer(),
  worst_ms: integer(),
})

/** Scans of a gateway that took about as long. */
export type NotedScans = Static<typeof noted>

/** Times of scans: how long people at the doors wait, and whether for the network or for Gatehouse. */
export const scanTimes = resource('checkin.scan_times', 'scan_times', {
  read: {
    route: 'GET events/:event_id/scan_times',
    scope: 'read',
    summary:
      'How long single scans and walk-ins took in the last ten minutes, by check-in point and by device, the slowest first. Batches are none of them',
    reply: record({
      since: datetime({ description: 'The beginning of what is counted: a whole minute, at least ten minutes ago' }),
      by_accesspoint: list(record({ accesspoint_id: identifier(), ...waits }), 'accesspoint'),
      by_device: list(
        record({ token_id: identifier({ description: 'The device, or another token that scans' }), ...waits }),
        'device',
      ),
    }),
  },
  report: {
    route: 'PUT events/:event_id/scan_times',
    whileArchived: true,
    scope: 'door',
    summary: 'Report how long scans took as the device saw it. The same report counts once, however often it is sent',
    body: record({
      report_key: text({ maxLength: 64, description: 'What the device calls this report: a UUID' }),
      scans: list(reported, 'scan', { maxItems: MAX_REPORTED }),
    }),
    reply: record({
      count: integer({ description: 'How many of the scans lie at check-in points of the event and within the time' }),
    }),
  },
  note: {
    summary: 'Count scans that a gateway has timed. The same note counts once, so that it may be sent again',
    reads: true,
    body: record({ note_id: text(), counts: list(noted, 'count', { maxItems: MAX_NOTED }) }),
  },
})
