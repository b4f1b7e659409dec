import { datetime, identifier, list, record, text } from '@gatehouse/proto/fields.ts'
import { resource } from '@gatehouse/proto/resource.ts'

/** Badges of guests, under public links. */
export const badges = resource('badges.badges', 'badge', {
  read: {
    route: 'GET events/:event_id/guests/:guest_id/badge/:secret',
    secret: 'secret',
    summary: 'The badge of a guest, A6; the address is the badge_url of the guest',
    produces: { pdf: 'application/pdf' },
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
