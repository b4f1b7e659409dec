import { hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** A new secret of 256 random bits, behind a prefix that tells what it is for. */
export function newToken(prefix = ''): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`
}

/** The hash of a token, which is stored and looked up in its place: so the time of a lookup does not depend on the token. */
export function hashOfToken(token: string): string {
  return hash('sha256', token)
}

/** Whether a text equals a secret one, compared in a time that says nothing about it. */
export function isSameSecret(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** A key for one purpose, derived from `secrets_key`, which itself encrypts stored secrets. */
export function derivedKey(secrets_key: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secrets_key, 'base64'), '', purpose, 32))
}
