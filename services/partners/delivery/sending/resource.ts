import {
  choice,
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
import { attachment } from '../../pages/confirmations/resource.ts'

const partner = {
  event_id: identifier(),
  partner_id: identifier({ description: 'Of the partner, or of the mailing' }),
  of: maybe(choice(['mailing'], { description: 'Absent for a partner' })),
  lane: maybe(integer({ minimum: 1, description: "Which of the partner's jobs it is; absent for the first one" })),
}

/** The e-mail of an invitation. */
export const invitationMail = record({
  _id: identifier(),
  to: text(),
  subject: text({ maxLength: 10_000 }),
  text: text({ maxLength: 1_000_000 }),
  html: text({ maxLength: 4_000_000 }),
  link: text({ maxLength: 4_000, description: "The invitation's own address, also in text and HTML" }),
  sender_name: text(),
  reply_to: optionalText(),
  unsubscribe_link: text({ maxLength: 4_000 }),
  attachments: maybe(list(attachment, 'attachment')),
  traceparent: maybe(text({ description: 'Of the request that invited, if it is traced' })),
})

/** The e-mail of an invitation. */
export type InvitationMail = Static<typeof invitationMail>

/** What came of handing one e-mail to the mail server. */
export const sendResult = record({
  _id: identifier(),
  outcome: choice(['sent', 'rejected', 'later', 'unknown'], {
    description: 'later: not taken, and worth another attempt; unknown: it may have been taken',
  }),
  reason: optionalText({ description: 'The answer of the mail server' }),
})

/** What came of handing one e-mail to the mail server. */
export type SendResult = Static<typeof sendResult>

/**
 * How the mail service gets a partner's e-mails and reports what became of them. It leases a batch at a time. On the bus leases are called claims,
 * and the resource `hand_overs`: processes of different versions work together.
 */
export const sendJobs = resource('partners.hand_overs', 'hand_over', {
  claim: {
    summary: "Leases a batch of a partner's due invitations, for a limited time; none if it may send no e-mails",
    long: true,
    body: record(partner),
    reply: record({ claim: maybe(identifier()), mails: list(invitationMail, 'mail') }),
  },
  progress: {
    summary:
      'Records the outcomes of e-mails of a lease, and that others begin. Returns those that may be handed over now; with none to begin the lease ends',
    long: true,
    body: record({
      ...partner,
      claim: identifier(),
      outcomes: list(sendResult, 'outcome'),
      begin: list(identifier(), 'id'),
      hold: maybe(
        list(record({ _id: identifier(), ms: integer({ minimum: 0 }) }), 'held', {
          description: 'E-mails that do not begin, and wait for so long: a rate is reached',
        }),
      ),
    }),
    reply: record({ ids: list(identifier(), 'id') }),
  },
  renew: {
    summary:
      "Adds a partner's next job to the end of the queue if invitations are due, and it may send e-mails; called when its last job is done",
    body: record(partner),
    reply: record({}),
  },
})
