import { patiently } from '../../server/patience.ts'
import { type GatehouseError, newKey } from '../../server/server.ts'
import { SteppedRun } from '../../server/stepped-run.ts'
import type { SelectedGuest } from './selection.ts'

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
export class BulkRun extends SteppedRun<Step> {
  readonly #act: BulkAct
  readonly #wordsOf: (refusal: GatehouseError) => string
  readonly count: number
  readonly failed: FailedGuest[] = []
  succeeded = 0

  /** `wordsOf` says why a guest was refused. */
  constructor(
    guests: readonly SelectedGuest[],
    act: BulkAct,
    wordsOf: (refusal: GatehouseError) => string,
    onChange: () => void,
  ) {
    const steps = Array.from({ length: Math.ceil(guests.length / act.size) }, (_, index) => ({
      guests: guests.slice(index * act.size, (index + 1) * act.size),
      key: newKey(),
    }))
    super(steps, onChange)
    this.#act = act
    this.#wordsOf = wordsOf
    this.count = guests.length
  }

  get done(): number {
    return this.succeeded + this.failed.length
  }

  get isOver(): boolean {
    return this.done === this.count
  }

  /** Those with whom it failed, and those who still wait. */
  get rest(): SelectedGuest[] {
    return [...this.failed.map(({ guest }) => guest), ...this.waiting.flatMap(({ guests }) => guests)]
  }

  protected async take(step: Step, signal: AbortSignal): Promise<void> {
    const problems = await patiently(() => this.#act.send(step.guests, step.key), signal)
    for (const [index, guest] of step.guests.entries()) this.#note(guest, problems[index])
  }

  protected isSkipped(step: Step, refusal: GatehouseError): boolean {
    if (!isAboutGuest(refusal)) return false
    for (const guest of step.guests) this.#note(guest, this.#wordsOf(refusal))
    return true
  }

  #note(guest: SelectedGuest, problem: string | undefined): void {
    if (problem === undefined) this.succeeded++
    else this.failed.push({ guest, problem })
  }
}

function isAboutGuest({ status, retryAfter }: GatehouseError): boolean {
  return ABOUT_GUEST.has(status) && retryAfter === undefined
}
