import { adoption, disowning } from '@gatehouse/proto/declaring/adoption.ts'
import {
  datetime,
  flag,
  freeObjectOrText,
  identifier,
  integer,
  list,
  maybe,
  optionalEmail,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { FreeTexts } from '@gatehouse/proto/privacy/free-texts.ts'
import type { Static } from 'typebox'

/** How long the code of a phone is good, in days. */
export const CODE_DAYS = 7

const fields = {
  name: text(),
  email: optionalEmail({ personal: 'typed_email' }),
  meta_data: freeObjectOrText({
    default: {},
    personal: true,
    description: 'An object of your own, or a text, kept as it came; 64 KiB at most',
  }),
}

const exhibitor = record({
  _id: identifier(),
  ...fields,
  event_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** Exhibitors as personal data of their contact persons, whom `meta_data` may name as well. */
export const personalExhibitors: PersonalDocuments = {
  name: 'leads.exhibitors',
  collection: 'exhibitors',
  scope: ['event_id'],
  fields: exhibitor.properties,
  order: { created_at: 1, _id: 1 },
  outcome: 'blanked',
  reason: 'so that its leads and its access token stay; its name is kept as that of an organization',
}

/** What an erasure keeps of exhibitors as that of organizations, or does not know whose it is. */
export const exhibitorTexts: FreeTexts = {
  name: personalExhibitors.name,
  collection: personalExhibitors.collection,
  scope: personalExhibitors.scope,
  texts: ['name', 'meta_data'],
}

/** An exhibitor as it goes out. */
export type Exhibitor = Static<typeof exhibitor>

const withToken = record({
  ...exhibitor.properties,
  access_token: text({ description: 'What the exhibitor’s devices identify themselves by; shown this once' }),
})

const withCode = record({
  ...exhibitor.properties,
  code: text({ description: `For one phone, within ${CODE_DAYS} days; shown this once` }),
  code_expires_at: datetime(),
  url: text({ maxLength: 2_100, description: 'Opens the page for leads with the code' }),
  qr_code: text({ maxLength: 65_536, description: 'That address as a QR code: an SVG document' }),
})

const stand = record({
  _id: identifier({ description: 'Of the exhibitor' }),
  name: text(),
  event_id: identifier(),
  access_token: text({ description: 'Of this phone alone' }),
})

const counted = record({
  ...exhibitor.properties,
  lead_count: integer({ description: 'How many leads it has' }),
})

/** Exhibitors of an event. Each has one access token and one for each phone, of which only the SHA-256 is stored. */
export const exhibitors = resource('leads.exhibitors', 'exhibitor', {
  list: {
    route: 'GET events/:event_id/exhibitors',
    bare: true,
    scope: 'read',
    summary: 'Exhibitors of an event, in the order of their creation',
    reply: list(counted, 'exhibitor'),
  },
  read: {
    route: 'GET events/:event_id/exhibitors/:id',
    bare: true,
    scope: 'read',
    summary: 'One exhibitor',
    reply: counted,
  },
  create: {
    route: 'POST events/:event_id/exhibitors',
    bare: true,
    summary: 'Create an exhibitor; `access_token` is shown this once',
    body: record(fields),
    reply: withToken,
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id/exhibitors/:id',
    bare: true,
    summary: 'Change fields of an exhibitor',
    body: subset(fields),
    reply: exhibitor,
    status: 204,
  },
  delete: {
    route: 'DELETE events/:event_id/exhibitors/:id',
    bare: true,
    summary: 'Delete an exhibitor for good, and its leads; its access token is worth nothing at once',
    reply: exhibitor,
    status: 204,
  },
  roll_token: {
    route: 'POST events/:event_id/exhibitors/:id/roll_token',
    whileArchived: true,
    bare: true,
    summary:
      'Give the exhibitor another `access_token`, shown this once; the one before, and those of its phones, are worth nothing at once',
    reply: withToken,
  },
  create_code: {
    route: 'POST events/:event_id/exhibitors/:id/codes',
    bare: true,
    summary:
      'Create a code by which a phone of the stand opens the page for leads, with an access token of its own; shown this once',
    reply: withCode,
    status: 201,
  },
  exchange: {
    route: 'POST exhibitor_codes/:phone_code/exchange',
    also: ['exhibitor_codes/exchange'],
    secret: 'phone_code',
    summary: 'Exchange a code for the access token of a phone, which is shown this once; case and dashes do not matter',
    reply: stand,
    status: 201,
  },
  adopt: adoption('exhibitor', {
    ...fields,
    access_token: maybe(text({ description: 'With which its devices go on; one that nobody has otherwise' })),
  }),
  disown: disowning('exhibitor'),
  authenticate: {
    summary: 'Whether each access token, given by its SHA-256 (hex), is that of an exhibitor; in the order asked',
    reads: true,
    body: record({ hashes: list(text(), 'hash') }),
    reply: list(record({ known: flag() }), 'exhibitor'),
  },
})
