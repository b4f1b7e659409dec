import { setTimeout as sleep } from 'node:timers/promises'
import type { Consumer, JsMsg } from '@nats-io/jetstream'
import { AdaptivePause, ArrivalRate, type PauseSettings } from '../concurrency/adaptive-pause.ts'
import type { Log } from '../process/log.ts'

/** What came of a piece. */
export interface BatchResult {
  /** Things in its messages for which something was done. */
  things: number
  /** What that took, in ms. */
  tookMs: number
}

/** Work in the background that waits in a consumer of JetStream. */
interface BatchConsumerOptions {
  /** Gives the consumer, which it makes where it is missing. */
  open: () => Promise<Consumer>
  /** Works on the messages of a piece, and says of each that it is done, or when it comes again. */
  work: (messages: JsMsg[]) => Promise<BatchResult>
  /** Since when what a message tells of has been waiting, in ms since 1970. */
  waitingSince: (message: JsMsg) => number
  /** Things of a piece, about, and its messages at most; those of a piece behind a long rest, as many as ever unless told. */
  max: { things: number; messages: number; whileBusy?: number }
  /** The rest after a piece of which there was nothing to do, in ms; none unless told. */
  idleMs?: number
  /** What it takes, by which it gives way to whoever is served meanwhile: it rests between its pieces. */
  pauseSettings: PauseSettings
  /** How old what waits is before the log says so, in ms. */
  lateMs: number
  /** Ends the work. */
  signal: AbortSignal
  log: Log
}

/** How many times more messages a piece may have than the last: the first one is worked on at once. */
const GROWTH = 4
/** How long a message is waited for before it is asked for anew, and how long those that wait already. */
const EXPIRES_MS = 5_000
const EXPIRES_SOON_MS = 1_000
/** Whoever has to rest for longer is in the way of others. */
const BUSY_MS = 1_000
/** When it is tried again what failed. */
const RETRY_MS = 1_000
/** How often the log says that work is late. */
const WARN_EVERY_MS = 60_000

/**
 * Works on the messages of a consumer in pieces, one after the other: the next one as soon as there is one, with so many more as wait by then, up to
 * a bound that grows. What comes meanwhile stays in the stream, where it costs nothing (docs/adr/0017).
 */
export class BatchConsumer {
  readonly #options: BatchConsumerOptions
  readonly #adaptivePause: AdaptivePause
  readonly #arrivalRate = new ArrivalRate()
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(options: BatchConsumerOptions) {
    this.#options = options
    this.#adaptivePause = new AdaptivePause(options.pauseSettings)
  }

  /** Works until the signal comes, and ends the piece in work. JetStream may be away; it is tried again until it is there. */
  async run(): Promise<void> {
    const { open, signal, log } = this.#options
    while (!signal.aborted) {
      try {
        await this.#consume(await open())
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'what waits in JetStream can not be worked on; it is tried again')
      }
      await this.#pause(RETRY_MS)
    }
  }

  async #consume(consumer: Consumer): Promise<void> {
    const { work, max, signal } = this.#options
    for (let bound = 1; !signal.aborted; ) {
      const messages = await this.#next(consumer, bound)
      if (messages.length === 0) continue
      const { things, tookMs } = await work(messages)
      const maxMessages = Math.ceil((max.things * messages.length) / Math.max(1, things))
      const pauseMs = this.#pauseAfter(messages, things, tookMs)
      // While others are busy a piece is there to find out whether they still are: a large one would hold them up.
      const few = pauseMs > BUSY_MS ? max.whileBusy : undefined
      bound = Math.min(maxMessages, GROWTH * messages.length, few ?? max.messages)
      await this.#pause(pauseMs)
    }
  }

  #pauseAfter(messages: JsMsg[], things: number, tookMs: number): number {
    const { idleMs = 0 } = this.#options
    const arrivals = this.#arrivalRate.record(Math.max(...messages.map(({ seq, info }) => seq + info.pending)))
    // Where there was nothing to do it tells nothing of how busy the machine is.
    if (things === 0) return idleMs
    const age = this.#ageBehind(messages)
    const perMessage = things / messages.length
    return Math.max(
      this.#adaptivePause.pauseAfter(things, tookMs, age),
      this.#adaptivePause.pauseDuring(arrivals * perMessage, age),
    )
  }

  /** The next message, as soon as there is one, and those behind it, up to a bound; none when it is time to ask anew. */
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

  /** How old what waits behind these is, in ms; 0 when nothing does. */
  #ageBehind(messages: JsMsg[]): number {
    const { lateMs, log } = this.#options
    const last = messages.findLast(({ redelivered }) => !redelivered)
    if (!last || last.info.pending === 0) return 0
    const age = this.#ageOf(last)
    if (age > lateMs && performance.now() - this.#warnedAt > WARN_EVERY_MS) {
      this.#warnedAt = performance.now()
      const found = { late_s: Math.round(age / 1_000), messages: last.info.pending }
      log.info(found, 'work is put off: the database or the machine is busy')
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
