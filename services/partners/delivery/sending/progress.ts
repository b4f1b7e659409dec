import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { isErased } from '@gatehouse/proto/privacy/blanking.ts'
import { instruments } from '@gatehouse/proto/telemetry/metrics.ts'
import type { PartnerKey } from '../../campaigns/partners/usage-store.ts'
import type { DeliveryDependencies } from '../../dependencies.ts'
import type { SendOutcome, StoredInvitation } from '../invitations/store.ts'
import { holdWhilePaused, pausedAmong } from '../pausing/pausing.ts'
import { type Refusal, refusalsOf } from '../refusals.ts'
import { campaignsOf } from './claim.ts'
import { endLeaseById } from './leases.ts'
import type { SendResult, sendJobs } from './resource.ts'

/** Why an invitation is blocked whose recipient's data was erased before it was sent. */
const ERASED = 'The data of the recipient was erased'
/** The reasons of other invitations that are blocked. Whoever has unsubscribed did so from another one. */
const REASONS: Record<Refusal, string | null> = {
  blocked: null,
  unsubscribed: 'The recipient has unsubscribed',
  bounced: 'An e-mail to the address came back',
  complained: 'The recipient has complained of an e-mail',
}

type Progress = (typeof sendJobs)['actions']['progress']

/** Records the outcomes of e-mails of a lease, and that others begin; with none to begin the lease ends. */
export async function progress(
  dependencies: DeliveryDependencies,
  { body: { event_id, partner_id, claim: lease, outcomes, begin: ids, hold = [] } }: Call<Progress>,
): Promise<Output<Progress>> {
  const partner = { _id: partner_id, event_id }
  const sent = await recordResults(dependencies, event_id, lease, outcomes)
  await dependencies.invitations.hold(event_id, lease, hold)
  if (ids.length > 0) return { ids: await begin(dependencies, partner, lease, ids) }
  await endLeaseById(dependencies, partner, lease, sent)
  return { ids: [] }
}

/** Records results of a lease. Returns how many invitations are sent now. */
async function recordResults(
  { invitations, delays }: DeliveryDependencies,
  event_id: string,
  lease: string,
  results: SendResult[],
): Promise<number> {
  const ids = (wanted: SendResult['outcome']) =>
    results.flatMap(({ _id, outcome }) => (outcome === wanted ? [_id] : []))
  const others = results.filter(({ outcome }) => outcome !== 'sent')
  const known = others.length > 0 ? await invitations.ofLease(event_id, lease, ids('later')) : []
  const postponed = new Map(known.map((each) => [each._id, each.postponed]))
  const [sent] = await Promise.all([
    invitations.recordOutcome(event_id, lease, ids('sent'), 'sent', null),
    ...others.map(({ _id, outcome, reason }) => {
      if (outcome !== 'later') return invitations.recordOutcome(event_id, lease, [_id], outcome, reason)
      const attempts = postponed.get(_id) ?? 0
      const delay = delays[attempts]
      if (delay === undefined) return invitations.recordOutcome(event_id, lease, [_id], 'rejected', reason)
      instruments.retries.add(1, { kind: 'mail' })
      const changes = { reason, postponed: attempts + 1, updated_at: new Date() }
      return invitations.release(event_id, lease, [_id], new Date(Date.now() + delay), changes)
    }),
  ])
  return sent
}

/**
 * Records that e-mails of a lease begin, and returns the `_id`s of those that may be sent. What must not be sent is recorded first as begun. One
 * begins once: a worker whose answer was late asks again, and of two answers neither may hold or end what the other has given.
 */
async function begin(
  dependencies: DeliveryDependencies,
  partner: PartnerKey,
  lease: string,
  ids: string[],
): Promise<string[]> {
  const { invitations, usage } = dependencies
  const { event_id } = partner
  const noted = await usage.noteBegun(partner, lease, ids)
  if (!noted || noted.fresh.length === 0) return []
  const begun = (await invitations.ofLease(event_id, lease, noted.fresh)).filter(({ step }) => step === 'claimed')
  const addresses = begun.map(({ address }) => address)
  // After it is stored that they begin: so whatever was changed and answered before is seen.
  const [campaigns, refusals] = await Promise.all([
    campaignsOf(dependencies, event_id, begun),
    refusalsOf(dependencies, event_id, addresses),
  ])
  const paused = await pausedAmong(dependencies, noted.partner, [...campaigns.values()])
  const isPaused = ({ partner_campaign_id }: StoredInvitation) => paused.has(partner_campaign_id)
  const ends = begun.map((each) => {
    const end = endOf(each, campaigns.has(each.partner_campaign_id), refusals.get(each.address))
    return { each, end }
  })
  const going = ends.flatMap(({ each, end }) => (end ? [] : [each]))
  await Promise.all([
    ...ends.map(({ each, end }) => end && invitations.recordOutcome(event_id, lease, [each._id], ...end)),
    holdWhilePaused(dependencies, event_id, lease, going.filter(isPaused)),
  ])
  return going.flatMap((each) => (isPaused(each) ? [] : [each._id]))
}

/** What becomes of an invitation that must not be sent, and why; undefined if it may be. */
function endOf(
  { address, handed_over, state }: StoredInvitation,
  hasCampaign: boolean,
  refusal: Refusal | undefined,
): [SendOutcome, string | null] | undefined {
  // An earlier attempt was taken after all: something came back.
  if (handed_over !== undefined) return ['sent', null]
  if (!hasCampaign || state === 'unsubscribed') return ['cancelled', null]
  if (isErased(address)) return ['blocked', ERASED]
  return refusal && ['blocked', REASONS[refusal]]
}
