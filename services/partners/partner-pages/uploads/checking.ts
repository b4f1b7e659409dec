import { type InvitationStore, invitationId } from '../../invitations/store.ts'
import type { StoredCampaign } from '../../partner-campaigns/store.ts'
import type { GoodRow, Reading } from './reading.ts'

/** Invitations which are looked up together. */
const LOOKUP_SIZE = 1_000

/** An upload as it would be sent now. */
export interface Checked extends Omit<Reading, 'good'> {
  /** Recipients whom the campaign does not have. */
  fresh: GoodRow[]
  already: GoodRow[]
  /** How many of the fresh ones the quotas leave out. */
  beyond: number
  /** How many the quotas allow. */
  left: number
}

/** Finds out who of an upload is invited already, and how many the quotas leave out. */
export async function checkUpload(
  invitations: InvitationStore,
  campaign: StoredCampaign,
  { good, ...reading }: Reading,
  left: number,
): Promise<Checked> {
  const known = new Set<string>()
  for (let from = 0; from < good.length; from += LOOKUP_SIZE) {
    const ids = good.slice(from, from + LOOKUP_SIZE).map(({ address }) => invitationId(campaign._id, address))
    for (const { address, state } of await invitations.find(campaign, ids)) if (state !== 'pending') known.add(address)
  }
  const fresh = good.filter(({ address }) => !known.has(address))
  const already = good.filter(({ address }) => known.has(address))
  return { ...reading, fresh, already, left, beyond: Math.max(0, fresh.length - left) }
}
