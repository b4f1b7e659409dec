import { createHmac, timingSafeEqual } from 'node:crypto'

/** The signature of an exhibitor's access token by an app with this secret. */
export function signatureOf(signingSecret: string, eventId: string, accessToken: string): string {
  return createHmac('sha256', `${signingSecret}${eventId}`).update(accessToken).digest('hex')
}

/** Whether two signatures are equal; the time does not depend on where they differ. */
export function isSameSignature(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
