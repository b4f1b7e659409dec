import { onChange } from '@gatehouse/guests/changes'
import * as guestTopics from '@gatehouse/guests/topics'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { growingCache } from '@gatehouse/proto/storage/growing-cache.ts'
import { guests } from '../permissions.ts'
import type { Admissions } from './admissions.ts'
import { EventCounts, type Sources } from './event-counts.ts'
import type { LateChanges } from './late-changes.ts'
import type { Inside } from './occupancy.ts'
import type { SegmentStore } from './segments.ts'
import type { Sums } from './sums.ts'

/** How many events have their check-ins counted in memory, and how many their guests too. */
const MAX_COUNTED = 1_000
const MAX_WITH_GUESTS = 20
/** Guests in memory, of all events together; the event asked for last stays in any case. A million take 130 MB. */
const MAX_GUESTS = 1_500_000

/**
 * Exact counts of events, kept in memory between calls: a call reads the last half minute's check-ins. An event of 300,000 takes 18 MiB and is
 * then answered in 6 to 11 ms, instead of the 0.6 s in which its segments are read (docs/performance.md).
 */
export class EventTotals {
  readonly #sources: Sources
  readonly #counted = growingCache<EventCounts>(MAX_COUNTED)
  readonly #withGuests = growingCache<EventCounts>(MAX_WITH_GUESTS)

  constructor(segments: SegmentStore, lateChanges: LateChanges, accesspoints: Sources['accesspoints'], bus: Bus) {
    this.#sources = { segments, lateChanges, accesspoints, guests: clientOf(bus, guests) }
    onChange(bus, ({ event_id, uids }) => this.#withGuests.peek(event_id)?.invalidate(uids))
    bus.listen(guestTopics.imported, ({ event_id }) => this.#forget(event_id))
    bus.onReconnect(() => {
      for (const counts of this.#withGuests.values()) counts.invalidateAll()
    })
  }

  /** The number of check-ins of an event. */
  count(event_id: string): Promise<number> {
    return this.#ask(event_id, false, (counts) => counts.count())
  }

  /** The sums of an event's check-ins. If the caller can wait, they are read with pauses, in which the door goes first. */
  sums(event_id: string, canWait: boolean): Promise<Sums> {
    return this.#ask(event_id, true, (counts) => counts.sums(canWait))
  }

  /** Who is inside each area of an event that somebody has entered, and under null inside the event as a whole. */
  inside(event_id: string): Promise<Map<string | null, Inside>> {
    return this.#ask(event_id, true, (counts) => counts.inside())
  }

  /**
   * Has how often each guest of an event entered each point read, with all check-ins that were answered before. After an error, or if other events
   * needed the room, the admissions are other ones.
   */
  readAdmissions(event_id: string, read: (admissions: Admissions) => Promise<void>): Promise<void> {
    return this.#ask(event_id, true, (counts) => counts.readAdmissions(read))
  }

  /** Seals one segment of an event. Returns the ms in which its check-ins arrived; undefined if no more is to be sealed now. */
  seal(event_id: string): Promise<number | undefined> {
    return this.#ask(event_id, false, (counts) => counts.seal())
  }

  async #ask<T>(event_id: string, withGuests: boolean, ask: (counts: EventCounts) => Promise<T>): Promise<T> {
    const counts = this.#countsOf(event_id, withGuests)
    try {
      return await ask(counts)
    } catch (error) {
      for (const cache of [this.#counted, this.#withGuests]) {
        if (cache.peek(event_id) === counts) cache.delete(event_id)
      }
      throw error
    } finally {
      this.#makeRoom(event_id)
    }
  }

  /** Segments in memory may be of another life of the event. */
  #forget(event_id: string): void {
    this.#counted.delete(event_id)
    this.#withGuests.delete(event_id)
  }

  #countsOf(event_id: string, withGuests: boolean): EventCounts {
    const known = this.#withGuests.get(event_id) ?? (withGuests ? undefined : this.#counted.get(event_id))
    if (known) return known
    const counts = new EventCounts(event_id, this.#sources, withGuests)
    if (withGuests) this.#counted.delete(event_id)
    const cache = withGuests ? this.#withGuests : this.#counted
    cache.set(event_id, counts)
    return counts
  }

  #makeRoom(inUse: string): void {
    let held = 0
    // The events used last come first.
    for (const [event_id, counts] of [...this.#withGuests.entries()]) {
      held += counts.size
      if (held > MAX_GUESTS && event_id !== inUse) this.#withGuests.delete(event_id)
    }
  }
}
