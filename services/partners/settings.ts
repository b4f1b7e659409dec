import { integer } from '@gatehouse/proto/declaring/fields.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import { publicUrlSettings } from '@gatehouse/proto/process/public-url.ts'
import { retryDelays } from '@gatehouse/proto/process/retry-delays.ts'
import { encryptionSettings } from '@gatehouse/proto/serving/service.ts'
import { pauseSettings } from './delivery/pausing/settings.ts'
import { providerSettings } from './feedback/mail-feedback/settings.ts'

/** The settings of the partners service. */
export const settings = {
  ...encryptionSettings,
  ...publicUrlSettings,
  ...pauseSettings,
  ...providerSettings,
  mail_retry_delays: retryDelays({
    // In all a day and a few minutes.
    default: '60,300,900,3600,10800,21600,50400',
    description:
      'Seconds until each further attempt to hand over an e-mail that the mail server did not take; after the last it is given up',
  }),
  mail_claim_ms: integer({
    default: 300_000,
    minimum: 1_000,
    description: 'How long a process of the mail service may take for a batch of 20 e-mails; then it is taken for dead',
  }),
  test_sends_per_hour: integer({
    default: 20,
    minimum: 0,
    description: 'E-mails an hour that an account may send as a test of its invitation types',
  }),
  registrations_per_address: integer({
    default: 60,
    minimum: 0,
    description: 'Registrations an hour that one address of the network may send to the registration pages of an event',
  }),
  registrations_per_event: integer({
    default: 5_000,
    minimum: 0,
    description: 'Registrations an hour that the registration pages of an event take',
  }),
  confirmation_wait_ms: integer({
    default: 600_000,
    minimum: 0,
    description:
      'How long the e-mail that confirms a registration waits for QR code and badge; then it is sent without',
  }),
}

/** The settings as read. */
export type Config = ConfigOf<typeof settings>
