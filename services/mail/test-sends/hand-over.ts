import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { type Sending, sendMail } from '../sending.ts'
import type { testSends } from './resource.ts'

const NONE = 'no mail server is configured (SMTP_URL, MAIL_FROM)'

type HandOver = (typeof testSends)['actions']['hand_over']

/** Hands an e-mail to the mail server at once, and returns the outcome. */
export async function hand_over(sending: Sending, { body }: Call<HandOver>): Promise<Output<HandOver>> {
  if (!sending.mailer.isConfigured) return { outcome: 'rejected', reason: NONE }
  const { outcome, reason } = await sendMail(sending, body)
  return { outcome, reason }
}
