import {
  choice,
  datetime,
  identifier,
  integer,
  list,
  maybe,
  optionalText,
  record,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

/** A file that goes with an e-mail. */
export const attachment = record({
  filename: text(),
  content_type: text(),
  content: text({ maxLength: 10_485_760, description: 'Base 64' }),
  cid: maybe(text({ description: 'Where the HTML part shows it' })),
})

/** A file that goes with an e-mail, as it is on the bus. */
export type EncodedAttachment = Static<typeof attachment>

const lease = {
  _id: identifier({ description: 'Of the invitation' }),
  event_id: identifier(),
  until: datetime({ description: 'When the lease ends; it also tells leases of an invitation apart' }),
}

const mail = record({
  ...lease,
  to: text(),
  subject: text({ maxLength: 10_000 }),
  text: text({ maxLength: 100_000 }),
  html: text({ maxLength: 100_000 }),
  sender_name: text(),
  reply_to: optionalText(),
  unsubscribe_link: text({ maxLength: 4_000 }),
  attachments: list(attachment, 'attachment'),
  message_id: maybe(text({ description: 'Of an e-mail other than the first one that confirms a registration' })),
  traceparent: maybe(text({ description: 'Of the request that made the guest, if it is traced' })),
})

/** The e-mail that confirms that an invited recipient is a guest. */
export type ConfirmationMail = Static<typeof mail>

/** An e-mail without the lease under which it is sent. */
export type UnleasedConfirmation = Omit<ConfirmationMail, '_id' | 'event_id' | 'until'>

/** How the mail service gets confirmations and reports what became of them. */
export const confirmations = resource('partners.confirmations', 'confirmation', {
  claim: {
    summary:
      'Leases a few due confirmations of all events, oldest first, for a limited time; after it they are due again',
    long: true,
    body: record({ limit: integer({ minimum: 1, maximum: 20 }) }),
    reply: list(mail, 'mail'),
  },
  end: {
    summary: 'Records what came of the e-mail of a lease; does nothing if the lease has ended',
    body: record({
      ...lease,
      outcome: choice(['sent', 'rejected', 'later'], {
        description: 'later: not taken, or perhaps taken without an answer; it is tried again',
      }),
    }),
    reply: record({}),
  },
})
