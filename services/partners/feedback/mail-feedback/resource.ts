import { choice, integer, list, optionalText, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

/** Who sends events in a form of its own; each has a path below `/api/v1/mail_events/`. */
export const providers = ['ses', 'sendgrid', 'postmark', 'dsn'] as const

/** Bytes of a request: SendGrid sends up to 768 KiB at once, and a returned e-mail is cut by its sender. */
export const MAX_BYTES = 1024 * 1024

/** The headers that prove who sends. */
export const PROOF_HEADERS = [
  'authorization',
  'x-twilio-email-event-webhook-signature',
  'x-twilio-email-event-webhook-timestamp',
]

const request = record({
  provider: choice(providers),
  headers: list(record({ name: text(), value: text({ maxLength: 16_384 }) }), 'header', { maxItems: 100 }),
  recipient: optionalText({
    maxLength: 1_000,
    description: 'Of a returned e-mail or a complaint, as the mail server got it',
  }),
  body: optionalText({ maxLength: Math.ceil(MAX_BYTES / 3) * 4, description: 'The bytes of the body, in base 64' }),
})

/** A request of a provider. */
export type ProviderRequest = Static<typeof request>

/** Events of e-mails in the forms of mail providers, which prove who they are (docs/mail-feedback.md). */
export const mailFeedback = resource('partners.mail_feedback', 'mail_feedback', {
  receive: {
    summary:
      "Records a provider's events. 401 without proof of who sends; 404 if the provider is not set up; events of other e-mails are ignored",
    body: request,
    reply: record({ recorded: integer({ minimum: 0 }) }),
  },
})
