import { createHash, randomBytes } from 'node:crypto'

/** A new access token of 256 random bits. */
export function newAccessToken(): string {
  return `gh_exhibitor_${randomBytes(32).toString('base64url')}`
}

/** What is stored of an access token. It is looked up by this, so that the time a lookup takes says nothing of the token. */
export function hashOf(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest('hex')
}
