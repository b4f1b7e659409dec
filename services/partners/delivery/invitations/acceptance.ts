import { setTimeout as sleep } from 'node:timers/promises'
import { Semaphore } from '@gatehouse/proto/concurrency/semaphore.ts'
import { conflict, Fault, unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import { instruments } from '@gatehouse/proto/telemetry/metrics.ts'
import { tracedBy } from '@gatehouse/proto/telemetry/tracing.ts'
import { ObjectId } from 'mongodb'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { AcceptanceNote } from '../../campaigns/partners/usage.ts'
import type { PartnerKey } from '../../campaigns/partners/usage-store.ts'
import type { DeliveryDependencies, Dependencies } from '../../dependencies.ts'
import type { Recipient } from './resource.ts'
import { invitationId, type StoredInvitation } from './store.ts'

/*
 * Accepts recipients into campaigns, within both quotas, whatever happens at the same time and whichever process dies (docs/adr/0008):
 *
 * 1. their invitations are stored as `pending`, under a new reservation, unless the campaign has them already;
 * 2. the partner reserves as many of these as both quotas leave, in one update that also notes the reservation;
 * 3. the first of them, as many as were granted, are queued, and the others deleted;
 * 4. the partner counts the queued ones, gives back what was granted beyond them, and removes the note, in one update.
 */

/** Recipients who are looked up and accepted together. The earlier ones of a batch come first where the quota does not suffice for all. */
export const CHUNK = 1_000
/**
 * Chunks that a process accepts at once, and of one partner. More would not be faster, but each would take longer, and then be taken for one of
 * a dead process.
 */
const slots = new Semaphore(8, 4)
/** How long a chunk waits for a slot. */
const MAX_WAIT_MS = 15_000
/** How often other requests' acceptances of the same recipients are waited for, and the time in between. */
const TRIES = 200
const PAUSE_MS = 50

/** A recipient with the normalized address. */
export interface Addressed {
  address: string
  recipient: Recipient
}

/** What a campaign has of some recipients. */
interface Existing {
  /** By address. These need no place in a quota: they have theirs, or it was given back. */
  invited: Map<string, StoredInvitation>
  /** Addresses that a request is accepting just now. */
  pending: Set<string>
}

/** Who of those who need a place gets one of those that are left. */
interface Allotment<Each> {
  granted: Each[]
  beyond: Each[]
}

/**
 * Accepts recipients with different addresses into a campaign, and queues their e-mails. Returns the invitations by address; those beyond a
 * quota are missing. Throws `conflict` if the event is archived, `unauthorized` if the campaign was deleted meanwhile.
 */
export async function invite(
  dependencies: Dependencies,
  campaign: StoredCampaign,
  recipients: Addressed[],
): Promise<Map<string, StoredInvitation>> {
  const { event_id, partner_id } = campaign
  const { archived } = await dependencies.eventClient.campaign_terms({ body: { event_id } })
  if (archived) throw conflict(messageOf('event_archived'))
  const accepted = new Map<string, StoredInvitation>()
  for (let from = 0; from < recipients.length; from += CHUNK) {
    await acceptChunk(dependencies, campaign, recipients.slice(from, from + CHUNK), accepted)
  }
  // The campaign's deletion may have come before these were stored; then nobody sees them, and none is sent.
  if (!(await dependencies.campaigns.get(event_id, campaign._id))) throw new Fault('unauthorized')
  if (accepted.size > 0) void dependencies.sendQueue.add({ event_id, partner_id })
  return accepted
}

async function acceptChunk(
  dependencies: Dependencies,
  campaign: StoredCampaign,
  recipients: Addressed[],
  accepted: Map<string, StoredInvitation>,
): Promise<void> {
  let left = recipients
  for (let tries = 0; tries < TRIES; tries++) {
    const { invited, pending } = await existingOf(dependencies, campaign, left)
    for (const [address, invitation] of invited) accepted.set(address, invitation)
    const missing = left.filter(({ address }) => !invited.has(address) && !pending.has(address))
    const refused = new Set<string>()
    if (missing.length > 0) {
      const { granted, beyond } = await slots.run(campaign.partner_id, 1, MAX_WAIT_MS, () =>
        acceptNew(dependencies, campaign, missing),
      )
      for (const invitation of granted) accepted.set(invitation.address, invitation)
      for (const { address } of beyond) refused.add(address)
    }
    left = left.filter(({ address }) => !accepted.has(address) && !refused.has(address))
    if (left.length === 0) return
    // Another request is accepting the others, or a dead one was.
    await sleep(PAUSE_MS)
  }
  throw unavailable()
}

/** Accepts recipients whom the campaign does not have. Another request has accepted those who are in neither list. */
async function acceptNew(
  { invitations, usage }: Dependencies,
  campaign: StoredCampaign,
  recipients: Addressed[],
): Promise<Allotment<StoredInvitation>> {
  const { event_id } = campaign
  const reservation = new ObjectId().toHexString()
  const times = newTimes()
  const traceparent = tracedBy()
  const stored = await invitations.insertPending(
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
  if (stored.length === 0) return { granted: [], beyond: [] }
  const at = times.created_at
  const places = await usage.reserve(campaign, { id: reservation, at, wanted: stored.length })
  const { granted, beyond } = allotted(stored, places)
  const count = await invitations.queue(event_id, reservation, idsOf(granted))
  await invitations.deletePending(event_id, reservation, idsOf(beyond))
  if (beyond.length > 0) instruments.quotaRefusals.add(beyond.length, { quota: 'invitations' })
  const partner = { _id: campaign.partner_id, event_id }
  const changes = { reserved: count - places, nb_recipients: count }
  if (places > 0) await usage.commit(partner, reservation, [[campaign._id, changes]])
  // Fewer were queued if the acceptance was taken for a dead one's meanwhile.
  const queued = count === places ? granted : []
  return { granted: queued.map((each) => ({ ...each, state: 'queued' })), beyond }
}

/** Finishes an acceptance whose process has died, or is taken for dead. */
export async function finishAcceptance(
  { invitations, usage }: DeliveryDependencies,
  partner: PartnerKey,
  note: AcceptanceNote,
): Promise<void> {
  const count = await invitations.endAcceptance(partner.event_id, note)
  const changes = { reserved: count - note.granted, nb_recipients: count }
  await usage.commit(partner, note.id, [[note.campaign_id, changes]])
}

/** Finds out which of some recipients a campaign has already; no more than `CHUNK`, since their invitations may be large. */
export async function existingOf(
  { invitations }: Dependencies,
  campaign: StoredCampaign,
  recipients: Addressed[],
): Promise<Existing> {
  const ids = recipients.map(({ address }) => invitationId(campaign._id, address))
  const existing: Existing = { invited: new Map(), pending: new Set() }
  for (const invitation of await invitations.find(campaign, ids)) {
    if (invitation.state === 'pending') existing.pending.add(invitation.address)
    else existing.invited.set(invitation.address, invitation)
  }
  return existing
}

/** Grants the places that are left to the first who need one. What is shown before sending and sending itself agree by this. */
export function allotted<Each>(needing: Each[], left: number): Allotment<Each> {
  return { granted: needing.slice(0, left), beyond: needing.slice(left) }
}

function idsOf(invitations: StoredInvitation[]): string[] {
  return invitations.map(({ _id }) => _id)
}
