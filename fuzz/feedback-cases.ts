import fc from 'fast-check'
import { type HttpCase, placeholder } from './case.ts'
import { oddHeaders } from './headers.ts'
import { anyText, damaged, damages, rarely } from './values.ts'

/* What mail providers report (docs/mail-feedback.md). */

/** The secrets with which the system under attack is set up, so that what they prove is read. */
export const feedbackSettings = {
  MAIL_EVENTS_POSTMARK_LOGIN: 'fuzz:0123456789abcdef',
  MAIL_EVENTS_DSN_SECRET: '0123456789abcdef',
}

const MESSAGE_ID = placeholder('message_id')

const BOUNCED_AT = '2026-11-25T00:00:00Z'
const postmark = [
  { RecordType: 'Bounce', Type: 'HardBounce', MessageID: 'x', Email: 'ada@example.org', BouncedAt: BOUNCED_AT },
  { RecordType: 'SpamComplaint', Metadata: { invitation_id: placeholder('invitation_id') } },
  { RecordType: 'Open', Metadata: null, ReceivedAt: 'x' },
].map((each) => JSON.stringify(each))

const withCrlf = (text: string): string => text.replaceAll('\n', '\r\n')

const returned = (boundary: string, status: string): string =>
  withCrlf(`From: mailer-daemon@example.org
Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"

--${boundary}
Content-Type: message/delivery-status

Reporting-MTA: dns; example.org

Final-Recipient: rfc822; ada@example.org
Action: failed
Status: ${status}

--${boundary}
Content-Type: text/rfc822-headers

Message-ID: <${MESSAGE_ID}>

--${boundary}--`)

const complaint = (type: string): string =>
  withCrlf(`Content-Type: multipart/report; report-type=feedback-report; boundary=x

--x
Content-Type: message/feedback-report

Feedback-Type: ${type}
Original-Mail-From: <bounces+${placeholder('invitation_id')}@example.org>

--x
Content-Type: message/rfc822

Message-ID: <${MESSAGE_ID}>

--x--`)

const bodies: Record<string, readonly string[]> = {
  postmark,
  dsn: [
    returned('x', '5.1.1'),
    returned('', '5.x'),
    returned('x'.repeat(2_000), '4.0.0'),
    complaint('abuse'),
    complaint('not-spam'),
  ],
  ses: ['{"Type":"Notification","Message":"{}","SigningCertURL":"https://sns.eu-west-1.amazonaws.com/x.pem"}'],
  sendgrid: ['[{"event":"bounce","timestamp":1}]'],
}

const { MAIL_EVENTS_POSTMARK_LOGIN, MAIL_EVENTS_DSN_SECRET } = feedbackSettings
const proofs: Record<string, string> = {
  postmark: `Basic ${Buffer.from(MAIL_EVENTS_POSTMARK_LOGIN).toString('base64')}`,
  dsn: `Bearer ${MAIL_EVENTS_DSN_SECRET}`,
}

/** Requests of a provider. */
export function feedback(provider: string): fc.Arbitrary<HttpCase> {
  const body = fc.tuple(fc.oneof(fc.constantFrom(...(bodies[provider] ?? [])), anyText), damages)
  return fc
    .record({
      body,
      recipient: rarely(anyText, 2),
      headers: oddHeaders(2),
      isProved: fc.oneof(fc.constant(true), fc.boolean()),
    })
    .map(({ body: [text, each], recipient, headers, isProved }) => ({
      kind: 'http',
      method: 'POST',
      path: `/api/v1/mail_events/${provider}${recipient === null ? '' : `?recipient=${encodeURIComponent(recipient.toWellFormed())}`}`,
      headers: [
        ['content-type', 'application/json'],
        ...(isProved && proofs[provider] ? [['authorization', proofs[provider]] as [string, string]] : []),
        ...headers,
      ],
      body: damaged(text, each),
    }))
}
