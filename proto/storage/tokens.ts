import { hash, randomBytes } from 'node:crypto'

/** A new secret of 256 random bits, behind a prefix which tells what it is for. */
export function newToken(prefix = ''): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`
}

/** The hash of a token, which is stored and looked up in its place: so the time of a lookup does not depend on the token. */
export function hashOfToken(token: string): string {
  return hash('sha256', token)
}
