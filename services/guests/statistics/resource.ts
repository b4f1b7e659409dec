import { FOLLOWING_MS } from '@gatehouse/checkin/resources'
import { accessStatuses } from '@gatehouse/proto/declaring/access-status.ts'
import { datetime, identifier, integer, list, optionalInteger, record } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

const counts = record({
  guest_count: integer(),
  check_in_count: integer(),
  signature_count: integer(),
  checked_in_guest_count: integer({ description: 'Distinct guests with a granted check-in' }),
  person_count: integer({
    description: 'Persons let in: of each guest at most as many as the party has, however often they come',
  }),
  inside_count: integer({
    description: 'Persons inside the event as a whole: of those who came in at check-in points that are in no area',
  }),
  by_area: list(
    record({
      ...{ area_id: identifier(), inside_count: integer() },
      ...{ capacity: optionalInteger(), peak_count: integer() },
    }),
    'area',
  ),
  by_status: list(record({ access_status: integer({ values: accessStatuses }), count: integer() }), 'status'),
  by_accesspoint: list(
    record({
      ...{ accesspoint_id: identifier(), granted: integer(), refused: integer() },
      ...{ unique_guests: integer(), person_count: integer() },
    }),
    'accesspoint',
  ),
  by_guest_category: list(
    record({
      ...{ guest_category_id: identifier(), guest_count: integer() },
      ...{ checked_in_guest_count: integer(), person_count: integer() },
    }),
    'guest_category',
  ),
  timeline: list(record({ minute: datetime(), granted: integer(), refused: integer() }), 'minute'),
})

/** Statistics: the counts of an event. */
export const statistics = resource('guests.statistics', 'statistics', {
  read: {
    route: 'GET events/:event_id/statistics',
    scope: 'read',
    summary: 'Exact counts of an event',
    reply: counts,
  },
  follow: {
    summary: 'The same for callers that can wait: check-ins have priority, even if that takes seconds',
    reads: true,
    body: record({ event_id: identifier() }),
    longestMs: FOLLOWING_MS,
    reply: counts,
  },
})
