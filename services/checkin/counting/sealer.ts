import { setTimeout as sleep } from 'node:timers/promises'
import { background } from '@gatehouse/proto/concurrency/background.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { CheckInStore } from '../check-ins/store.ts'
import type { EventTotals } from './event-totals.ts'
import { SEALED_AFTER_MS } from './segments.ts'

const SEAL_EVERY_MS = 30_000
/**
 * An event is sealed little faster than its check-ins arrived: those of two minutes over the next two minutes. A small part of each
 * second does not hold up the door; seconds in a row do.
 */
const SEAL_PAUSE_FACTOR = 0.8
/** After the first segment, or one of many minutes. */
const MAX_PAUSE_MS = 5_000

/** Seals the check-ins of events in the background, where this process has stored some. */
export class Sealer {
  readonly #eventTotals: EventTotals
  readonly #checkIns: Pick<CheckInStore, 'activeEvents'>
  readonly #log: Log
  readonly #timer: NodeJS.Timeout
  /** Events that are being sealed. */
  readonly #sealing = new Set<string>()
  #isEnded = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(eventTotals: EventTotals, checkIns: Pick<CheckInStore, 'activeEvents'>, log: Log) {
    this.#eventTotals = eventTotals
    this.#checkIns = checkIns
    this.#log = log
    // Processes take different moments: what one has sealed the others need not read.
    this.#timer = setInterval(() => this.#sealDue(), SEAL_EVERY_MS * (0.9 + 0.2 * Math.random()))
    this.#timer.unref()
  }

  /** Seals no more segments. */
  stop(): void {
    clearInterval(this.#timer)
    this.#isEnded = true
  }

  #sealDue(): void {
    if (background.isResting) return
    for (const event_id of this.#checkIns.activeEvents(2 * SEALED_AFTER_MS)) {
      if (!this.#sealing.has(event_id)) void this.#sealEvent(event_id)
    }
  }

  async #sealEvent(event_id: string): Promise<void> {
    this.#sealing.add(event_id)
    try {
      await this.#sealAll(event_id)
    } catch (error) {
      this.#log.warn({ err: error, event_id }, 'sealing check-ins failed')
    } finally {
      this.#sealing.delete(event_id)
    }
  }

  async #sealAll(event_id: string): Promise<void> {
    while (!this.#isEnded) {
      const arrivedIn = await this.#inTurn(() => this.#eventTotals.seal(event_id))
      if (arrivedIn === undefined) return
      await sleep(Math.min(SEAL_PAUSE_FACTOR * arrivedIn, MAX_PAUSE_MS), undefined, { ref: false })
    }
  }

  /** Seals one segment of all events at a time: the door goes first, and counts are read in between. */
  #inTurn<T>(seal: () => Promise<T>): Promise<T> {
    const sealed = this.#last.then(() => background.doing(seal))
    this.#last = sealed.catch(() => {})
    return sealed
  }
}
