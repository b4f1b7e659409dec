import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import { conflict, Fault, invalid, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { StoredPartner } from '../partners/store.ts'
import { makeCode, retireCode } from './codes.ts'
import type { StoredCampaign } from './store.ts'

/*
 * Completes changes of several steps: a campaign with its discount code, a partner's new name, a deletion. The first step is stored before
 * the others begin, and each can be repeated by the next request or by the sweep. docs/adr/0007 says why.
 */

export const NO_PARTNER = { partner_id: [messageOf('unknown_reference', { thing: 'a partner', owner: 'event' })] }

/** Work that has stood still for this long belongs to a process that died. */
const ABANDONED_MS = 30_000
const SWEEP_MS = 30_000
/** Campaigns of a deleted partner that are removed at the same time. */
const CONCURRENCY = 16

/**
 * Makes a campaign visible, with its discount code. If that is refused (`invalid`, `not_found`), it withdraws the campaign, which frees
 * its place; after any other error the campaign stays as it is.
 */
export async function completeCampaign(dependencies: Dependencies, campaign: StoredCampaign): Promise<StoredCampaign> {
  const { partners, types, campaigns } = dependencies
  const { event_id, partner_id, invitation_type_id } = campaign
  try {
    const partner = await partners.get(event_id, partner_id)
    if (!partner) throw invalid(NO_PARTNER)
    if (!(await types.confirm(event_id, invitation_type_id))) throw notFound()
    // The partner may have been renamed between the lookup of its name and the insert.
    await campaigns.sortUnder(partner)
    const code = await makeCode(dependencies, campaign)
    const visible = await campaigns.show(campaign, code)
    if (visible) return visible
  } catch (error) {
    if (isRefusal(error) && (await campaigns.hide({ ...campaign, settled: false })))
      await removeCampaign(dependencies, campaign)
    throw error
  }
  const stored = await campaigns.find(campaign)
  if (stored?.settled) return stored
  // Another request withdrew it, perhaps before the code was made.
  await removeCampaign(dependencies, stored ?? campaign)
  if (!(await partners.get(event_id, partner_id))) throw invalid(NO_PARTNER)
  throw conflict(messageOf('campaign_deleted'))
}

/** Removes a deleted campaign, after its tokens and its discount code. */
export async function removeCampaign(dependencies: Dependencies, campaign: StoredCampaign): Promise<void> {
  await dependencies.tokens.deleteOfCampaign(campaign.event_id, campaign._id)
  await retireCode(dependencies, campaign)
  await dependencies.campaigns.remove(campaign)
}

/** Copies a partner's name to its campaigns, which are sorted by it. */
export async function renamePartner({ campaigns, partners }: Dependencies, partner: StoredPartner): Promise<void> {
  await campaigns.sortUnder(partner)
  await partners.noteRenamed(partner)
}

/** Removes a deleted partner, after its campaigns and invitations. */
export async function removePartner(dependencies: Dependencies, partner: StoredPartner): Promise<void> {
  const { partners, campaigns, invitations, formerRecipients } = dependencies
  const { event_id, _id } = partner
  await campaigns.hideOfPartner(event_id, _id)
  const hidden = await campaigns.hiddenOfPartner(event_id, _id)
  for (let from = 0; from < hidden.length; from += CONCURRENCY) {
    await Promise.all(hidden.slice(from, from + CONCURRENCY).map((campaign) => removeCampaign(dependencies, campaign)))
  }
  // Those of campaigns that were deleted earlier too.
  for (const campaign_id of Object.keys(partner.usage ?? {})) {
    const deleting = invitations.deleteOfCampaign({ _id: campaign_id, event_id })
    for await (const some of deleting) await formerRecipients.add(some)
  }
  await partners.remove(partner)
}

/** Reconciles an event before its campaigns are listed: those of deleted partners are hidden, and all are sorted by current names. */
export async function reconcileEvent(dependencies: Dependencies, event_id: string): Promise<void> {
  for (const partner of await dependencies.partners.unsettledOf(event_id)) {
    if (partner.deleted) await dependencies.campaigns.hideOfPartner(event_id, partner._id)
    else await renamePartner(dependencies, partner)
  }
}

/** Completes changes of all events that have stood still since before a time. */
export async function sweep(dependencies: Dependencies, before: Date): Promise<void> {
  const { partners, campaigns, log } = dependencies
  const unlessFailed = ({ _id }: { _id: string }, completing: Promise<unknown>): Promise<unknown> =>
    completing.catch((error) => {
      if (!isRefusal(error)) log.warn({ err: error, _id }, 'a campaign is not settled yet')
    })
  for (const partner of await partners.unsettledSince(before)) {
    const complete = partner.deleted ? removePartner : renamePartner
    await unlessFailed(partner, complete(dependencies, partner))
  }
  for (const campaign of await campaigns.unsettledSince(before)) {
    const complete = campaign.gone ? removeCampaign : completeCampaign
    await unlessFailed(campaign, complete(dependencies, campaign))
  }
}

/** Sweeps every 30 s until it is stopped. */
export function startSweeping(dependencies: Dependencies): Poller {
  const poller = new Poller({
    everyMs: SWEEP_MS,
    look: () => sweep(dependencies, new Date(Date.now() - ABANDONED_MS)),
    onError: (error) => dependencies.log.warn({ err: error }, 'sweep failed'),
  })
  poller.wake(SWEEP_MS)
  return poller
}

/** Whether an error is a refusal, which another try would meet too. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Fault && (error.code === 'invalid' || error.code === 'not_found')
}
