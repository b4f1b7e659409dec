import type { Turn } from '@gatehouse/partners/turns'

/** A partner with few e-mails counts as sending for this long after its last turn. */
const ACTIVE_MS = 1_000

/**
 * Rests between the turns of partners with many e-mails, while another has few. Turns alone share the queue, but not the processors: a partner
 * with very many e-mails would take all the time of these, and each step of the other's would take longer (docs/adr/0008).
 */
export class Rests {
  #few: { partner_id: string; at: number } | undefined

  /** How long, in ms, a partner's next turn waits after one that took `tookMs`: as long as that, or not at all. */
  after({ partner_id }: Turn, isFull: boolean, tookMs: number, now = performance.now()): number {
    if (!isFull) {
      this.#few = { partner_id, at: now }
      return 0
    }
    const rests = this.#few && this.#few.partner_id !== partner_id && now - this.#few.at < ACTIVE_MS
    return rests ? Math.ceil(tookMs) : 0
  }
}
