import { setTimeout as sleep } from 'node:timers/promises'
import type { Consumer, JsMsg } from '@nats-io/jetstream'
import { background } from '../concurrency/background.ts'
import { yieldingPause } from '../concurrency/yielding-pause.ts'
import type { Log } from '../process/log.ts'

/** The result of a chunk of messages. */
export interface BatchResult {
  /** How many things of its messages needed work. */
  things: number
  /** How long that took, in ms. */
  tookMs: number
}

/** Background work that waits in a JetStream consumer. */
interface BatchConsumerOptions {
  /** Returns the consumer, and creates a missing one. */
  open: () => Promise<Consumer>
  /** Works on the messages of a chunk, and acknowledges or postpones each. */
  work: (messages: JsMsg[]) => Promise<BatchResult>
  /** Since when the work of a message has been waiting, in ms since 1970. */
  waitingSince: (message: JsMsg) => number
  /** Approximate things of a chunk, the maximum of its messages, and the maximum after a long pause (default: the same). */
  max: { things: number; messages: number; whileBusy?: number }
  /** The pause after a chunk without any work, in ms; default 0. */
  idleMs?: number
  /** Work that has waited for this long, in ms, is no longer paused. */
  patienceMs: number
  /** The age of waiting work, in ms, from which on it is logged. */
  lateMs: number
  /** Ends the work. */
  signal: AbortSignal
  log: Log
}

/** A chunk may have this many times the messages of the last one. The first has one message, so that work begins at once. */
const GROWTH = 4
/** How long a fetch waits for a new message, and for messages that are known to wait, in ms. */
const EXPIRES_MS = 5_000
const EXPIRES_SOON_MS = 1_000
/** A longer pause means that others are busy. */
const BUSY_MS = 1_000
const RETRY_MS = 1_000
const RESTING_MS = 100
const WARN_EVERY_MS = 60_000

/**
 * Works on the messages of a consumer in chunks, one after the other. A chunk has the next message and those that wait behind it, up to a bound
 * that grows. Further messages stay in the stream, where they cost nothing (docs/adr/0009).
 */
export class BatchConsumer {
  readonly #options: BatchConsumerOptions
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(options: BatchConsumerOptions) {
    this.#options = options
  }

  /** Works until the signal is aborted, and finishes its chunk. Retries while JetStream is away. */
  async run(): Promise<void> {
    const { open, signal, log } = this.#options
    while (!signal.aborted) {
      try {
        await this.#consume(await open())
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'reading from JetStream failed; retrying')
      }
      await this.#pause(RETRY_MS)
    }
  }

  async #consume(consumer: Consumer): Promise<void> {
    const { work, max, signal } = this.#options
    for (let bound = 1; !signal.aborted; ) {
      const messages = await this.#next(consumer, bound)
      if (messages.length === 0) continue
      while (background.isResting && !signal.aborted) await this.#pause(RESTING_MS)
      const { things, tookMs } = await background.doing(() => work(messages))
      const maxMessages = Math.ceil((max.things * messages.length) / Math.max(1, things))
      const pauseMs = this.#pauseAfter(messages, things, tookMs)
      // While others are busy a chunk only finds out whether they still are: a large one would delay them.
      const few = pauseMs > BUSY_MS ? max.whileBusy : undefined
      bound = Math.min(maxMessages, GROWTH * messages.length, few ?? max.messages)
      await this.#pause(pauseMs)
    }
  }

  #pauseAfter(messages: JsMsg[], things: number, tookMs: number): number {
    const { idleMs = 0, patienceMs } = this.#options
    // Without work the duration does not show how busy the machine is.
    return things === 0 ? idleMs : yieldingPause(tookMs, this.#ageBehind(messages), patienceMs)
  }

  /** Waits for the next message and returns it with those behind it, up to `bound`; none after a timeout. */
  async #next(consumer: Consumer, bound: number): Promise<JsMsg[]> {
    const [first] = await this.#fetch(consumer, 1, EXPIRES_MS)
    if (!first) return []
    const more = Math.min(first.info.pending, bound - 1)
    return more > 0 ? [first, ...(await this.#fetch(consumer, more, EXPIRES_SOON_MS))] : [first]
  }

  async #fetch(consumer: Consumer, max_messages: number, expires: number): Promise<JsMsg[]> {
    const { signal } = this.#options
    if (signal.aborted) return []
    const messages = await consumer.fetch({ max_messages, expires })
    const stop = () => messages.stop()
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    try {
      return await Array.fromAsync(messages)
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** The age of the work that waits behind these messages, in ms; 0 if none waits. */
  #ageBehind(messages: JsMsg[]): number {
    const { lateMs, log } = this.#options
    const last = messages.findLast(({ redelivered }) => !redelivered)
    if (!last || last.info.pending === 0) return 0
    const age = this.#ageOf(last)
    if (age > lateMs && performance.now() - this.#warnedAt > WARN_EVERY_MS) {
      this.#warnedAt = performance.now()
      const found = { late_s: Math.round(age / 1_000), messages: last.info.pending }
      log.info(found, 'background work is running late: the database or the machine is busy')
    }
    return age
  }

  #ageOf(message: JsMsg): number {
    return Date.now() - this.#options.waitingSince(message)
  }

  async #pause(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.#options.signal }).catch(() => {})
  }
}
