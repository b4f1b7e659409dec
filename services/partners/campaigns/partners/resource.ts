import { adoption, disowning } from '@gatehouse/proto/declaring/adoption.ts'
import {
  datetime,
  decimal,
  flag,
  identifier,
  integer,
  list,
  optionalEmail,
  optionalText,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { FreeTexts } from '@gatehouse/proto/privacy/free-texts.ts'
import type { Static } from 'typebox'
import { partnerCampaign } from '../partner-campaigns/resource.ts'

const fields = {
  name: text({ description: 'Unique in the event as it is written, blanks around it aside' }),
  uid: optionalText({ description: "Stands for the _id in paths; unique in the event, other partners' _ids included" }),
  recipients_quota: integer({ default: -1, minimum: -1, description: 'Recipients it may write to; -1: no limit' }),
  disable_emails: flag({ default: false }),
  email: optionalEmail({
    personal: 'typed_email',
    description: "Where the links to the pages of the partner's campaigns are sent",
  }),
  locale: optionalText({ known: 'languages', description: 'The language of these e-mails; null: that of the event' }),
}

/** The counters of a partner's e-mails. */
const counters = {
  nb_email_sent: integer({ minimum: 0 }),
  nb_recipients: integer({ minimum: 0 }),
  nb_recipients_email_sent: integer({ minimum: 0, description: 'Recipients e-mailed' }),
  blacklisted_recipients: integer({ minimum: 0 }),
  bounced_recipients: integer({ minimum: 0 }),
  rejected_recipients: integer({ minimum: 0 }),
  spammed_recipients: integer({ minimum: 0 }),
  unsubscribed_recipients: integer({ minimum: 0 }),
}

/** Where another system may show only some of them. */
const countersOrNone = Object.fromEntries(
  Object.entries(counters).map(([name, counter]) => [name, { ...counter, default: 0 }]),
) as object as typeof counters

const share = (): ReturnType<typeof decimal> => decimal({ description: 'Of the recipients e-mailed, 0 to 1' })

const partner = record({
  _id: identifier(),
  ...fields,
  ...counters,
  blacklisted_percentage: share(),
  bounced_percentage: share(),
  rejected_percentage: share(),
  spammed_percentage: share(),
  unsubscribed_percentage: share(),
  partner_campaigns: list(partnerCampaign, 'partner_campaign', { description: 'Output only' }),
  event_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** Partners as personal data of the person to whom the links are sent. */
export const personalPartners: PersonalDocuments = {
  name: 'partners.partners',
  collection: 'partners',
  scope: ['event_id'],
  fields: {
    _id: identifier(),
    ...fields,
    ...counters,
    event_id: identifier(),
    created_at: datetime(),
    updated_at: datetime(),
  },
  order: { created_at: 1, _id: 1 },
  outcome: 'blanked',
  reason: 'so that its campaigns go on; its name is kept as that of an organization',
}

/** Names of partners, which are kept as those of organizations. */
export const partnerTexts: FreeTexts = {
  name: personalPartners.name,
  collection: personalPartners.collection,
  scope: personalPartners.scope,
  texts: ['name', 'uid'],
}

/** A partner as it goes out. */
export type Partner = Static<typeof partner>

/** A partner's counters, by name. */
export type CounterName = keyof typeof counters

/** A new partner's counters. */
export const noneYet = Object.fromEntries(Object.keys(counters).map((name) => [name, 0])) as Record<CounterName, number>

/** Partners: external parties that send invitations of their own, within a quota. `:id` is the `_id` or the `uid`. */
export const partners = resource('partners.partners', 'partner', {
  list: {
    route: 'GET events/:event_id/partners',
    scope: 'read',
    summary: 'Partners of an event, with their campaigns',
    reply: list(partner, 'partner'),
  },
  read: {
    route: 'GET events/:event_id/partners/:id',
    scope: 'read',
    summary: 'One partner, by its _id or its uid',
    reply: partner,
  },
  create: {
    route: 'POST events/:event_id/partners',
    summary: 'Create a partner',
    checks: true,
    body: record(fields),
    reply: partner,
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id/partners/:id',
    summary: 'Change fields of a partner, by its _id or its uid',
    checks: true,
    body: subset(fields),
    reply: partner,
    status: 204,
  },
  adopt: adoption('partner', {
    ...fields,
    ...countersOrNone,
    partner_campaigns: list(record({ _id: identifier(), nb_email_sent: integer({ default: 0 }) }), 'partner_campaign', {
      default: [],
    }),
  }),
  disown: disowning('partner'),
  delete: {
    route: 'DELETE events/:event_id/partners/:id',
    summary: 'Delete a partner with its campaigns and their access tokens; their discount codes are disabled',
    reply: partner,
    quiet: true,
  },
})
