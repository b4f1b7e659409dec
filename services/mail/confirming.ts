import type { ConfirmationMail } from '@gatehouse/partners/confirmations'
import * as partnerTopics from '@gatehouse/partners/topics'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { attemptOf, type Mailer } from '@gatehouse/proto/process/mail.ts'
import { DueMails, type MailingOptions } from './due-mails.ts'
import { confirmations } from './permissions.ts'
import { reported } from './reporting.ts'
import { attachmentsOf, contentOf, observed, unsubscribeHeaders } from './sending.ts'
import { withTimeout } from './timeout.ts'

/**
 * Returns what sends the e-mails that confirm that invited recipients are guests. The partners service keeps each of them until the mail server
 * has taken it. If a process dies in between, or the mail server's answer gets lost, it is sent once more, with the same `Message-ID`.
 */
export function confirming({ bus, mailer, log }: MailingOptions): DueMails<ConfirmationMail> {
  const partners = clientOf(bus, confirmations)
  return new DueMails({
    bus,
    log,
    name: 'confirmations',
    topic: partnerTopics.confirmations,
    take: (limit) => partners.claim({ body: { limit } }),
    async handOver(mail) {
      const { _id, event_id, until } = mail
      const { outcome } = await observed(mail, async () => ({ outcome: await send(mailer, mail) }))
      await reported(() => partners.end({ body: { _id, event_id, until, outcome } }))
    },
  })
}

async function send(mailer: Mailer, mail: ConfirmationMail): Promise<'sent' | 'rejected' | 'later'> {
  const sent = mailer
    .send({
      ...contentOf(mail),
      message_id: mail.message_id ?? `${mail._id}.confirmation`,
      headers: unsubscribeHeaders(mail.unsubscribe_link),
      attachments: attachmentsOf(mail.attachments),
    })
    .then(
      () => 'sent' as const,
      (error): 'rejected' | 'later' => (attemptOf(error) === 'rejected' ? 'rejected' : 'later'),
    )
  return withTimeout(sent, 'later')
}
