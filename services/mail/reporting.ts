import { setTimeout as sleep } from 'node:timers/promises'

/** Attempts to report, and the time in between. */
const REPORTS = 10
const RETRY_MS = 1_000

/** Reports to the partners service, again while it is away: a report that gets lost leaves e-mails whose fate nobody knows. */
export async function reported<T>(report: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await report()
    } catch (error) {
      if (attempt === REPORTS) throw error
      await sleep(RETRY_MS)
    }
  }
}
