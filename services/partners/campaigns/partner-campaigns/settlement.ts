import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import { conflict, Fault, invalid, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { FormerRecipientStore } from '../../delivery/former-recipients/store.ts'
import type { InvitationTypeStore } from '../../delivery/invitation-types/store.ts'
import type { InvitationStore } from '../../delivery/invitations/store.ts'
import type { PartnerAccessTokenStore } from '../partner-access-tokens/store.ts'
import type { PartnerStore, StoredPartner } from '../partners/store.ts'
import type { CampaignCodes } from './codes.ts'
import type { PartnerCampaignStore, StoredCampaign } from './store.ts'

export const NO_PARTNER = { partner_id: [messageOf('unknown_reference', { thing: 'a partner', owner: 'event' })] }

/** Work that has stood still for this long belongs to a process that died. */
const LEFT_MS = 30_000
const SWEEP_MS = 30_000
/** Campaigns of a deleted partner that are ended at the same time. */
const CONCURRENCY = 16

interface Stores {
  partners: PartnerStore
  types: InvitationTypeStore
  campaigns: PartnerCampaignStore
  tokens: PartnerAccessTokenStore
  invitations: InvitationStore
  formerRecipients: FormerRecipientStore
}

/**
 * Completes changes of several steps: a campaign with its discount code, a partner's new name, a deletion. The first step is stored before
 * the others begin, and each can be repeated by the next request or by the sweep. docs/adr/0007 says why.
 */
export class Settlement {
  readonly #stores: Stores
  readonly #codes: CampaignCodes
  readonly #log: Log

  constructor(stores: Stores, codes: CampaignCodes, log: Log) {
    this.#stores = stores
    this.#codes = codes
    this.#log = log
  }

  /**
   * Makes a campaign visible, with its discount code. If that is refused (`invalid`, `not_found`), it withdraws the campaign, which frees
   * its place; after any other error the campaign stays as it is.
   */
  async complete(campaign: StoredCampaign): Promise<StoredCampaign> {
    const { event_id, partner_id, invitation_type_id } = campaign
    try {
      const partner = await this.#stores.partners.get(event_id, partner_id)
      if (!partner) throw invalid(NO_PARTNER)
      if (!(await this.#stores.types.confirm(event_id, invitation_type_id))) throw notFound()
      // The partner may have been renamed between the lookup of its name and the insert.
      await this.#stores.campaigns.sortUnder(partner)
      const code = await this.#codes.make(campaign)
      const settled = await this.#stores.campaigns.settle(campaign, code)
      if (settled) return settled
    } catch (error) {
      if (isRefusal(error)) await this.#withdraw(campaign)
      throw error
    }
    const stored = await this.#stores.campaigns.find(campaign)
    if (stored?.settled) return stored
    // Another request withdrew it, perhaps before the code was made.
    await this.end(stored ?? campaign)
    if (!(await this.#stores.partners.get(event_id, partner_id))) throw invalid(NO_PARTNER)
    throw conflict(messageOf('campaign_deleted'))
  }

  async #withdraw(campaign: StoredCampaign): Promise<void> {
    if (await this.#stores.campaigns.leave({ ...campaign, settled: false })) await this.end(campaign)
  }

  /** Removes a deleted campaign, after its tokens and its discount code. */
  async end(campaign: StoredCampaign): Promise<void> {
    await this.#stores.tokens.deleteOfCampaign(campaign.event_id, campaign._id)
    await this.#codes.retire(campaign)
    await this.#stores.campaigns.remove(campaign)
  }

  /** Copies a partner's name to its campaigns, which are sorted by it. */
  async rename(partner: StoredPartner): Promise<void> {
    await this.#stores.campaigns.sortUnder(partner)
    await this.#stores.partners.settleName(partner)
  }

  /** Removes a deleted partner, after its campaigns and invitations. */
  async remove(partner: StoredPartner): Promise<void> {
    const { event_id, _id } = partner
    await this.#stores.campaigns.leaveOfPartner(event_id, _id)
    const gone = await this.#stores.campaigns.goneOfPartner(event_id, _id)
    for (let from = 0; from < gone.length; from += CONCURRENCY) {
      await Promise.all(gone.slice(from, from + CONCURRENCY).map((campaign) => this.end(campaign)))
    }
    // Those of campaigns that were deleted earlier too.
    for (const campaign_id of Object.keys(partner.usage ?? {})) {
      await this.#stores.invitations.deleteOfCampaign({ _id: campaign_id, event_id }, (some) =>
        this.#stores.formerRecipients.keep(some),
      )
    }
    await this.#stores.partners.remove(partner)
  }

  /** Settles an event before its campaigns are listed: those of deleted partners are hidden, and all are sorted by current names. */
  async ofEvent(event_id: string): Promise<void> {
    for (const partner of await this.#stores.partners.unsettledOf(event_id)) {
      if (partner.deleted) await this.#stores.campaigns.leaveOfPartner(event_id, partner._id)
      else await this.rename(partner)
    }
  }

  /** Completes what has stood still since before a time, in all events. */
  async sweep(before: Date): Promise<void> {
    for (const partner of await this.#stores.partners.unsettledSince(before)) {
      await this.#attempt(partner, () => (partner.deleted ? this.remove(partner) : this.rename(partner)))
    }
    for (const campaign of await this.#stores.campaigns.unsettledSince(before)) {
      await this.#attempt(campaign, () => (campaign.gone ? this.end(campaign) : this.complete(campaign)))
    }
  }

  async #attempt({ _id }: { _id: string }, run: () => Promise<unknown>): Promise<void> {
    try {
      await run()
    } catch (error) {
      if (isRefusal(error)) return
      this.#log.warn({ err: error, _id }, 'a campaign is not settled yet')
    }
  }

  /** Sweeps every 30 s until it is stopped. */
  keepSweeping(): { stop(): Promise<void> } {
    const poller = new Poller({
      everyMs: SWEEP_MS,
      look: () => this.sweep(new Date(Date.now() - LEFT_MS)),
      onError: (error) => this.#log.warn({ err: error }, 'sweep failed'),
    })
    poller.wake(SWEEP_MS)
    return poller
  }
}

/** Whether an error is a refusal, which another try would meet too. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Fault && (error.code === 'invalid' || error.code === 'not_found')
}
