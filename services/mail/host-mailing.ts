import { randomUUID } from 'node:crypto'
import type { HostMail } from '@gatehouse/guests/host-mails'
import * as guestTopics from '@gatehouse/guests/topics'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { attemptOf, type FailedAttempt, type Mailer } from '@gatehouse/proto/process/mail.ts'
import { DueMails, type MailingOptions } from './due-mails.ts'
import { hostMails } from './permissions.ts'
import { reported } from './reporting.ts'
import { observed } from './sending.ts'
import { withTimeout } from './timeout.ts'

/**
 * Returns what sends the e-mails that tell hosts that their guests have arrived. That one is begun is stored before it is sent, and only one that
 * the mail server surely has not taken is sent again: so none is sent twice, and one may be lost with the process.
 */
export function hostMailing({ bus, mailer, log }: MailingOptions): DueMails<{ _id: string; event_id: string }> {
  const guests = clientOf(bus, hostMails)
  return new DueMails({
    bus,
    log,
    name: 'e-mails to hosts',
    topic: guestTopics.hostMails,
    take: (limit) => guests.due({ body: { limit } }),
    async handOver({ _id, event_id }) {
      const body = { _id, event_id, claim: randomUUID() }
      const { mail } = await reported(() => guests.begin({ body }))
      if (!mail) return
      const { outcome } = await observed({}, async () => ({ outcome: await send(mailer, _id, mail) }))
      if (outcome === 'later') await reported(() => guests.postpone({ body }))
    },
  })
}

async function send(
  mailer: Mailer,
  guest_id: string,
  { reply_to, ...mail }: HostMail,
): Promise<'sent' | FailedAttempt> {
  const whole = { ...mail, ...(reply_to && { reply_to }), message_id: `${guest_id}.host` }
  const sent = mailer.send(whole).then(() => 'sent' as const, attemptOf)
  return withTimeout(sent, 'unknown')
}
