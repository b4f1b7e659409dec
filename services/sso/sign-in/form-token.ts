import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * A hidden field which proves that a form comes from our page. It is bound to its subject (`interaction:…`, `invitation:…`,
 * `known-browser:…`). `secret` is the account's.
 */
export function formToken(secret: Buffer, about: string): string {
  return createHmac('sha256', secret).update(about).digest('base64url')
}

/** Whether a form carries its token, compared in constant time. */
export function carries(form: URLSearchParams, token: string): boolean {
  return isSame(form.get('csrf') ?? '', token)
}

/** Whether a text equals a secret, compared in constant time. */
export function isSame(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}
