import { freeObject, maybe, optionalText, record } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

/** Lead guests: guests as exhibitors see them. */
export const leadGuests = resource('leads.lead_guests', 'lead_guest', {
  read: {
    route: 'GET lead_guests/:guest_uid',
    bare: true,
    secret: 'access_token',
    authenticator: 'leads.exhibitors.authenticate',
    summary: 'What the event lets exhibitors see of a guest',
    query: record({
      access_token: maybe(optionalText({ maxLength: 4_096, description: 'The exhibitor’s access token' })),
    }),
    reply: freeObject({
      description:
        'The fields of the event’s `lead_guest_fields` and no other, each a string or null; by default `email`, `first_name`, `last_name`, `company_name`, `uid`. In XML a field whose name no element can have is `<entry key="name">`',
    }),
  },
})
