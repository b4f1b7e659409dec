/** The settings of one kind of background work. A chunk of work handles a number of things. */
export interface PauseSettings {
  /** How long a thing usually takes, in ms, until a quicker one is seen. */
  baselineMs: number
  /** The fixed costs of a chunk, as a number of things. */
  fixed: number
  /** How long a chunk may take, as a multiple of the usual time; small chunks vary more than `DEFAULT_TOLERANCE`. */
  tolerance?: number
  /** The pause as a multiple of the time by which a chunk exceeded what it may take. */
  factor: number
  /** The longest pause for each thing of a chunk, in ms: a small chunk is a small burden. */
  maxPauseMs: number
  /** The pause for each thing that arrives in a second, in ms: their producers are busy then. Default 0. */
  arrivalMs?: number
  /** Work that has waited for this long, in ms, is not paused any more. */
  maxDelayMs: number
}

/** The usual time doubles in so long unless a quicker chunk is seen. Idle time counts only up to the second limit. */
const BASELINE_HALF_LIFE_MS = 10 * 60_000
const MAX_BASELINE_AGING_MS = 30_000
const DEFAULT_TOLERANCE = 1.25
const MAX_PAUSE_MS = 5_000
const AVERAGED_OVER_S = 2

/**
 * The pauses between chunks of background work, which gives way to requests. They grow with the time that a chunk took beyond the usual, which
 * shows how busy database and machine are, or with the rate of arrivals (docs/adr/0009).
 */
export class AdaptivePause {
  readonly #settings: PauseSettings
  #baseline: number
  #recordedAt: number | undefined

  constructor(settings: PauseSettings) {
    this.#settings = settings
    this.#baseline = settings.baselineMs
  }

  /** The pause, in ms, after a chunk that took `tookMs`, while the oldest waiting work is `ageMs` old. */
  pauseAfter(things: number, tookMs: number, ageMs: number, now = performance.now()): number {
    const { fixed, tolerance = DEFAULT_TOLERANCE, factor, maxPauseMs, maxDelayMs } = this.#settings
    const size = things + fixed
    const since = Math.min(now - (this.#recordedAt ?? now), MAX_BASELINE_AGING_MS)
    this.#recordedAt = now
    this.#baseline = Math.min(this.#baseline * 2 ** (since / BASELINE_HALF_LIFE_MS), tookMs / size)
    const beyond = Math.max(0, tookMs - tolerance * this.#baseline * size)
    const share = Math.max(0, 1 - ageMs / maxDelayMs)
    return Math.min(factor * beyond, maxPauseMs * things, MAX_PAUSE_MS) * share
  }

  /** The pause, in ms, at a rate of `arrivals` a second, while the oldest waiting work is `ageMs` old. */
  pauseDuring(arrivals: number, ageMs: number): number {
    const { arrivalMs = 0, maxDelayMs } = this.#settings
    return Math.min(arrivalMs * arrivals, MAX_PAUSE_MS) * Math.max(0, 1 - ageMs / maxDelayMs)
  }
}

/** The recent rate, a second, of a counter that is read now and then. */
export class ArrivalRate {
  #count: number | undefined
  #recordedAt = 0
  #rate = 0

  /** Records the counter, which only grows, and returns the rate; arrivals of two seconds ago weigh a third. */
  record(count: number, now = performance.now()): number {
    if (this.#count !== undefined && now > this.#recordedAt) {
      const seconds = (now - this.#recordedAt) / 1_000
      const came = Math.max(0, count - this.#count) / seconds
      this.#rate += (came - this.#rate) * (1 - Math.exp(-seconds / AVERAGED_OVER_S))
    }
    this.#count = Math.max(count, this.#count ?? count)
    this.#recordedAt = now
    return this.#rate
  }
}
