import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { eventTypes } from '@gatehouse/proto/events/domain-events.ts'
import { KEPT_MS, WATCH_EVERY_MS } from '@gatehouse/proto/events/streams.ts'
import type { Dependencies } from '../dependencies.ts'
import { read } from './read.ts'
import type { live } from './resource.ts'

/**
 * How long an event stays watched. A client may return for as long as the stream keeps what it missed. The last extension may have been
 * `WATCH_EVERY_MS` before the client left, and one extension may have failed.
 */
const WATCHED_MS = KEPT_MS + 2 * WATCH_EVERY_MS

/** Returns the handlers of live feeds. */
export function liveHandlers(dependencies: Dependencies): Handlers<typeof live> {
  return handlersOf<typeof live, Dependencies>(
    {
      async watch({ watches, wanted, livePublisher }, { body: { event_id } }) {
        const gap = await watches.watch(event_id, new Date(Date.now() + WATCHED_MS))
        await wanted.add(eventTypes)
        // Published after the watch is announced: events after the gap must be shown.
        if (gap) {
          await livePublisher.publishGap(event_id, gap)
          await watches.markPublished(event_id, gap)
        }
        return {}
      },
      read,
    },
    dependencies,
  )
}
