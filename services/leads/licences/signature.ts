import { createHmac } from 'node:crypto'

/** The signature of an exhibitor's access token by an app with this secret. */
export function signatureOf(signingSecret: string, eventId: string, accessToken: string): string {
  return createHmac('sha256', `${signingSecret}${eventId}`).update(accessToken).digest('hex')
}
