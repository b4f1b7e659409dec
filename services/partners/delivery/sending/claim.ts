import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { ObjectId } from 'mongodb'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { StoredPartner } from '../../campaigns/partners/store.ts'
import type { LeaseNote } from '../../campaigns/partners/usage.ts'
import type { DeliveryDependencies } from '../../dependencies.ts'
import type { StoredInvitation } from '../invitations/store.ts'
import { mailingMailsOf } from '../mailings/mails.ts'
import { holdWhilePaused } from '../pausing/pausing.ts'
import { endLease } from './leases.ts'
import { mailsOf } from './mails.ts'
import type { InvitationMail, sendJobs } from './resource.ts'
import { BATCH_SIZE, leftBy } from './send-queue.ts'

type Claim = (typeof sendJobs)['actions']['claim']

/** Leases a batch of a partner's due invitations, and returns their e-mails. */
export async function claim(
  dependencies: DeliveryDependencies,
  { body: { event_id, partner_id, of, lane } }: Call<Claim>,
): Promise<Output<Claim>> {
  const { invitations, usage, config } = dependencies
  const key = { _id: partner_id, event_id }
  const due = await invitations.due(event_id, partner_id, BATCH_SIZE, leftBy(lane))
  if (due.length === 0) return { mails: [] }
  const lease = new ObjectId().toHexString()
  const ids = due.map(({ _id }) => _id)
  const campaign_ids = [...new Set(due.map(({ partner_campaign_id }) => partner_campaign_id))]
  const note: LeaseNote = { kind: 'claim', id: lease, ids, campaign_ids, begun: [], at: new Date() }
  const partner = await usage.noteLease(key, note)
  if (!partner) return { mails: [] }
  try {
    // Another process ends the lease after its time: nobody would end what this leases later.
    const isLate = () => Date.now() - note.at.getTime() > config.mail_claim_ms / 2
    const leased = isLate() ? [] : await invitations.lease(event_id, lease, due)
    const mails = isLate() ? [] : await mailsOfLease(dependencies, partner, lease, leased, of)
    if (mails.length > 0) return { claim: lease, mails }
  } catch (error) {
    await endLease(dependencies, key, note)
    throw error
  }
  await endLease(dependencies, key, note)
  return { mails: [] }
}

/** The e-mails of leased invitations. Those whose campaigns are gone are cancelled, and those of paused ones wait. */
async function mailsOfLease(
  dependencies: DeliveryDependencies,
  partner: StoredPartner,
  lease: string,
  leased: StoredInvitation[],
  of: Call<Claim>['body']['of'],
): Promise<InvitationMail[]> {
  const { event_id } = partner
  const campaigns = await campaignsOf(dependencies, event_id, leased)
  const withCampaign = leased.map((invitation) => ({
    invitation,
    campaign: campaigns.get(invitation.partner_campaign_id),
  }))
  const gone = withCampaign.flatMap(({ invitation, campaign }) => (campaign ? [] : [invitation._id]))
  const paused = withCampaign.flatMap(({ invitation, campaign }) => (campaign?.paused_at ? [invitation] : []))
  await dependencies.invitations.recordOutcome(event_id, lease, gone, 'cancelled', null)
  await holdWhilePaused(dependencies, event_id, lease, paused)
  const sendable = withCampaign.flatMap(({ invitation, campaign }) =>
    campaign && !campaign.paused_at ? [{ invitation, campaign }] : [],
  )
  if (of === 'mailing') return mailingMailsOf(dependencies, event_id, lease, sendable)
  return mailsOf(dependencies, partner, sendable)
}

/** Returns the campaigns of invitations that exist, by `_id`. */
export async function campaignsOf(
  { campaigns }: DeliveryDependencies,
  event_id: string,
  invitations: StoredInvitation[],
): Promise<Map<string, StoredCampaign>> {
  const ids = [...new Set(invitations.map(({ partner_campaign_id }) => partner_campaign_id))]
  const found = await Promise.all(ids.map((id) => campaigns.get(event_id, id)))
  return new Map(found.flatMap((campaign) => (campaign ? [[campaign._id, campaign]] : [])))
}
