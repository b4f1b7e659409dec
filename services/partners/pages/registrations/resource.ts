import {
  choice,
  datetime,
  email,
  identifier,
  integer,
  list,
  maybe,
  optionalDatetime,
  optionalIdentifier,
  optionalText,
  pageQuery,
  record,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'
import { answers, invitation, registrationStates } from '../../delivery/invitations/resource.ts'

/** What the organizer decides. */
const decisions = ['pending', 'approved', 'rejected'] as const

const registration = record({
  _id: identifier(),
  email: email(),
  first_name: optionalText(),
  last_name: optionalText(),
  guest_metadata: list(record({ name: text(), value: optionalText({ maxLength: 10_000 }) }), 'guest_metadatum', {
    description: 'What was given with the registration, and by the partner before',
  }),
  answer: optionalText({ values: answers, description: 'null: not answered' }),
  registration_state: choice(registrationStates, {
    description: 'unconfirmed: its address is not confirmed yet; pending: it waits for the organizer',
  }),
  registered_at: optionalDatetime({ description: 'When it was sent; null where that was not recorded yet' }),
  guest_category_id: optionalIdentifier({ description: 'The category that the guest gets' }),
  party_size: integer({ description: 'How many persons come, if it is approved' }),
  partner_id: optionalIdentifier({ description: 'Who invited; null: a registration on a registration page' }),
  partner_campaign_id: optionalIdentifier(),
  event_id: identifier(),
  created_at: datetime({ description: 'When its recipient was invited, or the registration was begun on a page' }),
  updated_at: datetime(),
})

/** A registration as organizers see it. */
export type ListedRegistration = Static<typeof registration>

/** Registrations of an event: those of its registration pages, and those of invitations about which the organizer decides. */
export const registrations = resource('partners.registrations', 'registration', {
  list: {
    route: 'GET events/:event_id/registrations',
    scope: 'read',
    summary:
      'Registrations on the registration pages of an event, and those of invitations where they are moderated; newest first',
    query: record({
      ...pageQuery,
      registration_state: maybe(choice(registrationStates, { description: 'pending: those that wait' })),
    }),
    reply: list(registration, 'registration'),
  },
  read: {
    route: 'GET events/:event_id/registrations/:id',
    scope: 'read',
    summary: 'One registration',
    reply: registration,
  },
  update: {
    route: 'PUT events/:event_id/registrations/:id',
    summary:
      'Decide about a registration. Approving makes the guest, also after a rejection; `pending` takes a rejection back. 409 where the recipient has not accepted, or is a guest already',
    body: record({ registration_state: choice(decisions) }),
    reply: registration,
    status: 204,
  },
})

/** The same decisions at an invitation of a campaign. */
export const invitationDecisions = resource('partners.invitation_decisions', 'partner_invitation', {
  decide: {
    route:
      'PUT events/:event_id/invitation_types/:invitation_type_id/partner_campaigns/:partner_campaign_id/invitations/:id',
    summary:
      'Admit or refuse a recipient who has accepted, where registrations are moderated. Approving makes the guest, also after a rejection; 409 where the recipient has not accepted, or is a guest already',
    body: record({ registration_state: choice(['approved', 'rejected']) }),
    reply: invitation,
    status: 204,
  },
})
