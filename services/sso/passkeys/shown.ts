import type { StoredPasskey } from './store.ts'

/** A passkey as the console shows it. */
export type ShownPasskey = ReturnType<typeof shown>

/** Returns a passkey as the console shows it. */
export function shown({ credential_id, name, created_at, last_used_at }: Omit<StoredPasskey, '_id'>) {
  return { _id: credential_id, name, created_at, last_used_at }
}
