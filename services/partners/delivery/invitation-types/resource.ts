import { adoption, disowning } from '@gatehouse/proto/declaring/adoption.ts'
import {
  datetime,
  flag,
  identifier,
  list,
  optionalIdentifier,
  optionalText,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { FreeTexts } from '@gatehouse/proto/privacy/free-texts.ts'
import type { Static } from 'typebox'
import { draft, mailing, shownMail } from '../mailings/resource.ts'
import { placeholders } from './placeholders.ts'

const NAMES = placeholders.map((name) => `{{${name}}}`).join(', ')

const fields = {
  name: text(),
  guest_category_id: optionalIdentifier({ description: 'What an accepted invitation becomes' }),
  subject: optionalText({ description: `Of the e-mail; may contain ${NAMES}` }),
  message: optionalText({
    maxLength: 10_000,
    verbatim: true,
    description: `Of the e-mail, with the same placeholders; **bold**, *italic*, lines which begin with "- ", [text]({{link}}) and [text](https://…); without {{link}} the link follows it`,
  }),
  sender_name: optionalText({
    description: "Shown as the sender of the e-mail; the partner's name where it is not given",
  }),
}

const invitationType = record({
  _id: identifier(),
  ...fields,
  event_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** What e-mails say, and from whom they are. */
export const invitationTypeTexts: FreeTexts = {
  name: 'partners.invitation_types',
  collection: 'invitation_types',
  scope: ['event_id'],
  texts: ['name', 'subject', 'message', 'sender_name'],
}

/** An invitation type as it goes out. */
export type InvitationType = Static<typeof invitationType>

/** Invitation types: the invitations that partners may send (guided tour, evening). */
export const invitationTypes = resource('partners.invitation_types', 'invitation_type', {
  list: {
    route: 'GET events/:event_id/invitation_types',
    scope: 'read',
    summary: 'Invitation types of an event',
    reply: list(invitationType, 'invitation_type'),
  },
  read: {
    route: 'GET events/:event_id/invitation_types/:id',
    scope: 'read',
    summary: 'One invitation type',
    reply: invitationType,
  },
  adopt: adoption('invitation_type', fields),
  disown: disowning('invitation_type'),
  preview: {
    route: 'GET events/:event_id/invitation_types/:id/preview',
    summary:
      'What the e-mail says with example values; its links belong to nobody. preview.html is the HTML part as a page',
    reply: shownMail,
    replyName: 'invitation_type_preview',
    produces: { html: 'text/html; charset=utf-8' },
  },
  preview_draft: {
    route: 'POST events/:event_id/invitation_types/preview',
    unaudited: 'it changes nothing',
    summary: 'What the e-mail of an invitation type that is not stored would say, with example values',
    checks: true,
    body: record({
      ...draft,
      locale: optionalText({
        known: 'languages',
        description: "The recipient's language, in which an e-mail is whose type says nothing; null: that of the event",
      }),
    }),
    reply: shownMail,
    replyName: 'invitation_type_preview',
  },
  create: {
    route: 'POST events/:event_id/invitation_types',
    summary: 'Create an invitation type',
    checks: true,
    body: record(fields),
    reply: invitationType,
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id/invitation_types/:id',
    summary: 'Change fields of an invitation type',
    checks: true,
    body: subset(fields),
    reply: invitationType,
    status: 204,
  },
  delete: {
    route: 'DELETE events/:event_id/invitation_types/:id',
    summary: 'Delete an invitation type; 409 while it has partner campaigns',
    reply: invitationType,
    status: 204,
  },
  remind: {
    route: 'POST events/:event_id/invitation_types/:id/remind',
    summary:
      "Write once more to those whose invitation of this type was sent and is not answered, whoever invited them: makes a mailing with the type's texts, or lets it look again for those who have been invited since; nobody gets it twice",
    reply: mailing,
    replyName: 'mailing',
  },
  copy: {
    summary:
      'Copies invitation types into an event that was created at a time, with the copies of these guest categories; again, it changes nothing',
    long: true,
    body: record({
      from_event_id: identifier(),
      event_id: identifier(),
      at: datetime(),
      guest_category_ids: list(identifier(), 'id'),
    }),
    reply: record({ done: flag() }),
  },
})
