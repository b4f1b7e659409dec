import { choice, identifier, integer, optionalInteger, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { webRequestFields, webResponse } from '@gatehouse/proto/pages/exchange.ts'
import { openings } from './opening.ts'

/** The public pages on which guests register, `/register/<event>/<category>`. */
export const registrationPages = resource('partners.registration_pages', 'registration_page', {
  read: {
    route: 'GET events/:event_id/guest_categories/:guest_category_id/registration_page',
    scope: 'read',
    summary: 'The registration page of a guest category: its address, whether it is open, and how many have registered',
    reply: record({
      guest_category_id: identifier(),
      url: text({ maxLength: 4_000, description: 'Where anybody may register while it is open' }),
      qr_code: text({ maxLength: 65_536, description: 'That address as a QR code: an SVG document' }),
      state: choice(openings, {
        description:
          'not_open: before registration_opens_at; closed: after registration_closes_at, or not enabled; full',
      }),
      person_count: integer({
        description: 'Persons who count against the limit, those who wait for the organizer too',
      }),
      registration_limit: optionalInteger(),
    }),
  },
  handle: {
    summary: 'Answers an HTTP request for a registration page',
    body: record(webRequestFields),
    reply: webResponse,
  },
})
