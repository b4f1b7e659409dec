import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { Topic } from '@gatehouse/proto/declaring/topic.ts'
import { ScopedCache } from '@gatehouse/proto/storage/scoped-cache.ts'

/** The longest life of cached apps and contact fields, in case an announcement is lost. */
const TTL_MS = 5_000

/** Receives changes: of one account, or of any if announcements may have been missed. */
interface Invalidatable {
  invalidate(account_id: string): void
  invalidateAll(): void
}

/** A cache by account of what rarely changes. */
export function accountCache(): ScopedCache {
  return new ScopedCache(TTL_MS)
}

/** Subscribes a cache to the changes of accounts that a topic announces, in all processes. */
export function subscribeToChanges(bus: Bus, topic: Topic<string>, cache: Invalidatable): void {
  bus.listen(topic, (account_id) => cache.invalidate(account_id))
  bus.onReconnect(() => cache.invalidateAll())
}
