import { setTimeout as sleep } from 'node:timers/promises'
import type { Traces } from '@gatehouse/proto/events/domain-events.ts'
import type { OutboxEntry } from '@gatehouse/proto/events/outbox.ts'
import { tracedBy } from '@gatehouse/proto/telemetry/tracing.ts'
import { shown } from '../check-ins/presenting.ts'
import type { CheckIn } from '../check-ins/store.ts'
import { ABANDONED, type CheckInOutbox } from './outbox.ts'

const TYPE = 'check_in.created'
/** The length of a notification window. Windows begin at the same times in every process. */
const WINDOW_MS = 2_000
/** Check-ins that are stored within this time share a message, up to this number: a consumer handles a message in one go. */
const COLLECT_MS = 30
const MAX_BATCH = 50
/** The process that stored a check-in retries to publish it, at growing intervals, until another process may take the window for abandoned. */
const RETRY_MS = 200
const RETRY_FOR_MS = ABANDONED.minAgeMs - 5_000
/** How long a shutdown waits for what is being published. */
const STOP_TIMEOUT_MS = 2_000

/**
 * Publishes check-ins without a write for each (docs/adr/0006): one outbox entry stands for those of an event within two seconds, and is deleted
 * when the stream has all of them. The check-ins of an abandoned entry are read from the store.
 */
export class CheckInPublisher {
  readonly #outbox: CheckInOutbox
  /** The current window of each active event. */
  readonly #current = new Map<string, NotificationWindow>()
  readonly #all = new Set<NotificationWindow>()
  readonly #ended = new AbortController()

  constructor(outbox: CheckInOutbox) {
    this.#outbox = outbox
  }

  /** The window of check-ins of an event that arrive at `at`; undefined if no check-ins are wanted. */
  windowAt(event_id: string, at: Date): NotificationWindow | undefined {
    return this.#outbox.wants(TYPE) ? this.#windowAt(event_id, at.getTime()) : undefined
  }

  /** Publishes what was stored within a time once more, by the entries of its windows. */
  async republish(event_id: string, since: Date, until: Date): Promise<void> {
    const first = since.getTime() - (since.getTime() % WINDOW_MS)
    const count = Math.ceil((until.getTime() - first) / WINDOW_MS)
    const windows = Array.from({ length: count }, (_, n) => first + n * WINDOW_MS)
    await Promise.all(windows.map((from) => this.#outbox.add(windowOf(event_id, from), new Date(from))))
  }

  /** Publishes what is left, up to a time limit: the outbox entries are on disk. */
  async stop(): Promise<void> {
    this.#ended.abort()
    for (const window of this.#all) window.end()
    const published = Promise.all([...this.#all].map(({ over }) => over))
    await Promise.race([published, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
  }

  #windowAt(event_id: string, now: number): NotificationWindow {
    const from = now - (now % WINDOW_MS)
    const current = this.#current.get(event_id)
    if (current?.from === from && !current.hasEnded) return current
    current?.end()
    const window = new NotificationWindow(this.#outbox, event_id, from, this.#ended.signal)
    this.#current.set(event_id, window)
    this.#all.add(window)
    // Later check-ins belong to the next window, by the clock.
    const ending = setTimeout(() => window.end(), WINDOW_MS)
    void window.over.then(() => {
      clearTimeout(ending)
      this.#all.delete(window)
      if (this.#current.get(event_id) === window) this.#current.delete(event_id)
    })
    return window
  }
}

/** The check-ins of an event that arrive within one window. */
class NotificationWindow {
  readonly #outbox: CheckInOutbox
  readonly #entry: Promise<OutboxEntry<CheckIn>>
  readonly #over = Promise.withResolvers<void>()
  readonly #ended: AbortSignal
  readonly from: number
  #working = 0
  #publishingCount = 0
  #parts = 0
  #collected: CheckIn[] = []
  /** The `traceparent` of each, by `_id`, where it is traced. */
  #traces = new Map<string, string>()
  #hasEnded = false
  #isOver = false
  /** Everything that was stored is published, or will be by this process. */
  #isComplete = true

  constructor(outbox: CheckInOutbox, event_id: string, from: number, ended: AbortSignal) {
    this.#outbox = outbox
    this.#ended = ended
    this.from = from
    this.#entry = outbox.add(windowOf(event_id, from), new Date(from))
    // This window takes no check-in: the next one adds an entry of its own.
    this.#entry.catch(() => this.end())
  }

  /** Whether the window takes no more check-ins. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Resolves when nothing more of it is published. */
  get over(): Promise<void> {
    return this.#over.promise
  }

  /** Resolves when the outbox entry is on disk: then check-ins may be stored. Either `complete` or `abandon` follows, in any case. */
  begin(): Promise<unknown> {
    this.#working++
    return this.#entry
  }

  /** Publishes check-ins that are stored. */
  complete(stored: CheckIn[]): void {
    this.#collect(stored)
    this.#working--
    this.#finish()
  }

  /** It is unknown which check-ins are stored: they are published later, from the outbox entry. */
  abandon(): void {
    this.#isComplete = false
    this.#working--
    this.#finish()
  }

  /** Closes the window to further check-ins. */
  end(): void {
    this.#hasEnded = true
    void this.#publishCollected()
  }

  #collect(checkIns: CheckIn[]): void {
    if (checkIns.length === 0) return
    if (this.#collected.length === 0) setTimeout(() => void this.#publishCollected(), COLLECT_MS)
    this.#collected.push(...checkIns)
    const traceparent = tracedBy()
    if (traceparent !== undefined) for (const { _id } of checkIns) this.#traces.set(_id, traceparent)
    if (this.#collected.length >= MAX_BATCH) void this.#publishCollected()
  }

  async #publishCollected(): Promise<void> {
    const collected = this.#collected
    const traces = this.#traces
    this.#collected = []
    this.#traces = new Map()
    if (collected.length > 0) {
      this.#publishingCount++
      const batches = Array.from({ length: Math.ceil(collected.length / MAX_BATCH) }, (_, index) =>
        collected.slice(index * MAX_BATCH, (index + 1) * MAX_BATCH),
      )
      const results = await Promise.all(batches.map((batch) => this.#publish(batch, traces)))
      this.#isComplete &&= results.every((isTaken) => isTaken)
      this.#publishingCount--
    }
    this.#finish()
  }

  /** Whether the stream has taken a batch. All attempts have the same id, so it is published once. */
  async #publish(batch: CheckIn[], traces: Traces): Promise<boolean> {
    const part = this.#parts++
    const entry = await this.#entry
    for (let delay = RETRY_MS; !(await this.#outbox.publish(entry, part, batch.map(shown), traces)); delay *= 2) {
      if (this.#ended.aborted || Date.now() + delay > this.from + RETRY_FOR_MS) return false
      await sleep(delay, undefined, { signal: this.#ended }).catch(() => {})
    }
    return true
  }

  /** Removes the outbox entry when nothing more is to be published. If something could not be, the entry stays for recovery. */
  #finish(): void {
    if (this.#isOver || !this.#hasEnded || this.#working + this.#publishingCount + this.#collected.length > 0) return
    this.#isOver = true
    if (this.#isComplete) void this.#entry.then((entry) => this.#outbox.remove(entry))
    this.#over.resolve()
  }
}

/** The content of the entry of a window that begins at `from`. */
function windowOf(event_id: string, from: number) {
  return { type: TYPE, event_id, items: [], until: new Date(from + WINDOW_MS) } as const
}
