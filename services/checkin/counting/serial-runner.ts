import { setTimeout as sleep } from 'node:timers/promises'

/** Work that is not urgent pauses this many times as long as a piece of it took, up to a limit in all. */
const PAUSE_FACTOR = 3
const MAX_PAUSES_MS = 12_000

/** Does one piece of work at a time, with pauses unless an urgent caller waits. */
export class SerialRunner {
  readonly #waiting = new Map<string, Promise<unknown>>()
  #last: Promise<unknown> = Promise.resolve()
  #urgentCalls = 0
  /** How long the current work has paused, in ms. */
  #paused = 0

  /** Runs jobs one at a time, in order. Callers share a job of the same name that has not begun; one that has begun may have read too early. */
  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(name) as Promise<T> | undefined
    if (waiting) return waiting
    const running = this.#last.then(() => {
      this.#waiting.delete(name)
      this.#paused = 0
      return work()
    })
    this.#waiting.set(name, running)
    this.#last = running
    return running
  }

  /** Until this is answered nothing pauses, not even work that began before. */
  async urgently<T>(ask: () => Promise<T>): Promise<T> {
    this.#urgentCalls++
    try {
      return await ask()
    } finally {
      this.#urgentCalls--
    }
  }

  /** Pauses after a piece of work, which took this long. */
  readonly pause = async (tookMs: number): Promise<void> => {
    const ms = Math.min(PAUSE_FACTOR * tookMs, MAX_PAUSES_MS - this.#paused)
    if (this.#urgentCalls > 0 || ms <= 0) return
    this.#paused += ms
    await sleep(ms, undefined, { ref: false })
  }
}
