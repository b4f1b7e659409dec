import { LONGEST_MS } from '@gatehouse/mail/resources'
import {
  datetime,
  email,
  identifier,
  list,
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

const fields = {
  name: text({ description: "The organizer's own" }),
  subject: text({
    description:
      "May contain {{event_title}}, the guest's own fields, such as {{first_name}}, and the guest fields of the event by their keys",
  }),
  message: text({
    maxLength: 10_000,
    verbatim: true,
    description:
      'The same placeholders, and {{qrcode}}, {{badge}}, {{calendar}} and {{unsubscribe_link}}; **bold**, *italic*, lines which begin with "- ", and [text]({{badge}}) with the address of qrcode, badge or unsubscribe_link. Without {{unsubscribe_link}} that link follows it',
  }),
  sender_name: optionalText({
    description: 'Shown as the sender; the organizer or the title of the event where it is not given',
  }),
}

const mailing = record({
  _id: identifier(),
  ...fields,
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
    summary: 'Delete a mailing',
    reply: mailing,
    status: 204,
  },
  preview: {
    route: 'POST events/:event_id/mailings/:id/preview',
    unaudited: 'it changes nothing',
    summary: 'What the e-mail says, for a guest or with example values; the link that unsubscribes belongs to nobody',
    checks: true,
    body: record({ guest_id }),
    reply: record({ subject, html: text({ maxLength: 4_000_000 }), text: text({ maxLength: 1_000_000 }) }),
    replyName: 'mailing_preview',
  },
  test_send: {
    route: 'POST events/:event_id/mailings/:id/test_send',
    summary:
      "Send the e-mail to an address, with a guest's or example values; counts as an invitation type's test e-mail, and fails as that does",
    checks: true,
    body: record({ email: email(), guest_id }),
    reply: record({ email: email(), subject }),
    replyName: 'test_send',
    longestMs: LONGEST_MS + 5_000,
  },
})
