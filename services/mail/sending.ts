import type { EncodedAttachment } from '@gatehouse/partners/confirmations'
import type { InvitationMail, SendResult } from '@gatehouse/partners/send-jobs'
import { type Attachment, attemptOf, headerJson, type Mailer } from '@gatehouse/proto/process/mail.ts'
import { instruments } from '@gatehouse/proto/telemetry/metrics.ts'
import { contextOf, failSpan, inSpan } from '@gatehouse/proto/telemetry/tracing.ts'
import { context, SpanKind } from '@opentelemetry/api'
import { withTimeout } from './timeout.ts'

/** What a mail server says is cut here. */
const LONGEST_REASON = 250
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be stored
const CONTROL = /[\u0000-\u001f\u007f]+/g

/** How the e-mails of invitations leave. */
export interface Sending {
  mailer: Mailer
  /** Where bounces go, `bounces@example.org`: each e-mail has an address of its own there, `bounces+<invitation>@example.org`. */
  returnPath: string | null
}

/** Sends an e-mail by SMTP, or into the folder, and returns what came of it. Never throws. */
export function sendMail(sending: Sending, mail: InvitationMail): Promise<SendResult> {
  return observed(mail, () => attempt(sending, mail))
}

/** Shows an attempt in metrics, and in the trace of the request that the e-mail is about; a test send belongs to the current one. */
export function observed<T extends Pick<SendResult, 'outcome'>>(
  { traceparent }: Pick<InvitationMail, 'traceparent'>,
  sending: () => Promise<T>,
): Promise<T> {
  const parent = traceparent === undefined ? context.active() : contextOf({ traceparent })
  return inSpan('mail.hand_over', { kind: SpanKind.CLIENT }, parent, async (span) => {
    const result = await sending()
    const { outcome } = result
    instruments.mailHandOvers.add(1, { outcome })
    span?.setAttribute('gatehouse.mail.outcome', outcome)
    if (outcome !== 'sent' && span) failSpan(span, outcome)
    return result
  })
}

async function attempt({ mailer, returnPath }: Sending, mail: InvitationMail): Promise<SendResult> {
  const { _id } = mail
  const sent = mailer
    .send({
      ...contentOf(mail),
      attachments: attachmentsOf(mail.attachments),
      // The same at each attempt, so that receivers can tell that it is the same e-mail.
      message_id: _id,
      ...(returnPath && { return_path: returnPath.replace('@', `+${_id}@`) }),
      headers: {
        ...unsubscribeHeaders(mail.unsubscribe_link),
        // By these two mail providers name the invitation in what they report of its e-mail (docs/mail-feedback.md): SendGrid, whose events do not
        // all have the `Message-ID`, and Postmark, whose events have none. They take them out; elsewhere they say no more than that does.
        'X-SMTPAPI': headerJson({ unique_args: { invitation_id: _id } }),
        'X-PM-Metadata-invitation_id': _id,
      },
    })
    .then(
      (): SendResult => ({ _id, outcome: 'sent', reason: null }),
      (error): SendResult => ({ _id, outcome: attemptOf(error), reason: reasonOf(error) }),
    )
  return withTimeout(sent, { _id, outcome: 'unknown', reason: 'The mail server did not answer' })
}

type InvitationContent = Pick<InvitationMail, 'to' | 'subject' | 'text' | 'html' | 'sender_name' | 'reply_to'>

/** From whom and to whom an e-mail goes, and what it says. */
export function contentOf({ to, subject, text, html, sender_name, reply_to }: InvitationContent) {
  return { to, subject, text, html, from_name: sender_name, ...(reply_to && { reply_to }) }
}

/** The files of an e-mail, decoded. */
export function attachmentsOf(attachments: readonly EncodedAttachment[] = []): Attachment[] {
  return attachments.map(({ content, ...each }) => ({ ...each, content: Buffer.from(content, 'base64') }))
}

/** By which mail programs unsubscribe with one click (RFC 8058). */
export function unsubscribeHeaders(link: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** The mail server's answer, or what went wrong, as partners and organizers see it. */
function reasonOf({ response, code }: { response?: unknown; code?: unknown }): string {
  const reason = typeof response === 'string' ? response : `No answer of the mail server (${String(code ?? 'error')})`
  return reason.replaceAll(CONTROL, ' ').slice(0, LONGEST_REASON)
}
