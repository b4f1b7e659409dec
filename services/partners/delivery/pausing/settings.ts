import { decimal, integer } from '@gatehouse/proto/declaring/fields.ts'

/** When campaigns pause themselves. The defaults are what large mail providers ask of senders (docs/mail-feedback.md). */
export const pauseSettings = {
  campaign_pause_min_emails: integer({
    default: 100,
    minimum: 1,
    description: 'E-mails that a campaign must have sent before it may pause itself',
  }),
  campaign_pause_complaints: decimal({
    default: 0.3,
    minimum: 0,
    maximum: 100,
    description:
      'Percentage of complaints beyond which a campaign pauses itself; 100: never. A single one never pauses it',
  }),
  campaign_pause_bounces: decimal({
    default: 5,
    minimum: 0,
    maximum: 100,
    description: 'Percentage of hard bounces beyond which a campaign pauses itself; 100: never',
  }),
}
