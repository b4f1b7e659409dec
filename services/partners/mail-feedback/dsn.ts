import { eventOf, type FeedbackReport } from './report.ts'

/** What a delivery report (RFC 3464) says. Its first fields are about the message, the others about a recipient; an invitation has one. */
export function readDelivery(
  fields: ReadonlyMap<string, string>,
  at: string | undefined,
): FeedbackReport['event'] | undefined {
  const code = fields.get('status') ?? ''
  const reason = fields.get('diagnostic-code') || code
  switch (fields.get('action')?.toLowerCase()) {
    case 'failed':
      // 5 is a permanent failure (RFC 3463), but that of a full mailbox passes; 4 means that the mail server gave up.
      return eventOf('bounced', { isHard: code.startsWith('5') && code !== '5.2.2', reason, at })
    case 'delayed':
      return eventOf('bounced', { isHard: false, reason, at })
    case 'delivered':
    case 'relayed':
    case 'expanded':
      return eventOf('delivered', { at })
    default:
      return undefined
  }
}
