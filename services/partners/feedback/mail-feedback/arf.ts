import type { FeedbackEvent } from '../mail-events/recording.ts'
import { eventOf } from './report.ts'

/**
 * What a feedback report (RFC 5965) says: a mailbox provider sends one where a recipient calls an e-mail spam. Other types are no complaint of the
 * recipient, or the opposite of one (`not-spam`).
 */
export function readFeedback(fields: ReadonlyMap<string, string>, at: string | undefined): FeedbackEvent | undefined {
  const type = fields.get('feedback-type')?.toLowerCase()
  return type === 'abuse' ? eventOf('complained', { reason: type, at }) : undefined
}
