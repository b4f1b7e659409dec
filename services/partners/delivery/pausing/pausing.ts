import { ObjectId } from 'mongodb'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { StoredPartner } from '../../campaigns/partners/store.ts'
import type { Usage } from '../../campaigns/partners/usage.ts'
import { counted, type PartnerKey, usageOf } from '../../campaigns/partners/usage-store.ts'
import type { DeliveryDependencies } from '../../dependencies.ts'
import type { StoredInvitation } from '../invitations/store.ts'
import type { PauseStore } from './store.ts'

/* Campaigns whose e-mails come back too often pause themselves, before mail providers refuse those of all others too. */

/** A single complaint may be a slip, and would be more than 0.3 % of all campaigns of up to 333 e-mails. */
const SLIPS = 1
/** Longer than an organizer needs to look; resuming does not wait for it. */
const HELD_MS = 3_600_000
const ARRIVED = 'The event was imported: these e-mails waited when it was exported, and may have been sent since'

/** Pauses those of a partner's campaigns that must be, after more has come back. */
export async function pauseWhereNeeded(
  dependencies: DeliveryDependencies,
  partner: PartnerKey,
  campaign_ids: string[],
): Promise<void> {
  if (campaign_ids.length === 0) return
  const current = await dependencies.usage.get(partner)
  if (current)
    await pausedAmong(dependencies, current, await dependencies.pauses.withIds(partner.event_id, campaign_ids))
}

/** Returns the `_id`s of those of a partner's campaigns that are paused; one that must be is paused now. */
export async function pausedAmong(
  dependencies: DeliveryDependencies,
  partner: StoredPartner,
  campaigns: StoredCampaign[],
): Promise<Set<string>> {
  const paused = new Set<string>()
  for (const campaign of campaigns) {
    const reason = campaign.paused_at
      ? undefined
      : reasonToPause(dependencies, campaign, usageOf(partner, campaign._id))
    if (reason !== undefined) await pause(dependencies, campaign, reason, partner)
    if (campaign.paused_at || reason !== undefined) paused.add(campaign._id)
  }
  return paused
}

/** Holds invitations of a lease while their campaigns are paused. They are due once an hour, so that none waits for ever whatever dies. */
export async function holdWhilePaused(
  { invitations: store, pauses }: DeliveryDependencies,
  event_id: string,
  lease: string,
  invitations: StoredInvitation[],
): Promise<void> {
  if (invitations.length === 0) return
  const ids = invitations.map(({ _id }) => _id)
  await store.release(event_id, lease, ids, new Date(Date.now() + HELD_MS), { held: true })
  // A campaign may have been resumed before these were held.
  const campaign_ids = new Set(invitations.map(({ partner_campaign_id }) => partner_campaign_id))
  for (const campaign of await pauses.withIds(event_id, [...campaign_ids])) {
    if (!campaign.paused_at) await pauses.release(campaign)
  }
}

/** Pauses those campaigns of an imported event of which e-mails waited when it was exported: they may have been sent where they come from. */
export async function holdArrived(pauses: PauseStore, event_id: string): Promise<void> {
  for await (const campaign of pauses.withHeld(event_id))
    await pauses.holdArrived(campaign, ARRIVED, new Date(Date.now() + HELD_MS))
}

/** Lets a campaign send again; once more is the same. Returns it; null if it was deleted. */
export async function resumeCampaign(
  { pauses, usage, sendQueue }: DeliveryDependencies,
  campaign: StoredCampaign,
): Promise<StoredCampaign | null> {
  const { _id, event_id, partner_id } = campaign
  const partner = await usage.get({ _id: partner_id, event_id })
  if (!partner) return null
  const { nb_email_sent: sent, bounced_recipients: bounced, spammed_recipients: complained } = usageOf(partner, _id)
  const resumed = await pauses.resume(campaign, { sent, bounced, complained })
  await pauses.release(campaign)
  void sendQueue.add({ event_id, partner_id })
  return resumed ?? (await pauses.withIds(event_id, [_id])).find(({ settled }) => settled) ?? null
}

async function pause(
  { pauses, outbox, publishesPauses }: DeliveryDependencies,
  campaign: StoredCampaign,
  pause_reason: string,
  partner: StoredPartner,
): Promise<void> {
  const { _id, event_id } = campaign
  const pause_id = new ObjectId().toHexString()
  if (!publishesPauses) {
    await pauses.pause(campaign, { pause_id, pause_reason })
    return
  }
  await outbox.publishing(
    { type: 'partner_campaign.paused', event_id, items: [{ _id, pause_id }] },
    () => pauses.pause(campaign, { pause_id, pause_reason }),
    (paused) => (paused ? [counted(paused, partner)] : []),
  )
}

/** Why a campaign has to pause; undefined if it does not. */
function reasonToPause(
  { config }: DeliveryDependencies,
  { judged_from }: StoredCampaign,
  usage: Usage,
): string | undefined {
  const from = judged_from ?? { sent: 0, bounced: 0, complained: 0 }
  const sent = usage.nb_email_sent - from.sent
  const complained = usage.spammed_recipients - from.complained
  const bounced = usage.bounced_recipients - from.bounced
  const { campaign_pause_min_emails, campaign_pause_complaints, campaign_pause_bounces } = config
  if (sent < campaign_pause_min_emails) return undefined
  if (complained > SLIPS && isBeyond(complained, sent, campaign_pause_complaints))
    return `Of ${sent} e-mails ${complained} were called spam, more than ${campaign_pause_complaints} %`
  if (isBeyond(bounced, sent, campaign_pause_bounces))
    return `Of ${sent} e-mails ${bounced} came back for good, more than ${campaign_pause_bounces} %`
  return undefined
}

function isBeyond(count: number, sent: number, percentage: number): boolean {
  return percentage < 100 && count * 100 > sent * percentage
}
