import type { Reason } from '@gatehouse/door/decision.ts'
import { accessStatuses } from '@gatehouse/proto/declaring/access-status.ts'
import { adoption, disowning } from '@gatehouse/proto/declaring/adoption.ts'
import {
  datetime,
  flag,
  identifier,
  integer,
  list,
  maybe,
  optionalDatetime,
  optionalInteger,
  optionalText,
  pageQuery,
  record,
  scannedUid,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { republished } from '@gatehouse/proto/events/republishing.ts'

/** The most persons of a guest, the guest included. */
const MAX_PARTY_SIZE = 500

/** What a client gives of a scan. */
export const scanFields = {
  accesspoint_id: identifier(),
  guest_uid: scannedUid({ description: "The uid of the scanned QR code, not the guest's _id" }),
  access_stamp: maybe(
    optionalDatetime({ description: "The device's time of the scan; the server's where it is not given" }),
  ),
  persons: maybe(
    integer({
      minimum: 1,
      maximum: MAX_PARTY_SIZE,
      description:
        'How many come in, the guest and whoever is along: all of them or nobody. 1 by default; at an exit, the whole party',
    }),
  ),
  decided_offline: maybe(
    optionalInteger({
      minimum: 0,
      maximum: 3,
      values: accessStatuses,
      description: 'The access_status by which the device decided, if it did so without the server',
    }),
  ),
}

/** What is stored of a check-in only where it is so. */
const particulars = {
  direction: maybe(text({ description: '`out` for a scan at an exit; else it is left out' })),
  persons_left: maybe(
    integer({ description: 'How many persons of the guest could still come in afterwards; only at a limited point' }),
  ),
  granted_before: maybe(record({ access_stamp: datetime(), accesspoint_id: identifier(), persons: integer() })),
  opens_at: maybe(datetime({ description: "When the guest's right begins; only with the reason too_early" })),
  persons_too_many: maybe(
    integer({ description: 'How many persons more than allowed the device has let in without the server' }),
  ),
  decided_offline: maybe(
    integer({ values: accessStatuses, description: 'What the device decided, if it did: as access_status' }),
  ),
  stamped_ahead: maybe(
    flag({
      description:
        "The device's clock was more than a minute ahead of the server's; statistics count the check-in at its created_at",
    }),
  ),
}

/** Why a scan is refused. */
const reasons: readonly Reason[] = ['unknown_guest', 'no_right', 'too_early', 'too_late', 'used_up']

const checkIn = record({
  _id: identifier(),
  access_stamp: datetime(),
  guest_uid: text({ personal: 'guest_uid' }),
  access_status: integer({
    values: accessStatuses,
    description: '0 granted, 1 guest unknown, 2 not authorized, 3 too many check-ins',
  }),
  reason: optionalText({
    values: reasons,
    description:
      'Why it is refused: unknown_guest (status 1), no_right, too_early, too_late (2), used_up (3); null if it is granted',
  }),
  persons: integer({ description: 'How many came in or out, or were to' }),
  ...particulars,
  area_full: maybe(
    flag({ description: 'Whether as many are inside the area as it has room for; only in the answer to an entry' }),
  ),
  accesspoint_id: identifier(),
  event_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** Check-ins as personal data. */
export const personalCheckIns: PersonalDocuments = {
  name: 'checkin.access_controls',
  collection: 'access_controls',
  scope: ['event_id'],
  fields: checkIn.properties,
  order: { access_stamp: -1, _id: -1 },
  outcome: 'blanked',
  reason: 'so that entries stay counted',
}

const sums = record({
  check_in_count: integer(),
  signature_count: integer(),
  checked_in_guest_count: integer(),
  person_count: integer(),
  inside_count: integer(),
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
  timeline: list(record({ minute: datetime(), granted: integer(), refused: integer() }), 'minute'),
  checked_in_by_category: list(
    record({ guest_category_id: identifier(), count: integer(), person_count: integer() }),
    'guest_category',
  ),
})

/** How long statistics may take for a caller who can wait, with one retry. */
export const FOLLOWING_MS = 40_000

/** Check-ins (access controls): each scan of a guest at a check-in point, granted or not. */
export const checkIns = resource('checkin.access_controls', 'access_control', {
  list: {
    route: 'GET events/:event_id/access_controls',
    scope: 'door',
    summary:
      'Check-ins, highest access stamp first; all filters can be combined. A device finds those at its check-in points',
    query: record({
      ...pageQuery,
      guest_uid: maybe(scannedUid({ description: 'Only those of a guest' })),
      accesspoint_id: maybe(identifier({ description: 'Only those at a check-in point' })),
      access_status: maybe(
        optionalInteger({ minimum: 0, maximum: 3, values: accessStatuses, description: 'Only those with a status' }),
      ),
      since: maybe(
        datetime({ unix: true, description: 'Those with this access_stamp or a later one: ISO 8601 or Unix seconds' }),
      ),
      before: maybe(datetime({ unix: true, description: 'Those with an earlier access_stamp' })),
      conflicts: flag({
        default: false,
        description:
          'Only those that the device decided otherwise than the server: decided_offline is not access_status',
      }),
    }),
    reply: list(checkIn, 'access_control'),
  },
  create: {
    route: 'POST events/:event_id/access_controls',
    whileArchived: true,
    scope: 'door',
    summary: 'Check a guest in. A refusal is a stored check-in too: look at access_status',
    ownRetries: true,
    recognisesRequests: true,
    atPoint: true,
    comparesRetries: true,
    checks: true,
    body: record(scanFields),
    reply: checkIn,
    status: 201,
  },
  batch_create: {
    route: 'POST events/:event_id/access_controls/batch_create',
    whileArchived: true,
    scope: 'door',
    summary: 'Check guests in by the batch; an item sent again with its access_stamp is counted once',
    batch: true,
    maxBytes: 10 * 1024 * 1024,
    comparesRetries: true,
    recognisesRequests: true,
    checks: true,
    body: list(record(scanFields), 'access_control'),
    reply: list(checkIn, 'access_control'),
    status: 201,
  },
  delete: {
    route: 'DELETE events/:event_id/access_controls/:id',
    scope: 'door',
    audited: true,
    summary:
      'Delete a check-in for good; a granted one gives its access back. A door token and a door manager may delete those they made in the last 15 minutes',
    reply: checkIn,
    status: 204,
  },
  adopt: adoption('access_control', {
    access_stamp: datetime(),
    guest_uid: text(),
    access_status: integer({ minimum: 0, maximum: 1_000 }),
    reason: optionalText(),
    persons: integer({ default: 1, minimum: 1, maximum: MAX_PARTY_SIZE }),
    ...particulars,
    accesspoint_id: identifier(),
  }),
  disown: disowning('access_control'),
  made_here: {
    summary: 'Those of these guests who were scanned here, and not in another system from which their check-ins came',
    reads: true,
    body: record({ event_id: identifier(), uids: list(text({ pattern: '' }), 'uid') }),
    reply: record({ uids: list(text({ pattern: '' }), 'uid') }),
    longestMs: 4_000,
  },
  counts: {
    summary: 'Check-ins and signatures stored of each event, in the order asked',
    reads: true,
    body: record({ event_ids: list(identifier(), 'id') }),
    reply: list(record({ event_id: identifier(), check_in_count: integer(), signature_count: integer() }), 'count'),
  },
  first_entries: {
    summary: 'When these guests first came in, and whether that was in another system; those who have not are left out',
    reads: true,
    body: record({ event_id: identifier(), uids: list(text({ pattern: '' }), 'uid') }),
    reply: list(record({ uid: text({ pattern: '' }), at: datetime(), adopted: flag() }), 'entry'),
    longestMs: 4_000,
  },
  republish: {
    summary:
      'Publish the check-ins of an event that were stored within a time once more, in the background. Webhooks that had them get nothing',
    body: republished,
    reply: record({}),
  },
  statistics: {
    summary: 'What the check-ins of an event add up to',
    reads: true,
    body: record({ event_id: identifier() }),
    reply: sums,
  },
  follow: {
    summary: 'The same for who can wait: the door goes first, also where that takes seconds',
    reads: true,
    body: record({ event_id: identifier() }),
    longestMs: FOLLOWING_MS,
    reply: sums,
  },
})
