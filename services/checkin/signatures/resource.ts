import { adoption, disowning } from '@gatehouse/proto/declaring/adoption.ts'
import {
  datetime,
  identifier,
  integer,
  list,
  maybe,
  optionalDatetime,
  pageQuery,
  record,
  scannedUid,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

const numeric = text({ maxLength: 32, pattern: '^\\s*-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?\\s*$' })

const points = record(
  {
    width: numeric,
    height: numeric,
    lines: list(
      record({ x1: numeric, y1: numeric, x2: numeric, y2: numeric, 'stroke-width': maybe(numeric) }),
      'line',
      {
        maxItems: 5_000,
      },
    ),
  },
  { personal: true },
)

const fields = {
  accesspoint_id: identifier(),
  guest_uid: scannedUid(),
  access_stamp: maybe(optionalDatetime()),
  points,
}

const signature = record({
  _id: identifier(),
  access_stamp: datetime(),
  guest_uid: text({ personal: 'guest_uid' }),
  accesspoint_id: identifier(),
  points,
  event_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** A drawing of nothing. */
const noPoints = { width: '0', height: '0', lines: [] }

/** Signatures as personal data. */
export const personalSignatures: PersonalDocuments = {
  name: 'checkin.signatures',
  collection: 'signatures',
  scope: ['event_id'],
  fields: signature.properties,
  hidden: { points_size: integer({ personal: true }) },
  order: { access_stamp: -1, _id: -1 },
  outcome: 'blanked',
  blanks: { points: noPoints, points_size: JSON.stringify(noPoints).length },
  reason: 'so that signatures stay counted',
}

/** In a list the drawings beyond 10 MiB are left out. */
const listed = record({ ...signature.properties, points: maybe(points) })

/** Signatures: hand-drawn by guests at a check-in point, as vectors. */
export const signatures = resource('checkin.signatures', 'signature', {
  list: {
    route: 'GET events/:event_id/signatures',
    scope: 'door',
    summary: 'Signatures, highest access stamp first. Beyond 10 MiB a page has no more points: ask for smaller ones',
    query: record(pageQuery),
    reply: list(listed, 'signature'),
  },
  create: {
    route: 'POST events/:event_id/signatures',
    whileArchived: true,
    scope: 'door',
    summary: 'Record a signature',
    recognisesRequests: true,
    checks: true,
    body: record(fields),
    maxBytes: 2 * 1024 * 1024,
    reply: signature,
    status: 201,
  },
  batch_create: {
    route: 'POST events/:event_id/signatures/batch_create',
    whileArchived: true,
    scope: 'door',
    summary: 'Record signatures by the batch; an item sent again with its access_stamp is kept once',
    batch: true,
    maxBytes: 10 * 1024 * 1024,
    recognisesRequests: true,
    checks: true,
    body: list(record(fields), 'signature'),
    reply: list(signature, 'signature'),
    status: 201,
  },
  adopt: adoption('signature', {
    access_stamp: datetime(),
    guest_uid: text(),
    accesspoint_id: identifier(),
    points,
  }),
  disown: disowning('signature'),
})
