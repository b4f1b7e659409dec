import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { eventTypes } from '@gatehouse/proto/events/domain-events.ts'
import { KEPT_MS, WATCH_EVERY_MS } from '@gatehouse/proto/events/streams.ts'
import type { Interest } from '../consuming/interest.ts'
import type { LivePublisher } from './live-publisher.ts'
import type { live } from './resource.ts'
import type { WatchStore } from './store.ts'

/**
 * How long an event stays watched. Who left may come back for as long as a stream keeps what it missed; the last time that the event was
 * said to be watched may have been long before it left, and one such time may have failed.
 */
const WATCHED_MS = KEPT_MS + 2 * WATCH_EVERY_MS

/** What live feeds ask of this service. */
export function liveHandlers(store: WatchStore, interest: Interest, publisher: LivePublisher): Handlers<typeof live> {
  return {
    async watch({ body: { event_id } }) {
      const gap = await store.watch(event_id, new Date(Date.now() + WATCHED_MS))
      await interest.add(eventTypes)
      // Only now: what happens behind the gap must be shown.
      if (gap) {
        await publisher.publishGap(event_id, gap)
        await store.markPublished(event_id, gap)
      }
      return {}
    },
  }
}
