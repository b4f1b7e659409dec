/**
 * Background work of this process. It rests while an account is about to leave for another cell (docs/cells.md): what it changed after the last
 * comparison would be lost.
 */
class Background {
  readonly #working = new Set<Promise<unknown>>()
  readonly #resting = new Set<object>()
  #awake = new AbortController()

  /** Whether it rests: whoever looks for work looks again a little later. */
  get isResting(): boolean {
    return this.#resting.size > 0
  }

  /** Aborted when it shall rest: long work then ends early. */
  get signal(): AbortSignal {
    return this.#awake.signal
  }

  /** Does a piece of work. */
  async doing<T>(work: () => Promise<T>): Promise<T> {
    const done = work()
    this.#working.add(done)
    try {
      return await done
    } finally {
      this.#working.delete(done)
    }
  }

  /** Begins no more work until `owner` lets it; resolves when what is under way has ended. */
  async rest(owner: object): Promise<void> {
    this.#resting.add(owner)
    this.#awake.abort()
    await Promise.allSettled(this.#working)
  }

  /** Lets work begin again. */
  resume(owner: object): void {
    if (this.#resting.delete(owner) && !this.isResting) this.#awake = new AbortController()
  }
}

/** The background work of this process. */
export const background = new Background()
