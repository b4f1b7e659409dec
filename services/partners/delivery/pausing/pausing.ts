import { decimal, integer } from '@gatehouse/proto/declaring/fields.ts'
import type { Outbox, OutboxEntry } from '@gatehouse/proto/events/outbox.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import { ObjectId } from 'mongodb'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { StoredPartner } from '../../campaigns/partners/store.ts'
import type { Usage } from '../../campaigns/partners/usage.ts'
import { counted, type PartnerKey, type UsageStore, usageOf } from '../../campaigns/partners/usage-store.ts'
import type { StoredInvitation } from '../invitations/store.ts'
import type { PauseStore } from './store.ts'

/** A single complaint may be a slip, and would be more than 0.3 % of all campaigns of up to 333 e-mails. */
const SLIPS = 1

/** When campaigns pause themselves. The defaults are what large mail providers ask of senders (docs/mail-feedback.md). */
export const pauseSettings = {
  campaign_pause_min_emails: integer({
    default: 100,
    minimum: 1,
    description: 'E-mails that a campaign must have sent before it may pause itself',
  }),
  campaign_pause_complaints: decimal({
    default: 0.3,
    minimum: 0,
    maximum: 100,
    description:
      'Percentage of complaints beyond which a campaign pauses itself; 100: never. A single one never pauses it',
  }),
  campaign_pause_bounces: decimal({
    default: 5,
    minimum: 0,
    maximum: 100,
    description: 'Percentage of hard bounces beyond which a campaign pauses itself; 100: never',
  }),
}

/** The settings as read. */
export type PauseConfig = ConfigOf<typeof pauseSettings>

/** What an outbox entry holds of a campaign that is being paused. */
export type PlannedPause = Pick<StoredCampaign, '_id' | 'pause_id'>

interface PausingOptions {
  store: PauseStore
  usageStore: UsageStore
  outbox: Outbox<PlannedPause>
  /** Puts a partner's turn in the queue. */
  offer(partner: PartnerKey): Promise<void>
}

/** Pauses campaigns whose e-mails come back too often, before mail providers refuse those of all others too. */
export class Pausing {
  readonly #options: PausingOptions
  readonly #config: PauseConfig

  constructor(options: PausingOptions, config: PauseConfig) {
    this.#options = options
    this.#config = config
  }

  /** Pauses those of a partner's campaigns that must be, after more has come back. */
  async judge(partner: PartnerKey, campaign_ids: string[]): Promise<void> {
    if (campaign_ids.length === 0) return
    const current = await this.#options.usageStore.get(partner)
    if (current) await this.paused(current, await this.#options.store.withIds(partner.event_id, campaign_ids))
  }

  /** The `_id`s of those of a partner's campaigns that are paused; one that must be is paused now. */
  async paused(partner: StoredPartner, campaigns: StoredCampaign[]): Promise<Set<string>> {
    const found = new Set<string>()
    for (const campaign of campaigns) {
      const reason = campaign.paused_at ? undefined : this.#reasonOf(campaign, usageOf(partner, campaign._id))
      if (reason !== undefined) await this.#pause(campaign, reason, partner)
      if (campaign.paused_at || reason !== undefined) found.add(campaign._id)
    }
    return found
  }

  /** Lets invitations of a claim wait while their campaigns are paused. */
  async hold(event_id: string, claim: string, invitations: StoredInvitation[]): Promise<void> {
    if (invitations.length === 0) return
    const { store } = this.#options
    const ids = invitations.map(({ _id }) => _id)
    await store.hold(event_id, claim, ids)
    // A campaign may have been resumed before these were held.
    const campaign_ids = new Set(invitations.map(({ partner_campaign_id }) => partner_campaign_id))
    for (const campaign of await store.withIds(event_id, [...campaign_ids])) {
      if (!campaign.paused_at) await store.letGo(campaign)
    }
  }

  /** Lets a campaign send again; once more is the same. Returns it; null if it was deleted. */
  async resume(campaign: StoredCampaign): Promise<StoredCampaign | null> {
    const { store, usageStore, offer } = this.#options
    const { _id, event_id, partner_id } = campaign
    const partner = await usageStore.get({ _id: partner_id, event_id })
    if (!partner) return null
    const { nb_email_sent: sent, bounced_recipients: bounced, spammed_recipients: complained } = usageOf(partner, _id)
    const resumed = await store.resume(campaign, { sent, bounced, complained })
    await store.letGo(campaign)
    void offer(partner)
    return resumed ?? (await store.withIds(event_id, [_id])).find(({ settled }) => settled) ?? null
  }

  async #pause(campaign: StoredCampaign, pause_reason: string, partner: StoredPartner): Promise<void> {
    const { store, outbox } = this.#options
    const { _id, event_id } = campaign
    const pause_id = new ObjectId().toHexString()
    await outbox.publishing(
      { type: 'partner_campaign.paused', event_id, items: [{ _id, pause_id }] },
      () => store.pause(campaign, { pause_id, pause_reason }),
      (paused) => (paused ? [counted(paused, partner)] : []),
    )
  }

  /** Why a campaign has to pause; undefined if it has not to. */
  #reasonOf({ judged_from }: StoredCampaign, usage: Usage): string | undefined {
    const from = judged_from ?? { sent: 0, bounced: 0, complained: 0 }
    const sent = usage.nb_email_sent - from.sent
    const complained = usage.spammed_recipients - from.complained
    const bounced = usage.bounced_recipients - from.bounced
    const { campaign_pause_min_emails, campaign_pause_complaints, campaign_pause_bounces } = this.#config
    if (sent < campaign_pause_min_emails) return undefined
    if (complained > SLIPS && isBeyond(complained, sent, campaign_pause_complaints))
      return `Of ${sent} e-mails ${complained} were called spam, more than ${campaign_pause_complaints} %`
    if (isBeyond(bounced, sent, campaign_pause_bounces))
      return `Of ${sent} e-mails ${bounced} came back for good, more than ${campaign_pause_bounces} %`
    return undefined
  }
}

function isBeyond(count: number, sent: number, percentage: number): boolean {
  return percentage < 100 && count * 100 > sent * percentage
}

/** Finds the campaigns of an outbox entry that were paused under it. */
export function recoverPauses(
  store: PauseStore,
  usageStore: UsageStore,
): (entry: OutboxEntry<PlannedPause>) => Promise<StoredCampaign[]> {
  return async ({ event_id, items: [planned] }) => {
    const campaigns = planned ? await store.withIds(event_id, [planned._id]) : []
    const [paused] = campaigns.filter(({ pause_id }) => pause_id === planned?.pause_id)
    if (!paused) return []
    const partner = await usageStore.get({ _id: paused.partner_id, event_id })
    return [counted(paused, partner ?? undefined)]
  }
}
