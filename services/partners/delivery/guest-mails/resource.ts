import {
  choice,
  datetime,
  identifier,
  list,
  optionalIdentifier,
  optionalText,
  record,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'
import { invitation } from '../invitations/resource.ts'

const { state, reason, sent_at, opened_at, answer, registration_state, confirmed_at } = invitation.properties

const guestMail = record({
  _id: identifier({ description: 'Of the delivery, the invitation or the registration' }),
  kind: choice(['mailing', 'reminder', 'invitation', 'registration'], {
    example: 'mailing',
    description:
      'mailing: of the organizer to guests; reminder: a mailing to those who had not answered; invitation: by a partner or the organizer; registration: on a registration page, where state says nothing of an e-mail',
  }),
  mailing_id: optionalIdentifier(),
  subject: optionalText({ description: 'Of the mailing, before its placeholders are filled' }),
  invitation_type_id: optionalIdentifier(),
  partner_id: optionalIdentifier({ description: 'Who invited; null for whatever is no invitation' }),
  ...{ state, reason, sent_at, opened_at },
  answer,
  registration_state,
  confirmed_at,
  created_at: datetime(),
  updated_at: datetime(),
})

/** What was written to a guest, as it goes out. */
export type GuestMail = Static<typeof guestMail>

/** What was written to a guest: mailings, reminders and invitations, with what became of them. */
export const guestMails = resource('partners.guest_mails', 'guest_mail', {
  list: {
    route: 'GET events/:event_id/guests/:guest_id/mails',
    scope: 'read',
    summary:
      'Mailings to a guest, and invitations, reminders and registrations of the address that the guest has now, newest first: the latest 500 of each',
    reply: list(guestMail, 'guest_mail'),
  },
})
