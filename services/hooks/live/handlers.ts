import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { eventTypes } from '@gatehouse/proto/events/domain-events.ts'
import { KEPT_MS, WATCH_AGAIN_MS } from '@gatehouse/proto/events/streams.ts'
import type { Wanted } from '../consuming/interest.ts'
import type { Shower } from './live-publisher.ts'
import type { live } from './resource.ts'
import type { WatchStore } from './store.ts'

/**
 * How long an event stays watched. Who left may come back for as long as a stream keeps what it missed; the last time that the event was
 * said to be watched may have been long before it left, and one such time may have failed.
 */
const WATCHED_MS = KEPT_MS + 2 * WATCH_AGAIN_MS

/** What live feeds ask of this service. */
export function liveHandlers(store: WatchStore, wanted: Wanted, shower: Shower): Handlers<typeof live> {
  return {
    async watch({ body: { event_id } }) {
      const gap = await store.watch(event_id, new Date(Date.now() + WATCHED_MS))
      await wanted.more(eventTypes)
      // Only now: what happens behind the gap must be shown.
      if (gap) {
        await shower.tellGap(event_id, gap)
        await store.noteTold(event_id, gap)
      }
      return {}
    },
  }
}
