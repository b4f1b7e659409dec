import { setTimeout as sleep } from 'node:timers/promises'
import type { Outbox, OutboxEntry } from '@gatehouse/proto/events/outbox.ts'
import type { CheckIn } from '../check-ins/store.ts'

/** Where it is noted that check-ins are about to be stored; which ones is not known before. */
export type CheckInOutbox = Outbox<never>

const TYPE = 'check_in.created'
/** How long a stretch is. They begin at the same moments in every process. */
const WINDOW_MS = 2_000
/** What is stored within so long a time is told together, but so many at most: whoever hears of a message works on it at once. */
const COLLECT_MS = 30
const MAX_BATCH = 50
/** A stretch that began so long ago was left behind: longer than the door is at a flush. One may be thousands of check-ins. */
export const ABANDONED = { youngMs: 20_000, together: 2 }
/** What the stream does not take is tried again by whoever stored it, at growing intervals, as long as nobody else can be at it. */
const RETRY_MS = 200
const RETRY_FOR_MS = ABANDONED.youngMs - 5_000
/** How long the end of a process waits for what is being told. */
const STOP_TIMEOUT_MS = 2_000

/**
 * Tells of check-ins, without a write for each (docs/adr/0021): a note on disk says that check-ins of an event happen within two seconds, and goes
 * when the stream has all of them. What a note that was left behind speaks of is read from the store.
 */
export class CheckInPublisher {
  readonly #outbox: CheckInOutbox
  /** The present stretch of each event that is busy. */
  readonly #current = new Map<string, NotificationWindow>()
  readonly #all = new Set<NotificationWindow>()
  readonly #ended = new AbortController()

  constructor(outbox: CheckInOutbox) {
    this.#outbox = outbox
  }

  /**
   * Does what stores check-ins of an event that came at `at`, and has those told that `storedBy` says it stored. When it throws, whatever
   * it stored is told later.
   */
  async publishing<T>(
    event_id: string,
    at: Date,
    work: () => Promise<T>,
    storedBy: (done: T) => CheckIn[],
  ): Promise<T> {
    if (!this.#outbox.wants(TYPE)) return work()
    return this.#at(event_id, at.getTime()).publishing(work, storedBy)
  }

  /** Tells what is still to be told, but does not wait for ever: the notes are on disk. */
  async stop(): Promise<void> {
    this.#ended.abort()
    for (const window of this.#all) window.end()
    const published = Promise.all([...this.#all].map(({ over }) => over))
    await Promise.race([published, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
  }

  #at(event_id: string, now: number): NotificationWindow {
    const from = now - (now % WINDOW_MS)
    const current = this.#current.get(event_id)
    if (current?.from === from && !current.hasEnded) return current
    current?.end()
    const window = new NotificationWindow(this.#outbox, event_id, from, this.#ended.signal)
    this.#current.set(event_id, window)
    this.#all.add(window)
    // Whoever comes later has a stretch of their own, by the clock; by this one nobody comes any more.
    const ending = setTimeout(() => window.end(), WINDOW_MS)
    void window.over.then(() => {
      clearTimeout(ending)
      this.#all.delete(window)
      if (this.#current.get(event_id) === window) this.#current.delete(event_id)
    })
    return window
  }
}

/** The check-ins of an event that came within a stretch of time. */
class NotificationWindow {
  readonly #outbox: CheckInOutbox
  readonly #entry: Promise<OutboxEntry<never>>
  readonly #over = Promise.withResolvers<void>()
  readonly #ended: AbortSignal
  readonly from: number
  #working = 0
  #publishingCount = 0
  #parts = 0
  #collected: CheckIn[] = []
  #hasEnded = false
  #isOver = false
  /** Everything that was stored is told, or will be by this process. */
  #isComplete = true

  constructor(outbox: CheckInOutbox, event_id: string, from: number, ended: AbortSignal) {
    this.#outbox = outbox
    this.#ended = ended
    this.from = from
    const window = { type: TYPE, event_id, items: [], until: new Date(from + WINDOW_MS) } as const
    this.#entry = outbox.add(window, new Date(from))
    // Nobody gets in by this one: who comes next notes anew.
    this.#entry.catch(() => this.end())
  }

  /** Whether nobody comes any more. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Resolves when nothing more is told of it. */
  get over(): Promise<void> {
    return this.#over.promise
  }

  async publishing<T>(work: () => Promise<T>, storedBy: (done: T) => CheckIn[]): Promise<T> {
    this.#working++
    try {
      await this.#entry
      const done = await work()
      this.#collect(storedBy(done))
      return done
    } catch (error) {
      this.#isComplete = false
      throw error
    } finally {
      this.#working--
      this.#finish()
    }
  }

  /** Has nobody come any more. */
  end(): void {
    this.#hasEnded = true
    void this.#publishCollected()
  }

  #collect(checkIns: CheckIn[]): void {
    if (checkIns.length === 0) return
    if (this.#collected.length === 0) setTimeout(() => void this.#publishCollected(), COLLECT_MS)
    this.#collected.push(...checkIns)
    if (this.#collected.length >= MAX_BATCH) void this.#publishCollected()
  }

  async #publishCollected(): Promise<void> {
    const collected = this.#collected
    this.#collected = []
    if (collected.length > 0) {
      this.#publishingCount++
      const batches = Array.from({ length: Math.ceil(collected.length / MAX_BATCH) }, (_, index) =>
        collected.slice(index * MAX_BATCH, (index + 1) * MAX_BATCH),
      )
      const results = await Promise.all(batches.map((batch) => this.#publish(batch)))
      this.#isComplete &&= results.every((isTaken) => isTaken)
      this.#publishingCount--
    }
    this.#finish()
  }

  /** Whether the stream has taken a piece; under the same id however often it is tried, so that it is told once. */
  async #publish(batch: CheckIn[]): Promise<boolean> {
    const part = this.#parts++
    const entry = await this.#entry
    for (let delay = RETRY_MS; !(await this.#outbox.publish(entry, part, batch)); delay *= 2) {
      if (this.#ended.aborted || Date.now() + delay > this.from + RETRY_FOR_MS) return false
      await sleep(delay, undefined, { signal: this.#ended }).catch(() => {})
    }
    return true
  }

  /** Takes the note away when there is nothing more to tell. What could not be told is told by what the note says. */
  #finish(): void {
    if (this.#isOver || !this.#hasEnded || this.#working + this.#publishingCount + this.#collected.length > 0) return
    this.#isOver = true
    if (this.#isComplete) void this.#entry.then((entry) => this.#outbox.remove(entry))
    this.#over.resolve()
  }
}
