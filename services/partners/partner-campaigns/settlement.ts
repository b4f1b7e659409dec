import { conflict, Fault, invalid, notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { InvitationTypeStore } from '../invitation-types/store.ts'
import type { PartnerAccessTokenStore } from '../partner-access-tokens/store.ts'
import type { PartnerStore, StoredPartner } from '../partners/store.ts'
import type { CampaignCodes } from './codes.ts'
import type { PartnerCampaignStore, StoredCampaign } from './store.ts'

const NO_PARTNER = { partner_id: ['is not a partner of the event'] }

/** What is left undone for so long belongs to a process that died. */
const LEFT_MS = 30_000
const SWEEP_MS = 30_000
/** Campaigns of a deleted partner that are dealt with at the same time. */
const CONCURRENCY = 16

interface Stores {
  partners: PartnerStore
  types: InvitationTypeStore
  campaigns: PartnerCampaignStore
  tokens: PartnerAccessTokenStore
}

/**
 * Brings to its end what takes several steps: a campaign with its discount code, a new name, a deletion. The first step is in the store
 * before the others begin, and each may be done again by anybody: the request that comes next, or the sweep. docs/adr/0007 says why.
 */
export class Settlement {
  readonly #partners: PartnerStore
  readonly #types: InvitationTypeStore
  readonly #campaigns: PartnerCampaignStore
  readonly #tokens: PartnerAccessTokenStore
  readonly #codes: CampaignCodes
  readonly #log: Log

  constructor({ partners, types, campaigns, tokens }: Stores, codes: CampaignCodes, log: Log) {
    this.#partners = partners
    this.#types = types
    this.#campaigns = campaigns
    this.#tokens = tokens
    this.#codes = codes
    this.#log = log
  }

  /**
   * Makes a campaign that holds its place seen, with its discount code. Refused (`invalid`, `not_found`) it is withdrawn, and its place
   * is free; `unavailable` it stays as it is.
   */
  async complete(campaign: StoredCampaign): Promise<StoredCampaign> {
    const { event_id, partner_id, invitation_type_id } = campaign
    try {
      const partner = await this.#partners.get(event_id, partner_id)
      if (!partner) throw invalid(NO_PARTNER)
      if (!(await this.#types.confirm(event_id, invitation_type_id))) throw notFound()
      // It may have been renamed between the look for its name and the insert.
      await this.#campaigns.sortUnder(partner)
      const code = await this.#codes.make(campaign)
      const settled = await this.#campaigns.settle(campaign, code)
      if (settled) return settled
    } catch (error) {
      if (isRefusal(error)) await this.#withdraw(campaign)
      throw error
    }
    const stored = await this.#campaigns.whatever(campaign)
    if (stored?.settled) return stored
    // Somebody withdrew it while its code was made, and may have looked for the code too early.
    await this.end(stored ?? campaign)
    if (!(await this.#partners.get(event_id, partner_id))) throw invalid(NO_PARTNER)
    throw conflict('The partner campaign was deleted meanwhile')
  }

  async #withdraw(campaign: StoredCampaign): Promise<void> {
    if (await this.#campaigns.leave({ ...campaign, settled: false })) await this.end(campaign)
  }

  /** Deals with what belongs to a campaign that went, then removes it. */
  async end(campaign: StoredCampaign): Promise<void> {
    await this.#tokens.deleteOfCampaign(campaign.event_id, campaign._id)
    await this.#codes.retire(campaign)
    await this.#campaigns.remove(campaign)
  }

  /** Tells a partner's campaigns its name. */
  async rename(partner: StoredPartner): Promise<void> {
    await this.#campaigns.sortUnder(partner)
    await this.#partners.settleName(partner)
  }

  /** Removes a deleted partner with its campaigns. */
  async remove(partner: StoredPartner): Promise<void> {
    const { event_id, _id } = partner
    await this.#campaigns.leaveOfPartner(event_id, _id)
    const gone = await this.#campaigns.goneOfPartner(event_id, _id)
    for (let from = 0; from < gone.length; from += CONCURRENCY) {
      await Promise.all(gone.slice(from, from + CONCURRENCY).map((campaign) => this.end(campaign)))
    }
    await this.#partners.remove(partner)
  }

  /** Before campaigns of an event are shown: none of a deleted partner is seen, and all know their partners' names. */
  async ofEvent(event_id: string): Promise<void> {
    for (const partner of await this.#partners.unsettledOf(event_id)) {
      if (partner.deleted) await this.#campaigns.leaveOfPartner(event_id, partner._id)
      else await this.rename(partner)
    }
  }

  /** Takes up what was begun and left before a time, in all events. */
  async sweep(before: Date): Promise<void> {
    for (const partner of await this.#partners.unsettledSince(before)) {
      await this.#attempt(partner, () => (partner.deleted ? this.remove(partner) : this.rename(partner)))
    }
    for (const campaign of await this.#campaigns.unsettledSince(before)) {
      await this.#attempt(campaign, () => (campaign.gone ? this.end(campaign) : this.complete(campaign)))
    }
  }

  async #attempt({ _id }: { _id: string }, run: () => Promise<unknown>): Promise<void> {
    try {
      await run()
    } catch (error) {
      if (isRefusal(error)) return
      this.#log.warn({ err: error, _id }, 'not settled yet')
    }
  }

  /** Sweeps now and then, until it is stopped. */
  keepSweeping(): { stop(): Promise<void> } {
    let sweeping = Promise.resolve()
    const timer = setInterval(() => {
      sweeping = sweeping
        .then(() => this.sweep(new Date(Date.now() - LEFT_MS)))
        .catch((error) => this.#log.warn({ err: error }, 'sweep failed'))
    }, SWEEP_MS)
    return {
      stop: async () => {
        clearInterval(timer)
        await sweeping
      },
    }
  }
}

/** Whether somebody judged the request, so that another try would not end otherwise. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Fault && (error.code === 'invalid' || error.code === 'not_found')
}
