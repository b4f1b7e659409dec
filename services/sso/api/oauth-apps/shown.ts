import { heldList } from '@gatehouse/proto/storage/documents.ts'
import type { OauthApp } from './resource.ts'
import type { StoredOauthApp } from './store.ts'

/** Returns an app for answers, with the time when its replaced secret ends. */
export function shown(app: StoredOauthApp): OauthApp {
  const { _id, name, redirect_uris, is_strict, client_id, secrets, created_at, updated_at } = app
  const now = new Date()
  const [old] = heldList(secrets).flatMap(({ expires_at }) => (expires_at && expires_at > now ? [expires_at] : []))
  return {
    ...{ _id, name, redirect_uris, is_strict, client_id, created_at, updated_at },
    ...(old && { old_secret_expires_at: old }),
  }
}
