import { eventTypes } from '@gatehouse/proto/domain.ts'
import type { Handlers } from '@gatehouse/proto/resource.ts'
import { KEPT_MS } from '@gatehouse/proto/streams.ts'
import type { Wanted } from '../intake/wanted.ts'
import type { live } from './resource.ts'
import type { WatchStore } from './store.ts'

/** What live feeds ask of this service. An event stays watched for as long as a stream keeps what it missed. */
export function liveHandlers(store: WatchStore, wanted: Wanted): Handlers<typeof live> {
  return {
    async watch({ body }) {
      await store.watch(body.event_id, new Date(Date.now() + KEPT_MS))
      await wanted.more(eventTypes)
      return {}
    },
  }
}
