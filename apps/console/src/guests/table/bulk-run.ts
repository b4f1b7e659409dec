import { patiently } from '../../server/patience.ts'
import { asRefusal, type GatehouseError, newKey } from '../../server/server.ts'
import type { SelectedGuest } from './selection.ts'

/** Requests at a time: browsers open six connections to a host. */
const WORKERS = 6
/** Errors about the guest itself. Others are about the way or the session, and stop the work. */
const ABOUT_GUEST = new Set([400, 404, 409, 413, 422])

/** Something that is done to many guests. */
export interface BulkAct {
  /** How many guests a request is about. */
  size: number
  /** Does it, under the same key once. Returns why it failed with some of them, each in its place. */
  send: (guests: readonly SelectedGuest[], key: string) => Promise<(string | undefined)[]>
}

/** A guest with whom it failed, and why. */
export interface FailedGuest {
  guest: SelectedGuest
  problem: string
}

/** Guests of one request. */
interface Step {
  guests: SelectedGuest[]
  key: string
}

/** Something that is being done to many guests, in small steps, until it is stopped or done. */
export class BulkRun {
  readonly #act: BulkAct
  readonly #wordsOf: (refusal: GatehouseError) => string
  readonly #onChange: () => void
  readonly #waiting: Step[]
  #stopping = new AbortController()
  readonly count: number
  readonly failed: FailedGuest[] = []
  succeeded = 0
  isRunning = false
  /** Why it has stopped. */
  error: GatehouseError | undefined

  /** `wordsOf` says why a guest was refused. */
  constructor(
    guests: readonly SelectedGuest[],
    act: BulkAct,
    wordsOf: (refusal: GatehouseError) => string,
    onChange: () => void,
  ) {
    this.#act = act
    this.#wordsOf = wordsOf
    this.#onChange = onChange
    this.count = guests.length
    const steps = Array.from({ length: Math.ceil(guests.length / act.size) }, (_, index) => ({
      guests: guests.slice(index * act.size, (index + 1) * act.size),
      key: newKey(),
    }))
    this.#waiting = steps.reverse()
  }

  get done(): number {
    return this.succeeded + this.failed.length
  }

  get isOver(): boolean {
    return this.done === this.count
  }

  /** Those with whom it failed, and those who still wait. */
  get rest(): SelectedGuest[] {
    return [...this.failed.map(({ guest }) => guest), ...this.#waiting.flatMap(({ guests }) => guests)]
  }

  /** Starts, or goes on. */
  async run(): Promise<void> {
    if (this.isRunning) return
    this.isRunning = true
    this.error = undefined
    this.#stopping = new AbortController()
    await Promise.all(Array.from({ length: WORKERS }, () => this.#work()))
    this.isRunning = false
    this.#onChange()
  }

  /** Stops after the requests that are on the way. */
  stop(): void {
    this.isRunning = false
    this.#stopping.abort()
  }

  async #work(): Promise<void> {
    while (this.isRunning) {
      const step = this.#waiting.pop()
      if (!step) return
      await this.#take(step)
      this.#onChange()
    }
  }

  async #take(step: Step): Promise<void> {
    const { signal } = this.#stopping
    try {
      const problems = await patiently(() => this.#act.send(step.guests, step.key), signal)
      for (const [index, guest] of step.guests.entries()) this.#note(guest, problems[index])
    } catch (problem) {
      const refusal = asRefusal(problem)
      if (isAboutGuest(refusal)) {
        for (const guest of step.guests) this.#note(guest, this.#wordsOf(refusal))
        return
      }
      this.#waiting.push(step)
      if (signal.aborted) return
      this.error = refusal
      this.stop()
    }
  }

  #note(guest: SelectedGuest, problem: string | undefined): void {
    if (problem === undefined) this.succeeded++
    else this.failed.push({ guest, problem })
  }
}

function isAboutGuest({ status, retryAfter }: GatehouseError): boolean {
  return ABOUT_GUEST.has(status) && retryAfter === undefined
}
