import { createHash, randomBytes } from 'node:crypto'

/** A new access token of 256 random bits. */
export function newAccessToken(): string {
  return `gh_exhibitor_${randomBytes(32).toString('base64url')}`
}

/** The hash of an access token, which is stored and looked up in its place: so the time of a lookup does not depend on the token. */
export function hashOf(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest('hex')
}
