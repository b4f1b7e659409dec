import { createHmac } from 'node:crypto'
import type { Secrets } from '../webhook-secrets/store.ts'

/** The headers of Standard Webhooks, which identify and sign a message: a signature for each valid secret. */
export function signedHeaders(
  id: string,
  at: Date,
  body: string,
  { current, previous }: Secrets,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1_000)
  const signatures = [current, ...previous.map(({ secret }) => secret)].map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}
