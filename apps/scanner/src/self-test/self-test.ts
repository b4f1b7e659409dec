import type { GuestList, KnownGuests } from '../offline/guest-list.ts'
import type { Clock } from '../server/clock.ts'
import type { ServerClient } from '../server/server.ts'
import { isInTime, type SelfTestResult, type TestName, type TestOutcome } from './result.ts'

/** The first requests on a connection take longer. */
const MOST_TRIES = 5
/** How long a guest list may take before the test goes on. */
const LIST_MS = 20_000

interface Options {
  /** What the device works with; undefined while it is none. */
  work: () => { server: ServerClient; clock: Clock; guestList: GuestList } | undefined
  /** How many scans and signatures wait. */
  waiting: () => number
  /** Keeps a result, and sends it. Returns whether the server has it. */
  report: (result: SelfTestResult) => Promise<boolean>
}

/** The tests that need no steward, and their report. */
export class SelfTest {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** How long the server takes to answer, in ms: the first answer in time, else the quickest; undefined if it does not answer. */
  async network(): Promise<number | undefined> {
    const { server } = this.#options.work() ?? {}
    let quickest: number | undefined
    for (let tries = 0; tries < MOST_TRIES && server; tries++) {
      const began = performance.now()
      const isAnswered = await server.heartbeat(this.#options.waiting()).then(Boolean, () => false)
      if (!isAnswered) return quickest
      quickest = Math.min(performance.now() - began, quickest ?? Number.POSITIVE_INFINITY)
      if (isInTime(quickest)) return quickest
    }
    return quickest
  }

  /** How far the clock of this device is from the server's, in ms, as last known. */
  clock(): number {
    return this.#options.work()?.clock.offset ?? 0
  }

  /** Whom this device knows without a network, brought up to date where the server answers; undefined if it has no list. */
  async guestList(isAnswering: boolean): Promise<KnownGuests | undefined> {
    const { guestList } = this.#options.work() ?? {}
    const updated = isAnswering ? guestList?.update().catch(() => {}) : undefined
    await Promise.race([updated, new Promise((resolve) => setTimeout(resolve, LIST_MS))])
    return guestList?.known()
  }

  /** Reports how the tests ended, at a time by the server's clock. Returns whether the server has that; otherwise it is sent at the next contact. */
  report(outcomes: Readonly<Record<TestName, TestOutcome>>): Promise<boolean> {
    const { clock } = this.#options.work() ?? {}
    const tested_at = (clock?.now() ?? new Date()).toISOString()
    return this.#options.report({ tested_at, ...outcomes })
  }
}
