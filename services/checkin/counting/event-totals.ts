import { setTimeout as sleep } from 'node:timers/promises'
import { onChange } from '@gatehouse/guests/changes'
import { guests } from '@gatehouse/guests/resources'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { LRUCache } from 'lru-cache'
import { type Sources, type Sums, View } from './event-counts.ts'
import type { Disturbances } from './late-changes.ts'
import { SEALED_AFTER_MS, type SegmentStore } from './segments.ts'

/** Events of which check-ins, and of which guests too are counted in memory. */
const MAX_COUNTED = 1_000
const MAX_WITH_GUESTS = 20
/** Guests held in memory for all events together; the event asked for last stays, however many it has. A million take 100 MB. */
const MAX_GUESTS = 1_500_000
const TEND_MS = 30_000
/**
 * An event is sealed little faster than its check-ins came in: those of two minutes over the next two minutes. Nobody at the door
 * notices a small part of each second; some seconds in a row they would.
 */
const PACE = 0.8
/** After a segment of many minutes, or the first. */
const LONGEST_REST_MS = 5_000

/** What the check-ins of events add up to: exact, and read in the time that the last minute's check-ins take. */
export class Tallies {
  readonly #sources: Sources
  readonly #log: Log
  readonly #counted = new LRUCache<string, View>({ max: MAX_COUNTED })
  readonly #withGuests = new LRUCache<string, View>({ max: MAX_WITH_GUESTS })
  /** When the last check-in came, by event: where something may have to be sealed. */
  readonly #busy = new Map<string, number>()
  readonly #tending: NodeJS.Timeout
  /** Events that are being sealed. */
  readonly #tended = new Set<string>()
  #isEnded = false
  /** What is sealed last. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(segments: SegmentStore, disturbances: Disturbances, bus: Bus, log: Log) {
    this.#sources = { segments, disturbances, guests: clientOf(bus, guests) }
    this.#log = log
    onChange(bus, ({ event_id, uids }) => this.#withGuests.peek(event_id)?.changed(uids))
    bus.onReconnect(() => {
      for (const view of this.#withGuests.values()) view.changedUnheard()
    })
    // Not all processes at once: what one has sealed the next has not to read.
    this.#tending = setInterval(() => this.#tend(), TEND_MS * (0.9 + 0.2 * Math.random()))
    this.#tending.unref()
  }

  /** Hears that check-ins of an event come in. */
  busy(event_id: string): void {
    this.#busy.set(event_id, Date.now())
  }

  /** How many check-ins an event has. */
  count(event_id: string): Promise<number> {
    return this.#asking(event_id, false, (view) => view.count())
  }

  /** What the check-ins of an event add up to; for who can wait, read with rests, in which the door goes first. */
  sums(event_id: string, canWait: boolean): Promise<Sums> {
    return this.#asking(event_id, true, (view) => view.sums(canWait))
  }

  /** Seals no more. */
  stop(): void {
    clearInterval(this.#tending)
    this.#isEnded = true
    this.#busy.clear()
  }

  async #asking<T>(event_id: string, withGuests: boolean, ask: (view: View) => Promise<T>): Promise<T> {
    const view = this.#viewOf(event_id, withGuests)
    try {
      return await ask(view)
    } catch (error) {
      for (const views of [this.#counted, this.#withGuests]) {
        if (views.peek(event_id) === view) views.delete(event_id)
      }
      throw error
    } finally {
      this.#makeRoom(event_id)
    }
  }

  #viewOf(event_id: string, withGuests: boolean): View {
    const known = this.#withGuests.get(event_id) ?? (withGuests ? undefined : this.#counted.get(event_id))
    if (known) return known
    const view = new View(event_id, this.#sources, withGuests)
    if (withGuests) this.#counted.delete(event_id)
    const views = withGuests ? this.#withGuests : this.#counted
    views.set(event_id, view)
    return view
  }

  #makeRoom(inUse: string): void {
    let held = 0
    // The ones used last come first.
    for (const [event_id, view] of [...this.#withGuests.entries()]) {
      held += view.size
      if (held > MAX_GUESTS && event_id !== inUse) this.#withGuests.delete(event_id)
    }
  }

  async #sealAll(event_id: string): Promise<void> {
    while (!this.#isEnded) {
      const arrivedIn = await this.#inTurn(() => this.#asking(event_id, false, (view) => view.seal()))
      if (arrivedIn === undefined) return
      await sleep(Math.min(arrivedIn * PACE, LONGEST_REST_MS), undefined, { ref: false })
    }
  }

  /** Of all events one segment at a time: the door goes first, and who asks for counts comes in between. */
  #inTurn<T>(seal: () => Promise<T>): Promise<T> {
    const sealed = this.#last.then(seal)
    this.#last = sealed.catch(() => {})
    return sealed
  }

  #tend(): void {
    for (const [event_id, last] of this.#busy) {
      if (Date.now() - last > 2 * SEALED_AFTER_MS) this.#busy.delete(event_id)
      if (!this.#tended.has(event_id)) void this.#tendTo(event_id)
    }
  }

  async #tendTo(event_id: string): Promise<void> {
    this.#tended.add(event_id)
    try {
      await this.#sealAll(event_id)
    } catch (error) {
      this.#log.warn({ err: error, event_id }, 'check-ins are not sealed')
    } finally {
      this.#tended.delete(event_id)
    }
  }
}
