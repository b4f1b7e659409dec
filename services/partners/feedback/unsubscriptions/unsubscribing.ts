import { ObjectId } from 'mongodb'
import type { UnsubscriptionNote } from '../../campaigns/partners/usage.ts'
import type { PartnerKey, UsageStore } from '../../campaigns/partners/usage-store.ts'
import type { InvitationStore, StoredInvitation } from '../../delivery/invitations/store.ts'
import type { UnsubscriptionStore } from './store.ts'

/**
 * Unsubscribes recipients: first nothing goes to the address any more, then a note is written, the invitation changes under it, and one update
 * counts that and removes the note. An invitation changes under one note only, so it is counted once.
 */
export class Unsubscribing {
  readonly #invitations: InvitationStore
  readonly #unsubscriptions: UnsubscriptionStore
  readonly #usageStore: UsageStore

  constructor(invitations: InvitationStore, unsubscriptions: UnsubscriptionStore, usageStore: UsageStore) {
    this.#invitations = invitations
    this.#unsubscriptions = unsubscriptions
    this.#usageStore = usageStore
  }

  /** Unsubscribes the recipient of an invitation; once more is the same. */
  async unsubscribe({ _id, event_id, partner_id, address, unsubscription }: StoredInvitation): Promise<void> {
    await this.#unsubscriptions.add(event_id, address)
    if (unsubscription !== undefined) return
    const partner = { _id: partner_id, event_id }
    const id = new ObjectId().toHexString()
    const note: UnsubscriptionNote = { kind: 'unsubscription', id, invitation_id: _id, at: new Date() }
    await this.#usageStore.note(partner, note)
    await this.end(partner, note)
  }

  /** Does what is left of a noted unsubscription. */
  async end(partner: PartnerKey, { id, invitation_id }: UnsubscriptionNote): Promise<void> {
    const invitation = await this.#invitations.unsubscribe(partner.event_id, invitation_id, id)
    const isFirst = invitation?.unsubscription === id
    const changes = isFirst ? [[invitation.partner_campaign_id, { unsubscribed_recipients: 1 }] as const] : []
    await this.#usageStore.settle(partner, id, changes)
  }
}
