import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { ScopedCache } from '@gatehouse/proto/storage/scoped-cache.ts'

/** The longest life of cached apps and contact fields, in case an announcement is lost. */
const TTL_MS = 5_000

/** The topics which announce changes of what each sso process caches of accounts. */
export const topics = ['accounts', 'contacts', 'oauth_apps', 'contact_fields'] as const
type Topic = (typeof topics)[number]

/** Receives changes: of one account, or of any if announcements may have been missed. */
interface Invalidatable {
  invalidate(account_id: string): void
  invalidateAll(): void
}

/** A cache by account of what rarely changes. */
export function accountCache(): ScopedCache {
  return new ScopedCache(TTL_MS)
}

/** Subscribes a cache to all changes of a topic, in all processes. */
export function subscribeToChanges(bus: Bus, topic: Topic, cache: Invalidatable): void {
  bus.listen(topic, (account_id) => cache.invalidate(account_id))
  bus.onReconnect(() => cache.invalidateAll())
}

/** Waits for a write and invalidates the caches of all processes, before the caller is answered. */
export function announced<T>(bus: Bus, topic: Topic, account_id: string, write: Promise<T>): Promise<T> {
  return bus.announcing(topic, account_id, write)
}
