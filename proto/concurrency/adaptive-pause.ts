/** What is known beforehand of a kind of work. */
export interface Burden {
  /** What a thing usually takes, as long as no quicker one was seen, in ms. */
  usualMs: number
  /** What a piece takes beside its things, as if it were so many more. */
  fixed: number
  /** What a piece may take, as a multiple of the usual, where that is more than `GRANTED`: small ones are less alike. */
  granted?: number
  /** So many times what a piece took beyond what it may is rested. */
  rests: number
  /** The longest rest for each thing of a piece, in ms: a small piece is a small burden. */
  longestRestMs: number
  /** So long a rest for each thing a second that comes, in ms: who makes it is busy then. None unless told. */
  comingMs?: number
  /** What has waited for so many ms is not put off any more. */
  patienceMs: number
}

/** What is usual is forgotten by half in so long a time; in no more than a breath of it at once, since a night without work teaches nothing. */
const FORGET_MS = 10 * 60_000
const FORGET_AT_ONCE_MS = 30_000
/** What a piece may take, as a multiple of the usual: no two are alike. */
const GRANTED = 1.25
const LONGEST_REST_MS = 5_000
const LATELY_S = 2

/**
 * How long work in the background rests between its pieces, so that it gives way to whoever is served meanwhile: in proportion to what a
 * piece took beyond its usual time, which tells how busy the database and the machine are, or to how much comes (docs/adr/0017).
 */
export class Pace {
  readonly #burden: Burden
  #usual: number
  #noted: number | undefined

  constructor(burden: Burden) {
    this.#burden = burden
    this.#usual = burden.usualMs
  }

  /** Milliseconds to rest after a piece of so many things that took so long, when what still waits is so old. */
  restAfter(things: number, tookMs: number, ageMs: number, now = performance.now()): number {
    const { fixed, granted = GRANTED, rests, longestRestMs, patienceMs } = this.#burden
    const size = things + fixed
    const since = Math.min(now - (this.#noted ?? now), FORGET_AT_ONCE_MS)
    this.#noted = now
    this.#usual = Math.min(this.#usual * 2 ** (since / FORGET_MS), tookMs / size)
    const beyond = Math.max(0, tookMs - granted * this.#usual * size)
    const patience = Math.max(0, 1 - ageMs / patienceMs)
    return Math.min(rests * beyond, longestRestMs * things, LONGEST_REST_MS) * patience
  }

  /** Milliseconds to rest while so many things a second come, when what still waits is so old. */
  restWhile(coming: number, ageMs: number): number {
    const { comingMs = 0, patienceMs } = this.#burden
    return Math.min(comingMs * coming, LONGEST_REST_MS) * Math.max(0, 1 - ageMs / patienceMs)
  }
}

/** A rate of late, in so many a second, of what is counted up now and then. */
export class Inflow {
  #count: number | undefined
  #noted = 0
  #rate = 0

  /** Notes a count, which only grows, and gives the rate: what lies back two seconds counts a third. */
  note(count: number, now = performance.now()): number {
    if (this.#count !== undefined && now > this.#noted) {
      const seconds = (now - this.#noted) / 1_000
      const came = Math.max(0, count - this.#count) / seconds
      this.#rate += (came - this.#rate) * (1 - Math.exp(-seconds / LATELY_S))
    }
    this.#count = Math.max(count, this.#count ?? count)
    this.#noted = now
    return this.#rate
  }
}
