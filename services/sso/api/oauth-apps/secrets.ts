import { timingSafeEqual } from 'node:crypto'
import { heldList } from '@gatehouse/proto/storage/documents.ts'
import { hashOfToken, newToken } from '@gatehouse/proto/storage/tokens.ts'
import type { AppSecret, StoredOauthApp } from './store.ts'

/** Most secrets of an app, so that repeated rolls leave no long list. */
const MOST = 5

/** A new secret of 256 random bits, and its stored form. */
export function newSecret(): { secret: string; stored: AppSecret } {
  const secret = newToken('gs_')
  return { secret, stored: { hash: hashOfToken(secret), expires_at: null } }
}

/** The secrets of an app with a new one: the previous ones end at `until`, or earlier if they would have. */
export function rolled(secrets: AppSecret[], added: AppSecret, until: Date, now = new Date()): AppSecret[] {
  const before = heldList(secrets).map(({ hash, expires_at }) => ({
    hash,
    expires_at: expires_at && expires_at < until ? expires_at : until,
  }))
  return [added, ...before.filter(({ expires_at }) => expires_at > now)].slice(0, MOST)
}

/** Whether an app has this secret now, in a time that reveals nothing about the secrets. */
export function isSecretOf({ secrets }: Pick<StoredOauthApp, 'secrets'>, secret: string, now = new Date()): boolean {
  const given = Buffer.from(hashOfToken(secret))
  let found = false
  for (const { hash, expires_at } of secrets) {
    const isEqual = timingSafeEqual(Buffer.from(hash), given)
    if (isEqual && (expires_at === null || expires_at > now)) found = true
  }
  return found
}
