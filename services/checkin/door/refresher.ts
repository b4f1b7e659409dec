import { setTimeout as sleep } from 'node:timers/promises'

/** Fetches an entry, or a group of them, again. */
export type Refresh = () => Promise<unknown>

/** Runs due refreshes in the background, in rounds: those of a round are spread over it. */
export class Refresher {
  readonly #ended = new AbortController()
  readonly #running: Promise<void>

  /** `beginRound` gives what is due. */
  constructor(beginRound: () => Refresh[], roundMs: number) {
    this.#running = this.#run(beginRound, roundMs)
  }

  async stop(): Promise<void> {
    this.#ended.abort()
    await this.#running
  }

  async #run(beginRound: () => Refresh[], roundMs: number): Promise<void> {
    const { signal } = this.#ended
    while (!signal.aborted) {
      const refreshes = beginRound()
      const rest = roundMs / (refreshes.length + 1)
      await untilStopped(rest, signal)
      for (const refresh of refreshes) {
        if (signal.aborted) return
        // After a failure a later round asks again, or a scan does.
        await refresh().catch(() => {})
        await untilStopped(rest, signal)
      }
    }
  }
}

function untilStopped(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {})
}
