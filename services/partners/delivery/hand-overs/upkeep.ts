import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { StoredPartner } from '../../campaigns/partners/store.ts'
import type { UsageNote } from '../../campaigns/partners/usage.ts'
import type { PartnerKey, UsageStore } from '../../campaigns/partners/usage-store.ts'
import type { Feedback } from '../../feedback/mail-events/feedback.ts'
import type { Unsubscribing } from '../../feedback/unsubscriptions/unsubscribing.ts'
import type { Acceptance } from '../invitations/acceptance.ts'
import type { AnswerStore } from '../invitations/answer-store.ts'
import { type Answers, ATTEMPT_MS } from '../invitations/answers.ts'
import type { InvitationStore } from '../invitations/store.ts'
import type { Claims } from './claims.ts'

/**
 * Accepting, unsubscribing and recording events take less than a second. What is as old as this belongs to a process that died; if not, nothing
 * is lost but time.
 */
const SHORT_MS = 8_000
const EVERY_MS = 2_000
const IDLE_MS = 8_000

interface UpkeepOptions {
  invitations: InvitationStore
  usageStore: UsageStore
  acceptance: Acceptance
  claims: Claims
  unsubscribing: Unsubscribing
  answerStore: AnswerStore
  feedback: Feedback
  answers: Answers
  /** How long a claim holds, in ms. */
  claimMs: number
  /** Puts a partner's turn in the queue. */
  offer(partner: PartnerKey): Promise<void>
  log: Log
}

/** Ends what processes that died have left, and returns a turn to each partner with due invitations. Every process of the service does so. */
export class Upkeep {
  readonly #options: UpkeepOptions
  readonly #poller: Poller

  constructor(options: UpkeepOptions) {
    this.#options = options
    this.#poller = new Poller({
      everyMs: EVERY_MS,
      idleMs: IDLE_MS,
      look: () => this.#run(),
      onError: (error) => options.log.warn({ err: error }, 'maintaining invitations failed; retrying'),
    })
    this.#poller.wake(EVERY_MS)
  }

  async stop(): Promise<void> {
    await this.#poller.stop()
  }

  /** Returns whether there was anything to do. */
  async #run(): Promise<boolean> {
    let hasFound = false
    const { invitations, usageStore, claimMs, offer } = this.#options
    const now = Date.now()
    const isOld = ({ kind, at }: UsageNote) => now - at.getTime() >= (kind === 'claim' ? claimMs : SHORT_MS)
    for (const partner of await usageStore.notedBefore(new Date(now - Math.min(claimMs, SHORT_MS)))) {
      for (const note of partner.notes?.filter(isOld) ?? []) await this.#end(partner, note)
      hasFound = true
    }
    for (const invitation of await this.#options.answerStore.answeredBefore(new Date(now - ATTEMPT_MS))) {
      await this.#options.answers.settle(invitation)
      hasFound = true
    }
    await invitations.deleteAbandoned(new Date(now - SHORT_MS))
    for await (const partner of invitations.partnersDue()) {
      hasFound = true
      const current = await usageStore.get(partner)
      // A batch may have been accepted while its partner was being deleted.
      if (!current) await invitations.deleteWaiting(partner)
      else if (!current.disable_emails) await offer(partner)
    }
    return hasFound
  }

  async #end(partner: StoredPartner, note: UsageNote): Promise<void> {
    const { claims, acceptance, unsubscribing, feedback } = this.#options
    if (note.kind === 'claim') await claims.end(partner, note)
    else if (note.kind === 'feedback') await feedback.end(partner, note)
    else if (note.kind === 'acceptance') await acceptance.end(partner, note)
    else await unsubscribing.end(partner, note)
  }
}
