import { background } from './background.ts'

/** The longest pause of a look that would be while background work rests. */
const RESTING_MS = 1_000

interface PollerOptions {
  /** The pause after a look that found work or failed, in ms. */
  everyMs: number
  /** Pauses double up to this while looks find nothing, in ms; default: `everyMs`. */
  idleMs?: number
  /** Does what there is to do, and returns whether there was anything. It ends early once `signal` is aborted. */
  look: (signal: AbortSignal) => Promise<unknown>
  /** Called with the error of a look; nothing is called after {@link Poller.stop}. */
  onError: (error: unknown) => void
}

/**
 * Looks again and again for work that nobody announces: what a process that died has left, or what becomes due. Looks do not overlap. The timer
 * does not keep the process alive.
 */
export class Poller {
  readonly #options: PollerOptions
  readonly #ended = new AbortController()
  #pauseMs: number
  /** When the next look is, by `performance.now()`. */
  #next = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined

  constructor(options: PollerOptions) {
    this.#options = options
    this.#pauseMs = options.everyMs
  }

  /** Looks within `ms`: at once by default, or after the look that is under way. Pauses are short again. */
  wake(ms = 0): void {
    this.#pauseMs = this.#options.everyMs
    this.#plan(ms)
  }

  /** Looks no more, and resolves when the look that is under way has ended. */
  async stop(): Promise<void> {
    this.#ended.abort()
    clearTimeout(this.#timer)
    await this.#looking
  }

  #plan(ms: number): void {
    const at = performance.now() + ms
    if (at >= this.#next || this.#ended.signal.aborted) return
    this.#next = at
    if (this.#looking) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#begin(), ms).unref()
  }

  async #begin(): Promise<void> {
    this.#next = Number.POSITIVE_INFINITY
    this.#looking = this.#look()
    await this.#looking
    this.#looking = undefined
    const woken = this.#next
    this.#next = Number.POSITIVE_INFINITY
    this.#plan(Math.min(this.#pauseMs, Math.max(0, woken - performance.now())))
  }

  async #look(): Promise<void> {
    const { everyMs, idleMs = everyMs, look, onError } = this.#options
    if (background.isResting) {
      this.#pauseMs = Math.min(everyMs, RESTING_MS)
      return
    }
    try {
      const signal = AbortSignal.any([this.#ended.signal, background.signal])
      const found = await background.doing(() => look(signal))
      this.#pauseMs = found ? everyMs : Math.min(2 * this.#pauseMs, idleMs)
    } catch (error) {
      this.#pauseMs = everyMs
      if (!this.#ended.signal.aborted) onError(error)
    }
  }
}
