/** What is known beforehand of a kind of work. */
export interface PauseSettings {
  /** What a thing usually takes, as long as no quicker one was seen, in ms. */
  baselineMs: number
  /** What a piece takes beside its things, as if it were so many more. */
  fixed: number
  /** What a piece may take, as a multiple of the usual, where that is more than `DEFAULT_TOLERANCE`: small ones are less alike. */
  tolerance?: number
  /** So many times what a piece took beyond what it may is rested. */
  factor: number
  /** The longest rest for each thing of a piece, in ms: a small piece is a small burden. */
  maxPauseMs: number
  /** So long a rest for each thing a second that comes, in ms: who makes it is busy then. None unless told. */
  arrivalMs?: number
  /** What has waited for so many ms is not put off any more. */
  maxDelayMs: number
}

/** What is usual is forgotten by half in so long a time; in no more than a breath of it at once, since a night without work teaches nothing. */
const BASELINE_HALF_LIFE_MS = 10 * 60_000
const MAX_BASELINE_AGING_MS = 30_000
/** What a piece may take, as a multiple of the usual: no two are alike. */
const DEFAULT_TOLERANCE = 1.25
const MAX_PAUSE_MS = 5_000
const AVERAGED_OVER_S = 2

/**
 * How long work in the background rests between its pieces, so that it gives way to whoever is served meanwhile: in proportion to what a
 * piece took beyond its usual time, which tells how busy the database and the machine are, or to how much comes (docs/adr/0017).
 */
export class AdaptivePause {
  readonly #settings: PauseSettings
  #baseline: number
  #recordedAt: number | undefined

  constructor(settings: PauseSettings) {
    this.#settings = settings
    this.#baseline = settings.baselineMs
  }

  /** Milliseconds to rest after a piece of so many things that took so long, when what still waits is so old. */
  pauseAfter(things: number, tookMs: number, ageMs: number, now = performance.now()): number {
    const { fixed, tolerance = DEFAULT_TOLERANCE, factor, maxPauseMs, maxDelayMs } = this.#settings
    const size = things + fixed
    const since = Math.min(now - (this.#recordedAt ?? now), MAX_BASELINE_AGING_MS)
    this.#recordedAt = now
    this.#baseline = Math.min(this.#baseline * 2 ** (since / BASELINE_HALF_LIFE_MS), tookMs / size)
    const beyond = Math.max(0, tookMs - tolerance * this.#baseline * size)
    const patience = Math.max(0, 1 - ageMs / maxDelayMs)
    return Math.min(factor * beyond, maxPauseMs * things, MAX_PAUSE_MS) * patience
  }

  /** Milliseconds to rest while so many things a second come, when what still waits is so old. */
  pauseDuring(arrivals: number, ageMs: number): number {
    const { arrivalMs = 0, maxDelayMs } = this.#settings
    return Math.min(arrivalMs * arrivals, MAX_PAUSE_MS) * Math.max(0, 1 - ageMs / maxDelayMs)
  }
}

/** A rate of late, in so many a second, of what is counted up now and then. */
export class ArrivalRate {
  #count: number | undefined
  #recordedAt = 0
  #rate = 0

  /** Notes a count, which only grows, and gives the rate: what lies back two seconds counts a third. */
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
