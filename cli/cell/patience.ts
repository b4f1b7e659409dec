import { setTimeout as sleep } from 'node:timers/promises'
import type { Askable } from '@gatehouse/proto/bus/bus.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'

/** How long an answer may take while an account can be used. */
const OPEN_MS = 30_000
/** The least that it may take while the account is closed: then what is lost with a process is asked again soon. */
const CLOSED_MS = 1_500
const PAUSE_MS = 50
/** Nobody waits for longer for a system that does not answer. */
const LONGEST_MS = 120_000

/** How long services have to answer, and when the command stops asking them. */
export class Patience {
  /** Ends what is asked. */
  signal: AbortSignal | undefined
  /** How often something was asked again: the first time may still be answered by a process that was paused, and change something. */
  repeated = 0
  #answerMs = OPEN_MS
  #longestMs = 0

  /** How long the longest answer took since this was asked last. */
  takeLongest(): number {
    const longest = this.#longestMs
    this.#longestMs = 0
    return longest
  }

  /** Gives answers twice as long as the longest one has taken. */
  hurry(signal: AbortSignal, longestMs: number): void {
    this.signal = signal
    this.#answerMs = Math.max(CLOSED_MS, 2 * longestMs)
  }

  /** Has all the time again. */
  rest(): void {
    this.signal = undefined
    this.#answerMs = OPEN_MS
  }

  /** Someone whom nothing is asked in vain: all that is asked may be repeated. */
  with({ call, ...askable }: Askable): Askable {
    return {
      ...askable,
      call: async (subject, meta, body) => {
        const until = performance.now() + LONGEST_MS
        for (;;) {
          const begun = performance.now()
          try {
            const reply = await this.until(call(subject, { ...meta, budget: this.#answerMs }, body))
            this.#longestMs = Math.max(this.#longestMs, performance.now() - begun)
            return reply
          } catch (error) {
            this.signal?.throwIfAborted()
            const isPassing = error instanceof Fault && ['unavailable', 'conflict'].includes(error.code)
            if (!isPassing || performance.now() > until) throw error
            this.repeated++
            await sleep(PAUSE_MS)
          }
        }
      },
    }
  }

  /** The result of work, unless the signal comes first. */
  async until<T>(work: Promise<T>): Promise<T> {
    const { signal } = this
    if (!signal) return work
    signal.throwIfAborted()
    const { promise, reject } = Promise.withResolvers<never>()
    const end = (): void => reject(signal.reason)
    signal.addEventListener('abort', end)
    work.catch(() => {})
    try {
      return await Promise.race([work, promise])
    } finally {
      signal.removeEventListener('abort', end)
    }
  }
}
