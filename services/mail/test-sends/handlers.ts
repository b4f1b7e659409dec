import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { type Sending, sendMail } from '../sending.ts'
import type { testSends } from './resource.ts'

const NONE = 'no mail server is configured (SMTP_URL, MAIL_FROM)'

/** Handlers of test sends. */
export function testSendHandlers(sending: Sending): Handlers<typeof testSends> {
  return {
    async hand_over({ body }) {
      if (!sending.mailer.isConfigured) return { outcome: 'rejected', reason: NONE }
      const { outcome, reason } = await sendMail(sending, body)
      return { outcome, reason }
    },
  }
}
