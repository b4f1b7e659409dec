import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { ScopedCache } from '@gatehouse/proto/storage/scoped-cache.ts'

/** What is remembered of apps and contact fields lives this long at most, should an announcement ever be lost. */
const TTL_MS = 5_000

/** What each sso process remembers of an account: the topics under which its changes are announced. */
export const topics = ['accounts', 'contacts', 'oauth_apps', 'contact_fields'] as const
type Topic = (typeof topics)[number]

/** Has to hear of changes: of one account, or that any may have been missed. */
interface Invalidatable {
  invalidate(account_id: string): void
  invalidateAll(): void
}

/** A memory of accounts for what they change rarely. */
export function accountCache(): ScopedCache {
  return new ScopedCache(TTL_MS)
}

/** Has a store hear of every change under a topic, in whatever process. */
export function subscribeToChanges(bus: Bus, topic: Topic, store: Invalidatable): void {
  bus.listen(topic, (account_id) => store.invalidate(account_id))
  bus.onReconnect(() => store.invalidateAll())
}

/** Waits for a write and has every process forget what it remembers, before the caller is answered. */
export function announced<T>(bus: Bus, topic: Topic, account_id: string, write: Promise<T>): Promise<T> {
  return bus.announcing(topic, account_id, write)
}
