import { asRefusal, type GatehouseError } from './server.ts'

/** Requests at a time: browsers open six connections to a host. */
const WORKERS = 6

/** Long work in small steps, which can be stopped and go on. */
export abstract class SteppedRun<Step> {
  readonly #onChange: () => void
  #stopping = new AbortController()
  /** Resolves once no step of the last run is on the way. */
  #ended: Promise<unknown> = Promise.resolve()
  /** The steps that wait, the first one last. */
  protected readonly waiting: Step[]
  isRunning = false
  /** Why it has stopped. */
  error: GatehouseError | undefined

  constructor(steps: readonly Step[], onChange: () => void) {
    this.waiting = [...steps].reverse()
    this.#onChange = onChange
  }

  /** Does a step. */
  protected abstract take(step: Step, signal: AbortSignal): Promise<void>

  /** Notes that a step was refused for what it is about. False if the way or the session is to blame: then the work stops. */
  protected abstract isSkipped(step: Step, refusal: GatehouseError): boolean

  /** Starts, or goes on. */
  async run(): Promise<void> {
    if (this.isRunning) return
    this.isRunning = true
    this.error = undefined
    const stopping = new AbortController()
    this.#stopping = stopping
    // Steps that were on the way when the last run was stopped wait again if they fail.
    await this.#ended
    this.#ended = Promise.all(Array.from({ length: WORKERS }, () => this.#work(stopping.signal)))
    await this.#ended
    if (this.#stopping === stopping) this.isRunning = false
    this.#onChange()
  }

  /** Stops after the steps that are on the way. */
  stop(): void {
    this.isRunning = false
    this.#stopping.abort()
  }

  async #work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const step = this.waiting.pop()
      if (!step) return
      await this.#try(step, signal)
      this.#onChange()
    }
  }

  async #try(step: Step, signal: AbortSignal): Promise<void> {
    try {
      await this.take(step, signal)
    } catch (problem) {
      const refusal = asRefusal(problem)
      if (this.isSkipped(step, refusal)) return
      this.waiting.push(step)
      if (signal.aborted) return
      this.error = refusal
      this.stop()
    }
  }
}
