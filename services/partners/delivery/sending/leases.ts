import type { CounterChanges, LeaseNote } from '../../campaigns/partners/usage.ts'
import type { PartnerKey } from '../../campaigns/partners/usage-store.ts'
import type { DeliveryDependencies } from '../../dependencies.ts'
import type { SendOutcome, StoredInvitation } from '../invitations/store.ts'

/** What each outcome adds to the numbers of its campaign. What failed before it was handed over gives its place in the quota back. */
const CHANGES: Record<SendOutcome, CounterChanges> = {
  sent: { nb_email_sent: 1, nb_recipients_email_sent: 1 },
  unknown: { unknown_recipients: 1 },
  rejected: { reserved: -1, rejected_recipients: 1 },
  blocked: { reserved: -1, blacklisted_recipients: 1 },
  cancelled: { reserved: -1 },
}

/**
 * Ends a lease: what was not begun waits again; what was begun, but whose outcome is not known, may have been handed over. After that nobody
 * can change an invitation under this lease, so the outcomes are final, and they are counted once.
 */
export async function endLease(
  dependencies: DeliveryDependencies,
  partner: PartnerKey,
  { id, ids }: Pick<LeaseNote, 'id' | 'ids'>,
): Promise<void> {
  const { invitations, usage } = dependencies
  const { event_id } = partner
  let leased = await invitations.ofLease(event_id, id, ids)
  if (leased.some(({ outcome }) => !outcome)) {
    const begun = await usage.closeLease(partner, id)
    const mayBeSent = new Set(begun)
    const unbegun = ids.filter((_id) => !mayBeSent.has(_id))
    await invitations.release(event_id, id, unbegun)
    await invitations.recordOutcome(event_id, id, begun, 'unknown', null)
    leased = await invitations.ofLease(event_id, id, ids)
  }
  await noteMailed(dependencies, event_id, leased)
  const changes = leased.flatMap(({ outcome, partner_campaign_id }) =>
    outcome ? [[partner_campaign_id, CHANGES[outcome]] as const] : [],
  )
  await usage.commit(partner, id, changes)
}

/** Ends a lease by its id, unless it has ended; `sent` is how many of its invitations have just become so. */
export async function endLeaseById(
  dependencies: DeliveryDependencies,
  partner: PartnerKey,
  lease: string,
  sent: number,
): Promise<void> {
  const { usage, notesGuests } = dependencies
  const note = (await usage.get(partner))?.notes?.find(({ id }) => id === lease)
  if (note?.kind !== 'claim') return
  const [campaign, ...others] = note.campaign_ids ?? []
  // Most leases end like this: to read the invitations would say nothing new.
  if (campaign !== undefined && others.length === 0 && sent === note.ids.length && !notesGuests) {
    const changes = note.ids.map(() => [campaign, CHANGES.sent] as const)
    await usage.commit(partner, lease, changes)
  } else await endLease(dependencies, partner, note)
}

/** Stores with guests that e-mails to them were handed over. Before the lease ends: whoever ends it in place of a process that died does so too. */
async function noteMailed(
  { guestClient, notesGuests }: DeliveryDependencies,
  event_id: string,
  leased: readonly StoredInvitation[],
): Promise<void> {
  if (!notesGuests) return
  const ids = leased.flatMap(({ outcome, guest_id }) => (outcome === 'sent' && guest_id ? [guest_id] : []))
  if (ids.length > 0) await guestClient.note_mailed({ body: { event_id, ids, at: new Date() } })
}
