import type { SendJob } from '@gatehouse/partners/send-queue'

/** A partner with few e-mails counts as sending for this long after its last job. */
const ACTIVE_MS = 1_000

/**
 * Pauses between the jobs of partners with many e-mails, while another has few. Jobs alone share the queue, but not the processors: a partner
 * with very many e-mails would take all the time of these, and each step of the other's would take longer (docs/adr/0008).
 */
export class FairPauses {
  #few: { partner_id: string; at: number } | undefined

  /** How long, in ms, a partner's next job waits after one that took `tookMs`: as long as that, or not at all. */
  after({ partner_id, lane }: SendJob, isFull: boolean, tookMs: number, now = performance.now()): number {
    // One with a second lane has many, even if the first one has just taken them.
    if (!isFull && !lane) {
      this.#few = { partner_id, at: now }
      return 0
    }
    const pauses = this.#few && this.#few.partner_id !== partner_id && now - this.#few.at < ACTIVE_MS
    return pauses ? Math.ceil(tookMs) : 0
  }
}
