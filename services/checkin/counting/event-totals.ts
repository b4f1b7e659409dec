import { setTimeout as sleep } from 'node:timers/promises'
import { onChange } from '@gatehouse/guests/changes'
import { guests } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { LRUCache } from 'lru-cache'
import { EventCounts, type Sources, type Sums } from './event-counts.ts'
import type { LateChanges } from './late-changes.ts'
import { SEALED_AFTER_MS, type SegmentStore } from './segments.ts'

/** Events of which check-ins, and of which guests too are counted in memory. */
const MAX_COUNTED = 1_000
const MAX_WITH_GUESTS = 20
/** Guests held in memory for all events together; the event asked for last stays, however many it has. A million take 100 MB. */
const MAX_GUESTS = 1_500_000
const SEAL_EVERY_MS = 30_000
/**
 * An event is sealed little faster than its check-ins came in: those of two minutes over the next two minutes. Nobody at the door
 * notices a small part of each second; some seconds in a row they would.
 */
const SEAL_PAUSE_FACTOR = 0.8
/** After a segment of many minutes, or the first. */
const MAX_PAUSE_MS = 5_000

/** What the check-ins of events add up to: exact, and read in the time that the last minute's check-ins take. */
export class EventTotals {
  readonly #sources: Sources
  readonly #log: Log
  readonly #counted = new LRUCache<string, EventCounts>({ max: MAX_COUNTED })
  readonly #withGuests = new LRUCache<string, EventCounts>({ max: MAX_WITH_GUESTS })
  /** When the last check-in came, by event: where something may have to be sealed. */
  readonly #active = new Map<string, number>()
  readonly #sealTimer: NodeJS.Timeout
  /** Events that are being sealed. */
  readonly #sealing = new Set<string>()
  #isEnded = false
  /** What is sealed last. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(segments: SegmentStore, lateChanges: LateChanges, bus: Bus, log: Log) {
    this.#sources = { segments, lateChanges, guests: clientOf(bus, guests) }
    this.#log = log
    onChange(bus, ({ event_id, uids }) => this.#withGuests.peek(event_id)?.invalidate(uids))
    bus.onReconnect(() => {
      for (const counts of this.#withGuests.values()) counts.invalidateAll()
    })
    // Not all processes at once: what one has sealed the next has not to read.
    this.#sealTimer = setInterval(() => this.#sealDue(), SEAL_EVERY_MS * (0.9 + 0.2 * Math.random()))
    this.#sealTimer.unref()
  }

  /** Hears that check-ins of an event come in. */
  markActive(event_id: string): void {
    this.#active.set(event_id, Date.now())
  }

  /** How many check-ins an event has. */
  count(event_id: string): Promise<number> {
    return this.#ask(event_id, false, (counts) => counts.count())
  }

  /** What the check-ins of an event add up to; for who can wait, read with rests, in which the door goes first. */
  sums(event_id: string, canWait: boolean): Promise<Sums> {
    return this.#ask(event_id, true, (counts) => counts.sums(canWait))
  }

  /** Seals no more. */
  stop(): void {
    clearInterval(this.#sealTimer)
    this.#isEnded = true
    this.#active.clear()
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
    // The ones used last come first.
    for (const [event_id, counts] of [...this.#withGuests.entries()]) {
      held += counts.size
      if (held > MAX_GUESTS && event_id !== inUse) this.#withGuests.delete(event_id)
    }
  }

  async #sealAll(event_id: string): Promise<void> {
    while (!this.#isEnded) {
      const arrivedIn = await this.#inTurn(() => this.#ask(event_id, false, (counts) => counts.seal()))
      if (arrivedIn === undefined) return
      await sleep(Math.min(arrivedIn * SEAL_PAUSE_FACTOR, MAX_PAUSE_MS), undefined, { ref: false })
    }
  }

  /** Of all events one segment at a time: the door goes first, and who asks for counts comes in between. */
  #inTurn<T>(seal: () => Promise<T>): Promise<T> {
    const sealed = this.#last.then(seal)
    this.#last = sealed.catch(() => {})
    return sealed
  }

  #sealDue(): void {
    for (const [event_id, last] of this.#active) {
      if (Date.now() - last > 2 * SEALED_AFTER_MS) this.#active.delete(event_id)
      if (!this.#sealing.has(event_id)) void this.#sealEvent(event_id)
    }
  }

  async #sealEvent(event_id: string): Promise<void> {
    this.#sealing.add(event_id)
    try {
      await this.#sealAll(event_id)
    } catch (error) {
      this.#log.warn({ err: error, event_id }, 'check-ins are not sealed')
    } finally {
      this.#sealing.delete(event_id)
    }
  }
}
