import { setTimeout as sleep } from 'node:timers/promises'

/** After a run it rests for this multiple of its duration. The limit keeps a caller, who may wait for a run, a rest and another run, within its deadline. */
const REST = 9
const MAX_REST_MS = 6_000

/**
 * Repeats some work whenever it is asked for, one run at a time, with rests: short runs take a tenth of the time, and long ones are expected to rest by
 * themselves. Callers share a run that begins after they came.
 */
export class Paced {
  readonly #work: () => Promise<void>
  #waiting: Promise<void> | undefined
  #rested: Promise<unknown> = Promise.resolve()

  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  /** Resolves or rejects with a run that began after the call. */
  run(): Promise<void> {
    this.#waiting ??= this.#rested.then(() => this.#begin())
    return this.#waiting
  }

  async #begin(): Promise<void> {
    this.#waiting = undefined
    const begun = performance.now()
    const run = this.#work()
    this.#rested = run
      .catch(() => {})
      .then(() => sleep(Math.min(REST * (performance.now() - begun), MAX_REST_MS), undefined, { ref: false }))
    return run
  }
}
