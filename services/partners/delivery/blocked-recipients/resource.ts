import { datetime, identifier, list, optionalText, record, subset, text } from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { FreeTexts } from '@gatehouse/proto/privacy/free-texts.ts'
import type { Static } from 'typebox'

const fields = {
  address: text({
    description: 'An e-mail address, or a domain, which stands for all addresses at it (not at its subdomains)',
  }),
  note: optionalText({ description: "The organizer's own" }),
}

const blockedRecipient = record({
  _id: identifier(),
  ...fields,
  event_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** Blocked recipients as personal data. */
export const personalBlockedRecipients: PersonalDocuments = {
  name: 'partners.blocked_recipients',
  collection: 'blocked_recipients',
  scope: ['event_id'],
  fields: blockedRecipient.properties,
  hidden: { key: text({ personal: 'email' }) },
  order: { created_at: 1, _id: 1 },
  outcome: 'kept',
  reason: 'since the organizer has blocked the address; delete the blocked recipient if that is needed no more',
}

/** The organizer's notes on them. */
export const blockedRecipientTexts: FreeTexts = {
  name: personalBlockedRecipients.name,
  collection: personalBlockedRecipients.collection,
  scope: personalBlockedRecipients.scope,
  texts: ['note'],
}

/** A blocked recipient as it goes out. */
export type BlockedRecipient = Static<typeof blockedRecipient>

/** Blocked recipients: addresses and domains to which no partner's invitations are sent. */
export const blockedRecipients = resource('partners.blocked_recipients', 'blocked_recipient', {
  list: {
    route: 'GET events/:event_id/blocked_recipients',
    scope: 'read',
    summary: 'Blocked recipients of an event, in the order of their creation',
    reply: list(blockedRecipient, 'blocked_recipient'),
  },
  read: {
    route: 'GET events/:event_id/blocked_recipients/:id',
    scope: 'read',
    summary: 'One blocked recipient',
    reply: blockedRecipient,
  },
  create: {
    route: 'POST events/:event_id/blocked_recipients',
    summary: 'Block a recipient; 422 on address where it is blocked already',
    checks: true,
    body: record(fields),
    reply: blockedRecipient,
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id/blocked_recipients/:id',
    summary: 'Change fields of a blocked recipient',
    checks: true,
    body: subset(fields),
    reply: blockedRecipient,
    status: 204,
  },
  delete: {
    route: 'DELETE events/:event_id/blocked_recipients/:id',
    summary: 'Unblock a recipient, for the e-mails that are yet to be sent',
    reply: blockedRecipient,
    status: 204,
  },
})
