import type { ClaimNote, CounterChanges } from '../../campaigns/partners/usage.ts'
import type { PartnerKey, UsageStore } from '../../campaigns/partners/usage-store.ts'
import type { HandOverOutcome, InvitationStore } from '../invitations/store.ts'

/** What each outcome adds to the numbers of its campaign. What failed before it was handed over gives its place in the quota back. */
const CHANGES: Record<HandOverOutcome, CounterChanges> = {
  sent: { nb_email_sent: 1, nb_recipients_email_sent: 1 },
  unknown: { unknown_recipients: 1 },
  rejected: { reserved: -1, rejected_recipients: 1 },
  blocked: { reserved: -1, blacklisted_recipients: 1 },
  cancelled: { reserved: -1 },
}

/** Ends claims, and counts what came of them. */
export class Claims {
  readonly #invitations: InvitationStore
  readonly #usageStore: UsageStore

  constructor(invitations: InvitationStore, usageStore: UsageStore) {
    this.#invitations = invitations
    this.#usageStore = usageStore
  }

  /**
   * Ends a claim: what was not begun waits again; what was begun, but whose outcome is not known, may have been handed over. After that nobody
   * can change an invitation under this claim, so the outcomes are final, and they are counted once.
   */
  async end(partner: PartnerKey, { id, ids }: Pick<ClaimNote, 'id' | 'ids'>): Promise<void> {
    const { event_id } = partner
    let claimed = await this.#invitations.ofClaim(event_id, id, ids)
    if (claimed.some(({ outcome }) => !outcome)) {
      const begun = await this.#usageStore.closeClaim(partner, id)
      const mayBeSent = new Set(begun)
      await this.#invitations.release(
        event_id,
        id,
        ids.filter((_id) => !mayBeSent.has(_id)),
      )
      await this.#invitations.end(event_id, id, begun, 'unknown', null)
      claimed = await this.#invitations.ofClaim(event_id, id, ids)
    }
    const changes = claimed.flatMap(({ outcome, partner_campaign_id }) =>
      outcome ? [[partner_campaign_id, CHANGES[outcome]] as const] : [],
    )
    await this.#usageStore.settle(partner, id, changes)
  }

  /** Ends a claim by its id, unless it has ended; `sent` is how many of its invitations have just become so. */
  async endNoted(partner: PartnerKey, claim: string, sent: number): Promise<void> {
    const current = await this.#usageStore.get(partner)
    const note = current?.notes?.find(({ id }) => id === claim)
    if (note?.kind !== 'claim') return
    const [campaign, ...others] = note.campaign_ids ?? []
    // Most claims end like this: to read the invitations would say nothing new.
    if (campaign !== undefined && others.length === 0 && sent === note.ids.length) {
      await this.#usageStore.settle(
        partner,
        claim,
        note.ids.map(() => [campaign, CHANGES.sent]),
      )
    } else await this.end(partner, note)
  }
}
