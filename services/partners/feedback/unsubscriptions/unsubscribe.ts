import { ObjectId } from 'mongodb'
import type { UnsubscriptionNote } from '../../campaigns/partners/usage.ts'
import type { PartnerKey } from '../../campaigns/partners/usage-store.ts'
import type { StoredInvitation } from '../../delivery/invitations/store.ts'
import type { DeliveryDependencies } from '../../dependencies.ts'

/**
 * Unsubscribes the recipient of an invitation; once more is the same. First nothing goes to the address any more, then a note is written, the
 * invitation changes under it, and one update counts that and removes the note. An invitation changes under one note only, so it is counted once.
 */
export async function unsubscribe(
  dependencies: DeliveryDependencies,
  { _id, event_id, partner_id, address, unsubscription }: StoredInvitation,
): Promise<void> {
  await dependencies.unsubscriptions.add(event_id, address)
  if (unsubscription !== undefined) return
  const partner = { _id: partner_id, event_id }
  const id = new ObjectId().toHexString()
  const note: UnsubscriptionNote = { kind: 'unsubscription', id, invitation_id: _id, at: new Date() }
  await dependencies.usage.note(partner, note)
  await finishUnsubscription(dependencies, partner, note)
}

/** Does what is left of a noted unsubscription. */
export async function finishUnsubscription(
  { invitations, usage }: DeliveryDependencies,
  partner: PartnerKey,
  { id, invitation_id }: UnsubscriptionNote,
): Promise<void> {
  const invitation = await invitations.unsubscribe(partner.event_id, invitation_id, id)
  const isFirst = invitation?.unsubscription === id
  const changes = isFirst ? [[invitation.partner_campaign_id, { unsubscribed_recipients: 1 }] as const] : []
  await usage.commit(partner, id, changes)
}
