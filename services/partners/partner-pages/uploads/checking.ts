import { type InvitationStore, invitationId } from '../../invitations/store.ts'
import type { StoredCampaign } from '../../partner-campaigns/store.ts'
import type { GoodRow, Reading } from './reading.ts'
import type { StoredUpload } from './store.ts'

/** Invitations which are looked up together. */
const LOOKUP_SIZE = 1_000

/** An upload as it would be sent now. */
export interface Checked extends Omit<Reading, 'good'> {
  /** Recipients who are to be invited. */
  fresh: GoodRow[]
  already: GoodRow[]
  /** How many of the fresh ones the quotas leave out. */
  beyond: number
  /** How many the quotas allow. */
  left: number
}

/**
 * Finds out who of an upload is invited already, and how many the quotas leave out. Whom an interrupted sending of the upload itself has invited
 * still counts as one to be invited: sending it again completes the report.
 */
export async function checkUpload(
  invitations: InvitationStore,
  campaign: StoredCampaign,
  { sending_at }: Pick<StoredUpload, 'sending_at'>,
  { good, ...reading }: Reading,
  left: number,
): Promise<Checked> {
  const others = new Set<string>()
  let own = 0
  for (let from = 0; from < good.length; from += LOOKUP_SIZE) {
    const ids = good.slice(from, from + LOOKUP_SIZE).map(({ address }) => invitationId(campaign._id, address))
    for (const { address, state, created_at } of await invitations.find(campaign, ids)) {
      if (state === 'pending') continue
      if (sending_at && created_at >= sending_at) own++
      else others.add(address)
    }
  }
  const fresh = good.filter(({ address }) => !others.has(address))
  const already = good.filter(({ address }) => others.has(address))
  return { ...reading, fresh, already, left, beyond: Math.max(0, fresh.length - own - left) }
}
