import { datetime, flag, identifier, list, maybe, record, text } from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

/** Badges as personal data. */
export const personalBadges: PersonalDocuments = {
  name: 'badges.badges',
  collection: 'badges',
  scope: ['event_id'],
  fields: { _id: identifier(), guest_id: identifier({ personal: 'guest_id' }), created_at: datetime() },
  order: { guest_id: 1 },
  outcome: 'deleted',
}

/** Badges of guests, under public links. */
export const badges = resource('badges.badges', 'badge', {
  read: {
    route: 'GET events/:event_id/guests/:guest_id/badge/:secret',
    secret: 'secret',
    summary:
      'Leads to the badge of a guest; the address is the badge_url of the guest. 404 with Retry-After while the badge is being made',
    produces: { pdf: 'application/pdf' },
    status: 302,
  },
  file: {
    route: 'GET events/:event_id/guests/:guest_id/badge/:secret/file',
    secret: 'secret',
    summary:
      'The badge of a guest: where badge_url leads, and the url in the badges of the guest. As SVG a picture of its size, as it would be made now',
    produces: { pdf: 'application/pdf', svg: 'image/svg+xml' },
  },
  print: {
    route: 'GET events/:event_id/badges',
    scope: 'read',
    summary:
      'All badges of an event in one PDF, by last name, then first name: of the guests whose categories have badges; the filters are those of guests. The file is sent while it is made, one for an account at a time. Comments in it say how far it is: %Badges 100 of 2000',
    query: record({
      category: maybe(list(identifier(), 'category', { maxItems: 500 })),
      checked_in: maybe(flag({ description: 'Only those who have come in, or only those who have not' })),
    }),
    produces: { pdf: 'application/pdf' },
    parts: true,
    long: true,
    exports: ['pdf'],
  },
  of_guests: {
    summary: 'The badges that these guests have',
    reads: true,
    body: record({ event_id: identifier(), guest_ids: list(identifier(), 'guest_id') }),
    reply: list(
      record({
        guest_id: identifier(),
        _id: identifier(),
        name: text(),
        url: text({ maxLength: 4_000 }),
        content_type: text(),
        created_at: datetime(),
      }),
      'badge',
    ),
  },
})
