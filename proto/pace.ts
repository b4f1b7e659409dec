/** What a thing usually takes as long as nothing is known, in ms. */
const FIRST_USUAL_MS = 0.2
/** What a piece takes beside its things, as if it were so many more. */
const FIXED = 50
/** What is usual is forgotten by half in so long a time; in no more than a breath of it at once, since a night without work teaches nothing. */
const FORGET_MS = 10 * 60_000
const FORGET_AT_ONCE_MS = 30_000
/** What a piece may take, as a multiple of the usual: no two are alike. */
const GRANTED = 1.25
/** So many times what it took beyond that is rested. */
const RESTS = 60
const LONGEST_REST_MS = 5_000
/** A small piece is a small burden: no longer for each of its things. */
const LONGEST_REST_A_THING_MS = 20
/** What has waited for so long is not put off any more. */
const PATIENCE_MS = 40_000

/**
 * How long work in the background rests between its pieces, so that it gives way to whoever is served meanwhile: in proportion to what a
 * piece took beyond its usual time, which tells how busy the database and the machine are (docs/adr/0017).
 */
export class Pace {
  #usual = FIRST_USUAL_MS
  #noted: number | undefined

  /** Milliseconds to rest after a piece of so many things that took so long, when what still waits is so old. */
  restAfter(things: number, tookMs: number, ageMs: number, now = performance.now()): number {
    const size = things + FIXED
    const since = Math.min(now - (this.#noted ?? now), FORGET_AT_ONCE_MS)
    this.#noted = now
    this.#usual = Math.min(this.#usual * 2 ** (since / FORGET_MS), tookMs / size)
    const beyond = Math.max(0, tookMs - GRANTED * this.#usual * size)
    const patience = Math.max(0, 1 - ageMs / PATIENCE_MS)
    return Math.min(RESTS * beyond, LONGEST_REST_A_THING_MS * things, LONGEST_REST_MS) * patience
  }
}
