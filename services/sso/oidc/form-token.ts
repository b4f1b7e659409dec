import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * What proves that a form comes from our page: a hidden field that nobody else can know, bound to what the form is about (`interaction:…`,
 * `invitation:…`). `secret` is the account's.
 */
export function formToken(secret: Buffer, about: string): string {
  return createHmac('sha256', secret).update(about).digest('base64url')
}

/** Whether a form carries its token, compared in constant time. */
export function carries(form: URLSearchParams, token: string): boolean {
  const given = Buffer.from(form.get('csrf') ?? '')
  const right = Buffer.from(token)
  return given.length === right.length && timingSafeEqual(given, right)
}
