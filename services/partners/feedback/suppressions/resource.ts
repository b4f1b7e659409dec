import {
  choice,
  datetime,
  identifier,
  list,
  maybe,
  pageQuery,
  record,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

const suppression = record({
  _id: identifier(),
  address: text({
    personal: 'email',
    description:
      'The e-mail address as it is compared: in lower case, its domain in ASCII; `erased-…` after an erasure',
  }),
  cause: choice(['bounced', 'complained'], {
    description: 'bounced: an e-mail came back for good; complained: one was called spam',
  }),
  event_id: identifier(),
  created_at: datetime(),
})

/** Suppressions as personal data. Their `_id`s are hashes of event and address, by which these are still known. */
export const personalSuppressions: PersonalDocuments = {
  name: 'partners.suppressions',
  collection: 'suppressions',
  scope: ['event_id'],
  fields: suppression.properties,
  order: { created_at: -1, _id: -1 },
  outcome: 'blanked',
  reason: 'so that nobody writes to the address again: a hash of it is kept',
}

/** A suppression as it goes out. */
export type Suppression = Static<typeof suppression>

/** Suppressions: addresses to which an event sends no more e-mails, because of what came back. */
export const suppressions = resource('partners.suppressions', 'suppression', {
  list: {
    route: 'GET events/:event_id/suppressions',
    scope: 'read',
    summary: 'Addresses to which an event sends no more e-mails, newest first',
    query: record({
      ...pageQuery,
      address: maybe(text({ description: 'Only this e-mail address' })),
    }),
    reply: list(suppression, 'suppression'),
  },
  delete: {
    route: 'DELETE events/:event_id/suppressions/:id',
    summary: 'Lift a suppression after a bounce, for invitations that are yet to be sent; 409 after a complaint',
    reply: suppression,
    status: 204,
  },
})
