import {
  choice,
  identifier,
  list,
  optionalDatetime,
  optionalIdentifier,
  optionalText,
  record,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { state } from '../../delivery/invitations/resource.ts'

/** What can happen to an e-mail once the mail server has it. */
const eventTypes = ['delivered', 'bounced', 'complained', 'unsubscribed', 'opened'] as const
export type MailEventType = (typeof eventTypes)[number]

const fields = {
  type: choice(eventTypes, {
    description:
      'delivered: the mail server of the recipient took it; bounced: it came back; complained: the recipient called it spam',
  }),
  bounce_type: choice(['hard', 'soft'], {
    default: 'hard',
    description: 'Of a bounce. hard: the address gets no more e-mails of the event; soft: only reason changes',
  }),
  occurred_at: optionalDatetime({ description: 'Now if it is not given, or in the future' }),
  reason: optionalText({
    maxLength: 2_000,
    description: 'What the mail server said; the first 250 characters are kept',
  }),
}

/** What comes back about the e-mails of invitations, in a form of our own. Providers' own forms: mail-feedback. */
export const mailEvents = resource('partners.mail_events', 'mail_event', {
  batch_create: {
    route: 'POST mail_events',
    unaudited: 'mail servers report, and what they report is stored',
    summary:
      'Report what happened to e-mails of invitations, of any event of the account, in any order and as often as you like: each thing counts once',
    batch: true,
    maxBytes: 10 * 1024 * 1024,
    checks: true,
    body: list(
      record({
        invitation_id: optionalIdentifier(),
        message_id: optionalText({
          maxLength: 1_000,
          description: 'The Message-ID of the e-mail, in place of invitation_id',
        }),
        ...fields,
      }),
      'mail_event',
    ),
    reply: list(record({ invitation_id: identifier(), ...fields, state }), 'mail_event'),
    status: 201,
  },
})
