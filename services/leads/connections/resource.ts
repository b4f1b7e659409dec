import { adoption } from '@gatehouse/proto/declaring/adoption.ts'
import {
  datetime,
  freeObject,
  freeValue,
  identifier,
  integer,
  list,
  maybe,
  optionalInteger,
  optionalPageQuery,
  optionalText,
  pageQuery,
  record,
  scannedUid,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { republished } from '@gatehouse/proto/events/republishing.ts'
import { freeTextsOf } from '@gatehouse/proto/privacy/free-texts.ts'
import type { Static } from 'typebox'

const fields = {
  guest_uid: scannedUid({ personal: 'guest_uid', description: 'The uid that the guest’s QR code carries' }),
  author: text({ description: 'Who of the exhibitor met the guest' }),
}

const comments = list(freeValue({ description: 'A text, or an object of the client’s own' }), 'comment', {
  default: [],
  maxItems: 100,
  maxBytes: 65_536,
  description: 'What was noted of the guest, 64 KiB in all',
})

const lead = record({
  _id: identifier(),
  ...fields,
  exhibitor_id: identifier(),
  comments,
  exhibitor_products: list(text(), 'exhibitor_product', { description: 'Always empty' }),
  created_at: datetime(),
  updated_at: datetime(),
})

const judgement = {
  note: optionalText({ maxLength: 10_000, verbatim: true, description: 'What the stand has written down' }),
  rating: optionalInteger({ minimum: 1, maximum: 5, description: 'From 1 to 5; null if there is none' }),
}

/** A lead in the organizer's list. */
export const listedLead = record({
  ...lead.properties,
  ...judgement,
  guest_id: identifier({ description: 'The _id that the guest had when the lead was made' }),
  event_id: identifier(),
})

/** The parameters by which the leads of an event are filtered. */
const leadFilter = {
  exhibitor_id: maybe(identifier({ description: 'Only those of an exhibitor' })),
  rating: maybe(integer({ minimum: 1, maximum: 5, description: 'Only those with a rating' })),
  search: maybe(
    optionalText({
      maxLength: 500,
      description:
        'Only those with this text, in any case, in note, author, comments that are texts, or guest_uid; and those of guests whom the search of guests finds, of the first 1,000',
    }),
  ),
  since: maybe(datetime({ unix: true, description: 'Created at or after: ISO 8601 or Unix seconds' })),
  before: maybe(datetime({ unix: true, description: 'Created before' })),
}

/** A lead in its exhibitor's list. */
const ownLead = record({
  ...lead.properties,
  ...judgement,
  revision: integer({ description: 'Counts the changes of note and rating' }),
  guest: maybe(
    freeObject({
      description:
        'What the event lets exhibitors see of the guest, as `lead_guests` has it; absent if the guest is gone',
    }),
  ),
})

const { exhibitor_products: _, ...stored } = { ...lead.properties, ...judgement }

/** Leads as personal data. */
export const personalLeads: PersonalDocuments = {
  name: 'leads.connections',
  collection: 'leads',
  scope: ['event_id'],
  fields: { ...stored, guest_id: identifier({ personal: 'guest_id' }) },
  order: { exhibitor_id: 1, created_at: -1, _id: -1 },
  outcome: 'deleted',
}

/** Leads as personal data of the people of an exhibitor who met guests, where the author is an address. */
export const personalAuthors: PersonalDocuments = {
  name: 'leads.connections.author',
  collection: 'leads',
  scope: ['event_id'],
  fields: {
    _id: identifier(),
    exhibitor_id: identifier(),
    author: text({ personal: 'typed_email' }),
    created_at: datetime(),
  },
  order: { exhibitor_id: 1, created_at: -1, _id: -1 },
  partOf: personalLeads.name,
  outcome: 'blanked',
  reason: 'so that the exhibitor keeps the leads, which are of other people',
}

/** What exhibitors note of guests, and who noted it. */
export const leadTexts = freeTextsOf(personalLeads, 'author', 'comments', 'note')

/** A lead as the organizer gets it. */
export type ListedLead = Static<typeof listedLead>

/** A lead as its exhibitor gets it. */
export type Lead = Static<typeof lead>

/** A lead as its exhibitor lists it. */
export type OwnLead = Static<typeof ownLead>

/** Leads (connections): the guests whom an exhibitor has scanned. A guest is one lead of an exhibitor, however often it is sent. */
export const connections = resource('leads.connections', 'connection', {
  list: {
    route: 'GET events/:event_id/exhibitors/:exhibitor_id/connections',
    bare: true,
    scope: 'read',
    summary:
      'Leads of an exhibitor, newest first: all of them, or one page. As CSV with what the event lets exhibitors see of each guest',
    query: record(optionalPageQuery),
    reply: list(listedLead, 'connection'),
    produces: { csv: 'text/csv; charset=utf-8' },
    exports: ['csv'],
  },
  of_event: {
    route: 'GET events/:event_id/connections',
    scope: 'read',
    summary:
      'Leads of all exhibitors of an event, newest first; all filters can be combined. As CSV with the exhibitor’s name, and what the event lets exhibitors see of each guest',
    query: record({ ...pageQuery, ...leadFilter }),
    reply: list(listedLead, 'connection'),
    produces: { csv: 'text/csv; charset=utf-8' },
    exports: ['csv'],
  },
  read: {
    route: 'GET events/:event_id/connections/:id',
    scope: 'read',
    summary: 'One lead',
    reply: listedLead,
  },
  adopt: adoption('connection', {
    ...fields,
    exhibitor_id: identifier(),
    comments,
    ...judgement,
  }),
  batch_create: {
    route: 'POST devices/:access_token/connections/batch_create',
    also: ['devices/connections/batch_create'],
    bare: true,
    secret: 'access_token',
    authenticator: 'leads.exhibitors.authenticate',
    summary: 'Create leads; a guest sent again returns the existing lead, unchanged, comments included',
    batch: true,
    maxBytes: 1024 * 1024,
    ownRetries: true,
    checks: true,
    body: list(record({ ...fields, comments }), 'connection'),
    reply: list(lead, 'connection'),
    status: 201,
  },
  own: {
    route: 'GET devices/:access_token/connections',
    also: ['devices/connections'],
    bare: true,
    secret: 'access_token',
    authenticator: 'leads.exhibitors.authenticate',
    summary: 'Leads of the exhibitor whose token this is, newest first, with what the event lets it see of the guests',
    query: record({
      since: maybe(datetime({ description: 'Only leads that were created or changed then or later' })),
    }),
    reply: list(ownLead, 'connection'),
  },
  change: {
    route: 'PUT devices/:access_token/connections/:guest_uid',
    also: ['devices/connections/:guest_uid'],
    bare: true,
    secret: 'access_token',
    authenticator: 'leads.exhibitors.authenticate',
    summary:
      'Change note or rating of a lead. Where another phone has changed them since `revision`, both notes are kept, one below the other',
    body: record({
      note: maybe(judgement.note),
      rating: maybe(judgement.rating),
      revision: maybe(integer({ minimum: 0, description: 'That of the lead that was changed; 0 if it is not given' })),
    }),
    reply: ownLead,
  },
  republish: {
    summary: 'Publish the leads of an event that were stored within a time once more, in the background',
    body: republished,
    reply: record({}),
  },
})
