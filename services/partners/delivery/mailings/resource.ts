import { rsvpStatuses } from '@gatehouse/guests/resources'
import { LONGEST_MS } from '@gatehouse/mail/resources'
import {
  datetime,
  email,
  flag,
  identifier,
  integer,
  list,
  maybe,
  optionalDatetime,
  optionalFlag,
  optionalIdentifier,
  optionalText,
  pageQuery,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { FreeTexts } from '@gatehouse/proto/privacy/free-texts.ts'
import type { Static } from 'typebox'

const audience = {
  guest_category_ids: list(identifier(), 'guest_category_id', {
    default: [],
    maxItems: 500,
    description: 'Only guests of these categories; of all where it is empty',
  }),
  rsvp_status: optionalText({ description: `Only guests with this: ${rsvpStatuses.join(', ')}` }),
  checked_in: optionalFlag({ description: 'Only those who have come in, or only those who have not' }),
  mailed: optionalFlag({
    description: 'Only those to whom an e-mail of a mailing or with the QR code went, or only the others',
  }),
  not_in_mailing_id: optionalIdentifier({ description: 'Only those to whom that mailing does not go' }),
  invitation_type_id: optionalIdentifier({
    description:
      'In place of guests, those who were invited with this invitation type, by whichever partner, and have not answered; the texts have the placeholders of invitation types',
  }),
}

/** Everybody. */
export const EVERYBODY = {
  guest_category_ids: [],
  rsvp_status: null,
  checked_in: null,
  mailed: null,
  not_in_mailing_id: null,
  invitation_type_id: null,
}

const fields = {
  name: text({ description: "The organizer's own" }),
  subject: text({
    description:
      "May contain {{event_title}}, {{event_dates}}, {{event_location}}, the guest's own fields, such as {{first_name}}, and the guest fields of the event by their keys",
  }),
  message: text({
    maxLength: 10_000,
    verbatim: true,
    description:
      'The same placeholders, and {{qrcode}}, {{wallet}}, {{badge}}, {{calendar}} and {{unsubscribe_link}}; **bold**, *italic*, lines which begin with "- ", and [text]({{badge}}) with the address of qrcode, badge or unsubscribe_link. Without {{unsubscribe_link}} that link follows it',
  }),
  sender_name: optionalText({
    description: 'Shown as the sender; the organizer or the title of the event where it is not given',
  }),
  audience: record(audience, {
    default: EVERYBODY,
    description: 'The guests to whom it goes, if they have an e-mail address',
  }),
  send_at: optionalDatetime({ description: 'Before it nothing is sent' }),
  ongoing: flag({
    default: false,
    description: 'Whether guests who join the audience later get it too, until closes_at',
  }),
  closes_at: optionalDatetime({ description: 'Needed if ongoing' }),
}

const count = (description: string) => integer({ minimum: 0, description })

/** What became of a mailing. */
const progress = {
  started_at: optionalDatetime({ description: 'When it was told to send' }),
  is_sent: flag({ description: 'Whether it was sent to all of its audience, and nobody joins it any more' }),
  paused_at: optionalDatetime(),
  pause_reason: optionalText({ description: 'Why it paused itself; null if the organizer paused it' }),
  nb_recipients: count('Guests to whom it goes, as far as they are known'),
  nb_email_sent: count('E-mails that the mail server took'),
  nb_recipients_email_sent: count('Guests e-mailed'),
  unknown_recipients: count('Guests whose e-mail may or may not have been handed over'),
  blacklisted_recipients: count('Guests to whom nothing was sent: blocked, unsubscribed or suppressed'),
  bounced_recipients: count('Hard bounces'),
  rejected_recipients: count('E-mails that the mail server refused'),
  spammed_recipients: count('Complaints'),
  unsubscribed_recipients: count('Guests who unsubscribed by this mailing'),
}

/** The schema of a mailing as it goes out. */
export const mailing = record({
  _id: identifier(),
  ...fields,
  ...progress,
  event_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** What mailings say, and from whom they are. */
export const mailingTexts: FreeTexts = {
  name: 'partners.mailings',
  collection: 'mailings',
  scope: ['event_id'],
  texts: ['name', 'subject', 'message', 'sender_name'],
}

/** A mailing as it goes out. */
export type Mailing = Static<typeof mailing>

const guest_id = optionalIdentifier({ description: 'Whose values it has; example values where it is not given' })
const subject = text({ maxLength: 10_000 })

/** What an e-mail says: its subject and both of its parts. */
export const shownMail = record({ subject, html: text({ maxLength: 4_000_000 }), text: text({ maxLength: 1_000_000 }) })

/** The texts of an e-mail that is being written: each may be empty still. */
export const draft = {
  subject: optionalText({ description: 'As it is typed; nothing yet is refused but unknown placeholders' }),
  message: optionalText({ maxLength: 10_000, verbatim: true, description: 'As it is typed' }),
}

/** What is typed of an e-mail that is sent as a test, in place of what is stored. */
export const typed = {
  subject: maybe(optionalText({ description: 'As it is typed, in place of the stored one' })),
  message: maybe(
    optionalText({ maxLength: 10_000, verbatim: true, description: 'As it is typed, in place of the stored one' }),
  ),
  sender_name: maybe(optionalText({ description: 'As it is typed, in place of the stored one' })),
}

/** Mailings: what the organizer writes to guests. */
export const mailings = resource('partners.mailings', 'mailing', {
  list: {
    route: 'GET events/:event_id/mailings',
    scope: 'read',
    summary: 'Mailings of an event, newest creation first',
    query: record(pageQuery),
    reply: list(mailing, 'mailing'),
  },
  read: {
    route: 'GET events/:event_id/mailings/:id',
    scope: 'read',
    summary: 'One mailing',
    reply: mailing,
  },
  create: {
    route: 'POST events/:event_id/mailings',
    summary: 'Create a mailing',
    checks: true,
    body: record(fields),
    reply: mailing,
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id/mailings/:id',
    summary: 'Change fields of a mailing',
    checks: true,
    body: subset(fields),
    reply: mailing,
    status: 204,
  },
  delete: {
    route: 'DELETE events/:event_id/mailings/:id',
    summary: 'Delete a mailing; 409 once it was told to send',
    reply: mailing,
    status: 204,
  },
  send: {
    route: 'POST events/:event_id/mailings/:id/send',
    summary: 'Send a mailing to its audience, from send_at on; each guest gets it once. Once more changes nothing',
    reply: mailing,
  },
  pause: {
    route: 'POST events/:event_id/mailings/:id/pause',
    summary: 'Begin no further e-mail of a mailing',
    reply: mailing,
  },
  resume: {
    route: 'POST events/:event_id/mailings/:id/resume',
    summary: 'Let a mailing go on, also one that has paused itself; bounces and complaints then count from zero again',
    reply: mailing,
  },
  count_audience: {
    route: 'GET events/:event_id/mailings/:id/audience',
    scope: 'read',
    summary: 'How many would get a mailing now, so far as they are found in a few seconds',
    reply: record({
      count: integer({ minimum: 0, description: 'Guests with an e-mail address, or recipients of invitations' }),
      is_complete: flag({ description: 'false: there are more' }),
      without_email: integer({
        minimum: 0,
        description: 'Guests of the audience without an e-mail address, who get none',
      }),
    }),
    replyName: 'audience_count',
  },
  preview_page: {
    route: 'GET events/:event_id/mailings/:id/preview',
    summary: 'The HTML part of the e-mail as a page, for a guest or with example values',
    query: record({ guest_id: maybe(identifier()) }),
    produces: { html: 'text/html; charset=utf-8' },
  },
  preview: {
    route: 'POST events/:event_id/mailings/:id/preview',
    unaudited: 'it changes nothing',
    summary: 'What the e-mail says, for a guest or with example values; the link that unsubscribes belongs to nobody',
    checks: true,
    body: record({ guest_id }),
    reply: shownMail,
    replyName: 'mailing_preview',
  },
  preview_draft: {
    route: 'POST events/:event_id/mailings/preview',
    unaudited: 'it changes nothing',
    summary: 'What the e-mail of a mailing that is not stored would say, for a guest or with example values',
    checks: true,
    body: record({
      ...draft,
      guest_id,
      invitation_type_id: optionalIdentifier({
        description: 'As in the audience: with the placeholders of invitation types',
      }),
    }),
    reply: shownMail,
    replyName: 'mailing_preview',
  },
  test_send: {
    route: 'POST events/:event_id/mailings/:id/test_send',
    summary:
      "Send the e-mail to an address, as it is stored or as it is typed, with a guest's or example values; counts as an invitation type's test e-mail, and fails as that does",
    checks: true,
    body: record({ email: email(), guest_id, ...typed }),
    reply: record({ email: email(), subject }),
    replyName: 'test_send',
    longestMs: LONGEST_MS + 5_000,
  },
})
