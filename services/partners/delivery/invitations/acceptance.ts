import { setTimeout as sleep } from 'node:timers/promises'
import { Semaphore } from '@gatehouse/proto/concurrency/semaphore.ts'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import { instruments } from '@gatehouse/proto/telemetry/metrics.ts'
import { tracedBy } from '@gatehouse/proto/telemetry/tracing.ts'
import { ObjectId } from 'mongodb'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { AcceptanceNote } from '../../campaigns/partners/usage.ts'
import type { PartnerKey, UsageStore } from '../../campaigns/partners/usage-store.ts'
import { type Addressed, allotted, CHUNK, standingOf } from './places.ts'
import { type InvitationStore, invitationId, type StoredInvitation } from './store.ts'

/**
 * Chunks that a process accepts at once, and of one partner. More would not be faster, but each would take longer, and then be taken for one of
 * a dead process.
 */
const AT_ONCE = 8
const OF_PARTNER = 4
/** How long a chunk waits for its turn. */
const MAX_WAIT_MS = 15_000
/** How often other requests' acceptances of the same recipients are waited for, and the time in between. */
const TRIES = 200
const PAUSE_MS = 50

/**
 * Accepts recipients into campaigns, within both quotas, whatever happens at the same time and whichever process dies (docs/adr/0008):
 *
 * 1. their invitations are stored as `pending`, under a new reservation, unless the campaign has them already;
 * 2. the partner reserves as many of these as both quotas leave, in one update that also notes the reservation;
 * 3. the first of them, as many as were granted, are queued, and the others deleted;
 * 4. the partner counts the queued ones, gives back what was granted beyond them, and removes the note, in one update.
 */
export class Acceptance {
  readonly #invitations: InvitationStore
  readonly #usageStore: UsageStore
  readonly #slots = new Semaphore(AT_ONCE, OF_PARTNER)

  constructor(invitations: InvitationStore, usageStore: UsageStore) {
    this.#invitations = invitations
    this.#usageStore = usageStore
  }

  /** Accepts recipients with different addresses. Returns the invitations by address; those beyond a quota are missing. */
  async accept(campaign: StoredCampaign, recipients: Addressed[]): Promise<Map<string, StoredInvitation>> {
    const accepted = new Map<string, StoredInvitation>()
    for (let from = 0; from < recipients.length; from += CHUNK) {
      await this.#acceptChunk(campaign, recipients.slice(from, from + CHUNK), accepted)
    }
    return accepted
  }

  async #acceptChunk(
    campaign: StoredCampaign,
    recipients: Addressed[],
    accepted: Map<string, StoredInvitation>,
  ): Promise<void> {
    let left = recipients
    for (let tries = 0; tries < TRIES; tries++) {
      const { invited, pending } = await standingOf(this.#invitations, campaign, left)
      for (const [address, invitation] of invited) accepted.set(address, invitation)
      const missing = left.filter(({ address }) => !invited.has(address) && !pending.has(address))
      const refused = new Set<string>()
      if (missing.length > 0) {
        const { queued, beyond } = await this.#slots.run(campaign.partner_id, 1, MAX_WAIT_MS, () =>
          this.#acceptNew(campaign, missing),
        )
        for (const invitation of queued) accepted.set(invitation.address, invitation)
        for (const { address } of beyond) refused.add(address)
      }
      left = left.filter(({ address }) => !accepted.has(address) && !refused.has(address))
      if (left.length === 0) return
      // Another request is accepting the others, or a dead one was.
      await sleep(PAUSE_MS)
    }
    throw unavailable()
  }

  /** Accepts recipients whom the campaign does not have. Those who are in neither list have come between. */
  async #acceptNew(
    campaign: StoredCampaign,
    recipients: Addressed[],
  ): Promise<{ queued: StoredInvitation[]; beyond: StoredInvitation[] }> {
    const { event_id } = campaign
    const reservation = new ObjectId().toHexString()
    const times = newTimes()
    const traceparent = tracedBy()
    const stored = await this.#invitations.insertPending(
      recipients.map(({ address, recipient }) => ({
        _id: invitationId(campaign._id, address),
        event_id,
        partner_id: campaign.partner_id,
        partner_campaign_id: campaign._id,
        address,
        ...recipient,
        state: 'pending',
        reason: null,
        sent_at: null,
        answer: null,
        ...times,
        reservation,
        ...(traceparent !== undefined && { traceparent }),
        postponed: 0,
      })),
    )
    if (stored.length === 0) return { queued: [], beyond: [] }
    const at = times.created_at
    const granted = await this.#usageStore.reserve(campaign, { id: reservation, at, wanted: stored.length })
    const { within, beyond } = allotted(stored, granted)
    const count = await this.#invitations.queue(event_id, reservation, idsOf(within))
    await this.#invitations.deletePending(event_id, reservation, idsOf(beyond))
    if (beyond.length > 0) instruments.quotaRefusals.add(beyond.length, { quota: 'invitations' })
    const partner = { _id: campaign.partner_id, event_id }
    if (granted > 0) await this.#settle(partner, { id: reservation, campaign_id: campaign._id, granted }, count)
    // Fewer were queued if the acceptance was taken for a dead one's meanwhile.
    const queued = count === granted ? within : []
    return { queued: queued.map((each) => ({ ...each, state: 'queued' })), beyond }
  }

  /** Ends an acceptance whose process has died, or is taken for dead. */
  async end(partner: PartnerKey, note: AcceptanceNote): Promise<void> {
    await this.#settle(partner, note, await this.#invitations.endAcceptance(partner.event_id, note))
  }

  async #settle(
    partner: PartnerKey,
    { id, campaign_id, granted }: Pick<AcceptanceNote, 'id' | 'campaign_id' | 'granted'>,
    queued: number,
  ): Promise<void> {
    const changes = { reserved: queued - granted, nb_recipients: queued }
    await this.#usageStore.settle(partner, id, [[campaign_id, changes]])
  }
}

function idsOf(invitations: StoredInvitation[]): string[] {
  return invitations.map(({ _id }) => _id)
}
