import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { eventTypes } from '@gatehouse/proto/events/domain-events.ts'
import { KEPT_MS, WATCH_EVERY_MS } from '@gatehouse/proto/events/streams.ts'
import type { Interest } from '../consuming/interest.ts'
import type { LivePublisher } from './live-publisher.ts'
import type { live } from './resource.ts'
import type { WatchStore } from './store.ts'

/**
 * How long an event stays watched. A client may return for as long as the stream keeps what it missed. The last extension may have been
 * `WATCH_EVERY_MS` before the client left, and one extension may have failed.
 */
const WATCHED_MS = KEPT_MS + 2 * WATCH_EVERY_MS

/** The handlers of live feeds. */
export function liveHandlers(store: WatchStore, interest: Interest, publisher: LivePublisher): Handlers<typeof live> {
  return {
    async watch({ body: { event_id } }) {
      const gap = await store.watch(event_id, new Date(Date.now() + WATCHED_MS))
      await interest.add(eventTypes)
      // Published after the watch is announced: events after the gap must be shown.
      if (gap) {
        await publisher.publishGap(event_id, gap)
        await store.markPublished(event_id, gap)
      }
      return {}
    },
  }
}
