import type { guests } from '@gatehouse/guests/resources'
import { type Client, derivedId } from '@gatehouse/proto/bus/client.ts'
import { Fault, unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { isRejected } from '@gatehouse/proto/declaring/resource.ts'
import type { InvitationTypeStore } from '../invitation-types/store.ts'
import type { PartnerCampaignStore } from '../partner-campaigns/store.ts'
import type { UsageStore } from '../partners/usage-store.ts'
import type { GivenAnswer, InvitationStore, StoredInvitation } from './store.ts'

/** How often an answer is stored anew because another one came between. */
const TRIES = 50

interface Parts {
  invitations: InvitationStore
  campaigns: PartnerCampaignStore
  types: InvitationTypeStore
  usageStore: UsageStore
  guests: Client<typeof guests>
}

/** The `_id` of the guest whom an invitation becomes. */
export function guestIdOf({ _id }: Pick<StoredInvitation, '_id'>): string {
  return derivedId('guest of invitation', _id)
}

/**
 * Answers of recipients. An answer is stored first, under a new version; then the guest follows, and the version is noted as settled unless
 * another answer came between: then the guest follows that one. The guest's `_id` follows from the invitation, so there is one.
 */
export class Answers {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Stores an answer and lets the guest follow. Gives the answer which holds; null if no guest can be made. */
  async give({ event_id, _id }: StoredInvitation, answer: GivenAnswer): Promise<GivenAnswer | null> {
    await this.#parts.invitations.answer(event_id, _id, answer)
    return this.settle({ event_id, _id })
  }

  /** Lets the guest follow the stored answer. */
  async settle({ event_id, _id }: Pick<StoredInvitation, 'event_id' | '_id'>): Promise<GivenAnswer | null> {
    const { invitations } = this.#parts
    for (let tries = 0; tries < TRIES; tries++) {
      const invitation = await invitations.get(_id)
      // Once an answer came between, the guest may follow the earlier one, also if the later one is settled.
      const isSettled = tries === 0 && !invitation?.answer_due
      if (!invitation?.answer || isSettled) return invitation?.answer ?? null
      const { answer, answer_version = 0 } = invitation
      const isDone = answer === 'accepted' ? await this.#accept(invitation) : await this.#decline(invitation)
      const stored = isDone ? answer : null
      if (await invitations.settleAnswer(event_id, _id, answer_version, stored)) return stored
    }
    throw unavailable()
  }

  /** Makes the guest, or notes its acceptance. False if that is impossible. */
  async #accept(invitation: StoredInvitation): Promise<boolean> {
    if (invitation.has_guest) return this.#change(invitation, 'accepted')
    const { invitations, campaigns, types, usageStore, guests } = this.#parts
    const { event_id, partner_id, partner_campaign_id, email, first_name, last_name } = invitation
    const campaign = await campaigns.get(event_id, partner_campaign_id)
    const [partner, type] = await Promise.all([
      usageStore.get({ _id: partner_id, event_id }),
      campaign && types.get(event_id, campaign.invitation_type_id),
    ])
    if (!partner || !type?.guest_category_id) return false
    const own = [
      { name: 'partner', value: partner.name },
      { name: 'campaign', value: type.name },
    ]
    const names = new Set(own.map(({ name }) => name))
    const guest = {
      _id: guestIdOf(invitation),
      guest_category_id: type.guest_category_id,
      email,
      first_name,
      last_name,
      company_name: null,
      position: null,
      phone_number: null,
      uid: null,
      message: null,
      rsvp_status: 'accepted' as const,
      guest_metadata: [...invitation.guest_metadata.filter(({ name }) => !names.has(name)), ...own],
      access_privileges_attributes: [],
    }
    const [made] = await guests.create_many({ query: { event_id }, body: [guest] })
    if (!made || isRejected(made)) return false
    await invitations.noteGuest(event_id, invitation._id)
    return made.created || this.#change(invitation, 'accepted')
  }

  /** Notes that a guest does not come, if there is one. */
  async #decline(invitation: StoredInvitation): Promise<true> {
    await this.#change(invitation, 'declined')
    return true
  }

  /** Changes the answer of a guest. False if there is none: it was deleted, or not made yet. */
  async #change(invitation: StoredInvitation, rsvp_status: GivenAnswer): Promise<boolean> {
    const params = { event_id: invitation.event_id, id: guestIdOf(invitation) }
    try {
      await this.#parts.guests.update({ params, body: { rsvp_status } })
      return true
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') return false
      throw error
    }
  }
}
