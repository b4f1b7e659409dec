import type { Askable } from '@gatehouse/proto/bus/bus.ts'
import { requesterFor } from '@gatehouse/proto/bus/client.ts'
import type { Reply } from '@gatehouse/proto/bus/messages.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { statistics } from '../permissions.ts'

/** The least time between two answers. */
const MIN_PAUSE_MS = 1_000
/** The pause after an answer, in multiples of the time that it took: statistics give way to the door (docs/adr/0009). */
const PAUSE_FACTOR = 10
const MAX_PAUSE_MS = 30_000
/** How often statistics are requested in any case: not every change is published (deletions, signatures, categories). */
const REFRESH_EVERY_MS = 3_000

/** A listener to live events, who may want statistics too. */
export interface StatisticsListener {
  /** Takes the statistics of the event, as JSON. */
  receiveStatistics?(json: string): void
}

/** Requests the statistics of an event, again and again while listeners want them, and returns the answers to those. */
export class StatisticsFeed {
  readonly #request: () => Promise<Reply>
  readonly #log: Log
  readonly #listeners: ReadonlySet<StatisticsListener>
  #refreshing: NodeJS.Timeout | undefined
  /** Set while a request waits or is under way. */
  #requesting: NodeJS.Timeout | undefined
  #nextRequest = 0
  /** Something may have changed since the last request. */
  #isStale = false
  #ended = false

  constructor(home: Askable, log: Log, eventId: string, listeners: ReadonlySet<StatisticsListener>) {
    const follow = requesterFor(home, statistics, 'follow')
    this.#request = () => follow({ body: { event_id: eventId } })
    this.#log = log
    this.#listeners = listeners
  }

  start(): void {
    this.#refreshing = setInterval(() => this.refresh(), REFRESH_EVERY_MS)
    this.#refreshing.unref()
  }

  /** Requests the statistics as soon as the pause is over, if any listener wants them. */
  refresh(): void {
    this.#isStale = true
    if (this.#ended || this.#requesting || !this.#areWanted()) return
    const wait = Math.max(0, this.#nextRequest - performance.now())
    this.#requesting = setTimeout(() => void this.#send(), wait)
  }

  end(): void {
    this.#ended = true
    clearInterval(this.#refreshing)
    clearTimeout(this.#requesting)
  }

  async #send(): Promise<void> {
    // The answer may miss what happens from here on.
    this.#isStale = false
    const begun = performance.now()
    try {
      const { body } = await this.#request()
      const json = Buffer.from(body).toString()
      for (const listener of this.#listeners) listener.receiveStatistics?.(json)
    } catch (error) {
      this.#log.info({ err: error }, 'cannot read statistics for live feeds')
    } finally {
      this.#requesting = undefined
      const now = performance.now()
      this.#nextRequest = now + Math.min(Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * (now - begun)), MAX_PAUSE_MS)
      if (this.#isStale) this.refresh()
    }
  }

  #areWanted(): boolean {
    return this.#listeners.values().some(({ receiveStatistics }) => receiveStatistics !== undefined)
  }
}
