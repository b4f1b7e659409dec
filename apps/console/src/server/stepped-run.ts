import { asRefusal, type GatehouseError } from './server.ts'

/** Requests at a time: browsers open six connections to a host. */
const WORKERS = 6

/** Long work in small steps, which can be stopped and go on. */
export abstract class SteppedRun<Step> {
  readonly #onChange: () => void
  #stopping = new AbortController()
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
    this.#stopping = new AbortController()
    await Promise.all(Array.from({ length: WORKERS }, () => this.#work()))
    this.isRunning = false
    this.#onChange()
  }

  /** Stops after the steps that are on the way. */
  stop(): void {
    this.isRunning = false
    this.#stopping.abort()
  }

  async #work(): Promise<void> {
    while (this.isRunning) {
      const step = this.waiting.pop()
      if (!step) return
      await this.#try(step)
      this.#onChange()
    }
  }

  async #try(step: Step): Promise<void> {
    const { signal } = this.#stopping
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
