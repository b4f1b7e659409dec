import { createHmac } from 'node:crypto'
import { isSameSecret } from '@gatehouse/proto/storage/tokens.ts'

/**
 * A hidden field that proves that a form comes from our page. It is bound to its subject (`interaction:…`, `invitation:…`,
 * `known-browser:…`). `secret` is the account's.
 */
export function formToken(secret: Buffer, about: string): string {
  return createHmac('sha256', secret).update(about).digest('base64url')
}

/** Whether a form carries its token, compared in constant time. */
export function carries(form: URLSearchParams, token: string): boolean {
  return isSameSecret(form.get('csrf') ?? '', token)
}
