import { onChange } from '@gatehouse/guests/changes'
import * as guestTopics from '@gatehouse/guests/topics'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Download } from '@gatehouse/proto/declaring/resource.ts'
import { LRUCache } from 'lru-cache'
import { events, guestCategories, guestFields, guests } from '../permissions.ts'
import { EventSnapshot, type SnapshotSources } from './event-snapshot.ts'

/** Guests of all copies together; copies that are being asked stay in any case. */
const MAX_GUESTS = 500_000
/** A copy without guests takes as much as these. */
const GUESTS_PER_COPY = 500
/** A copy for which nobody asks any more is dropped after this time. */
const UNUSED_MS = 300_000

/** The snapshots of all events for which devices ask this process. */
export class Snapshots {
  readonly #sources: SnapshotSources
  readonly #events = new LRUCache<string, EventSnapshot>({
    ttl: UNUSED_MS,
    updateAgeOnGet: true,
    ttlAutopurge: true,
  })

  constructor(bus: Bus, stores: Pick<SnapshotSources, 'accesspoints' | 'areas' | 'links' | 'totals'>) {
    this.#sources = {
      ...stores,
      events: clientOf(bus, events),
      guests: clientOf(bus, guests),
      guestCategories: clientOf(bus, guestCategories),
      guestFields: clientOf(bus, guestFields),
    }
    onChange(bus, ({ event_id, uids }) => this.#events.peek(event_id)?.invalidate(uids))
    bus.listen(guestTopics.leaving, ({ event_id, uids }) => this.#events.peek(event_id)?.doubt(uids))
    bus.listen(guestTopics.imported, ({ event_id }) => this.#events.delete(event_id))
    bus.onReconnect(() => {
      for (const snapshot of this.#events.values()) snapshot.invalidateAll()
    })
  }

  /** The difference since a cursor of an event, or its whole snapshot; with the ids of check-in points, what is seen of them alone. */
  async answer(event_id: string, since: string | undefined, accesspoint_ids?: readonly string[]): Promise<Download> {
    const known = this.#events.get(event_id)
    const snapshot = known ?? new EventSnapshot(event_id, this.#sources)
    if (!known) this.#events.set(event_id, snapshot)
    try {
      return await snapshot.answer(since, accesspoint_ids)
    } finally {
      this.#makeRoom()
    }
  }

  #makeRoom(): void {
    for (const event_id of superfluous(this.#events.entries())) this.#events.delete(event_id)
  }
}

/** The events whose copies are dropped, of all copies, those used last first: as many as the bound of their guests demands. */
export function superfluous(copies: Iterable<[string, Pick<EventSnapshot, 'size' | 'isAsked'>]>): string[] {
  let held = 0
  const dropped: string[] = []
  for (const [event_id, { size, isAsked }] of copies) {
    held += size + GUESTS_PER_COPY
    if (held > MAX_GUESTS && !isAsked) dropped.push(event_id)
  }
  return dropped
}
