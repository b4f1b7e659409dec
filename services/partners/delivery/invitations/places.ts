import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { Recipient } from './resource.ts'
import { type InvitationStore, invitationId, type StoredInvitation } from './store.ts'

/** Recipients who are looked up and accepted together. The earlier ones of a batch come first where the quota does not suffice for all. */
export const CHUNK = 1_000

/** A recipient with the address by which it is known. */
export interface Addressed {
  address: string
  recipient: Recipient
}

/** What a campaign has of some recipients. */
export interface Standing {
  /** By address. These need no place in a quota: they have theirs, or it was given back. */
  invited: Map<string, StoredInvitation>
  /** Addresses that a request is accepting just now. */
  pending: Set<string>
}

/** Finds out which of some recipients a campaign has already; no more than `CHUNK`, since their invitations may be large. */
export async function standingOf(
  invitations: InvitationStore,
  campaign: StoredCampaign,
  recipients: Addressed[],
): Promise<Standing> {
  const ids = recipients.map(({ address }) => invitationId(campaign._id, address))
  const standing: Standing = { invited: new Map(), pending: new Set() }
  for (const invitation of await invitations.find(campaign, ids)) {
    if (invitation.state === 'pending') standing.pending.add(invitation.address)
    else standing.invited.set(invitation.address, invitation)
  }
  return standing
}

/** Who of those who need a place gets one of those that are left: the earlier ones. What is shown before sending and sending itself agree by this. */
export function allotted<Each>(needing: Each[], left: number): { within: Each[]; beyond: Each[] } {
  return { within: needing.slice(0, left), beyond: needing.slice(left) }
}
