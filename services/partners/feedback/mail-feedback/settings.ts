import { optionalText } from '@gatehouse/proto/declaring/fields.ts'

/** What proves that events come from a mail provider. A provider without its setting is answered 404. */
export const providerSettings = {
  mail_events_ses_topic: optionalText({
    maxLength: 1_000,
    pattern: '^(arn:aws[a-z-]*:sns:[a-z0-9-]+:\\d+:[A-Za-z0-9_-]+)?$',
    description: 'The ARN of the SNS topic by which Amazon SES reports: arn:aws:sns:eu-west-1:123456789012:bounces',
  }),
  mail_events_sendgrid_verification: optionalText({
    maxLength: 1_000,
    description: 'The verification key of the SendGrid event webhook, as SendGrid shows it',
  }),
  mail_events_postmark_login: optionalText({
    pattern: '^([^:]+:.{16,})?$',
    description: 'The user and the password that Postmark sends, user:password; 16 characters or more',
  }),
  mail_events_dsn_secret: optionalText({
    pattern: '^(\\S{16,})?$',
    description:
      'The Bearer token with which a mail server posts returned e-mails and complaints; 16 characters or more',
  }),
}
