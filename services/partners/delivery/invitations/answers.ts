import { isDeepStrictEqual } from 'node:util'
import { guestDefaults } from '@gatehouse/guests/resources'
import { type Client, derivedId } from '@gatehouse/proto/bus/client.ts'
import { conflict, unavailable, unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Outbox } from '@gatehouse/proto/events/outbox.ts'
import { ObjectId } from 'mongodb'
import type { PartnerCampaignStore, StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { UsageStore } from '../../campaigns/partners/usage-store.ts'
import { knownOf, merged, OWN_METADATA, type Registration } from '../../pages/registrations/registration.ts'
import type { RegistrationTerms } from '../../pages/registrations/terms.ts'
import type { guests } from '../../permissions.ts'
import type { InvitationTypeStore } from '../invitation-types/store.ts'
import type { AnswerStore } from './answer-store.ts'
import type { PartnerInvitation } from './resource.ts'
import { shownToOrganizer } from './shown.ts'
import type { GivenAnswer, InvitationKey, InvitationStore, StoredInvitation } from './store.ts'

/** How often an answer is stored anew because another one came between. */
const TRIES = 50
/** An attempt takes less than a second. One that is as old as this belongs to a process that died. */
export const ATTEMPT_MS = 8_000

interface AnswersOptions {
  store: AnswerStore
  invitations: InvitationStore
  campaigns: PartnerCampaignStore
  types: InvitationTypeStore
  usageStore: UsageStore
  terms: RegistrationTerms
  guests: Client<typeof guests>
  outbox: Outbox<{ _id: string }>
  /** Called when a confirmation is due. */
  confirmable(): void
}

/** An acceptance, with what the recipient gave. */
export interface AcceptedAnswer {
  answer: 'accepted'
  registration: Registration
  /** Whether the organizer decides about it. */
  isModerated: boolean
}

/** The `_id` of the guest whom an invitation becomes. */
export function guestIdOf({ _id }: Pick<StoredInvitation, '_id'>): string {
  return derivedId('guest of invitation', _id)
}

/** Whether an invitation's recipient comes as a guest. */
export function isAdmitted({ answer, registration_state = 'approved' }: StoredInvitation): boolean {
  return answer === 'accepted' && registration_state === 'approved'
}

/**
 * Answers of recipients, and what the organizer decides about them. Each is stored first, under a new version; then the guest follows, and the
 * version is noted as settled unless another one came between: then the guest follows that one. The guest's `_id` follows from the invitation,
 * so there is one.
 */
export class Answers {
  readonly #options: AnswersOptions

  constructor(options: AnswersOptions) {
    this.#options = options
  }

  /** Stores an answer and lets the guest follow. Returns the invitation as it is then; null if no guest can be made. */
  async give(key: InvitationKey, given: AcceptedAnswer | { answer: 'declined' }): Promise<StoredInvitation | null> {
    const { store } = this.#options
    if (given.answer === 'declined') await store.decline(key)
    else if (given.isModerated) await this.#acceptModerated(key, given.registration)
    else await store.accept(key, given.registration, false)
    return this.settle(key)
  }

  /** Stores an acceptance about which the organizer decides, and publishes that it waits. */
  async #acceptModerated({ event_id, _id }: InvitationKey, registration: Registration): Promise<void> {
    const { store, outbox } = this.#options
    const event = { type: 'registration.pending', event_id, items: [{ _id }] } as const
    await outbox.publishing(event, () => store.accept({ event_id, _id }, registration, true), waiting)
  }

  /** Admits a registration that waits, or was rejected; once more is the same. Throws `conflict` if there is none. */
  async approve(key: InvitationKey): Promise<StoredInvitation> {
    const { store, invitations } = this.#options
    if (!(await store.approve(key))) {
      const current = await invitations.get(key._id)
      if (current?.registration_state !== 'approved' || current.answer !== 'accepted')
        throw conflict(messageOf('registration_not_pending'))
    }
    const settled = await this.settle(key)
    if (!settled) throw conflict(messageOf('cannot_create_guest'))
    return settled
  }

  /** Rejects a registration that waits; once more is the same. Throws `conflict` if there is none. */
  async reject(key: InvitationKey): Promise<StoredInvitation> {
    const isChanged = await this.#options.store.reject(key)
    const invitation = await this.#options.invitations.get(key._id)
    if (!invitation || (!isChanged && invitation.registration_state !== 'rejected'))
      throw conflict(messageOf('registration_not_pending'))
    return invitation
  }

  /** Lets the guest follow the stored answer. Returns the invitation as it is then; null if no guest can be made. */
  async settle(key: InvitationKey): Promise<StoredInvitation | null> {
    const { store, invitations } = this.#options
    const attempt = new ObjectId().toHexString()
    let invitation = await store.begin(key, attempt)
    if (!invitation) {
      const settled = await invitations.get(key._id)
      return settled?.answer ? settled : null
    }
    for (let tries = 0; tries < TRIES; tries++) {
      if (!invitation?.answer) return null
      const { answer, answer_version: version = 0 } = invitation
      let isDone = true
      if (answer === 'accepted') isDone = await this.#accept(invitation)
      // Without a guest there is nothing to change.
      else await this.#change(invitation, 'declined')
      const dead = new Date(Date.now() - ATTEMPT_MS)
      const isCurrent = await store.end(key, { attempt, version, dead }, isDone ? answer : null)
      if (isCurrent) return isDone ? invitation : null
      invitation = await invitations.get(key._id)
    }
    throw unavailable()
  }

  /** Makes the guest, or notes its acceptance. False if that is impossible. */
  async #accept(invitation: StoredInvitation): Promise<boolean> {
    if (!isAdmitted(invitation)) return true
    const { store, campaigns, types, usageStore, terms, guests, confirmable } = this.#options
    if (invitation.has_guest) {
      const isChanged = await this.#change(invitation, 'accepted')
      if (isChanged && (await store.confirmAgain(invitation))) confirmable()
      return isChanged
    }
    const { event_id, partner_id, partner_campaign_id, email } = invitation
    const campaign = await campaigns.get(event_id, partner_campaign_id)
    const [partner, type] = await Promise.all([
      usageStore.get({ _id: partner_id, event_id }),
      campaign && types.get(event_id, campaign.invitation_type_id),
    ])
    const category = await terms.category(event_id, type?.guest_category_id)
    if (!campaign || !partner || !type?.guest_category_id || !category) return false
    const own = [
      { name: 'partner', value: partner.name },
      { name: 'campaign', value: type.name },
    ]
    const { first_name, last_name, guest_metadata } = knownOf(invitation)
    const promo_code = codeOf(campaign)
    const made = await unlessRefused(
      guests.create_invited({
        body: {
          ...guestDefaults,
          event_id,
          _id: guestIdOf(invitation),
          guest_category_id: type.guest_category_id,
          email,
          first_name,
          last_name,
          rsvp_status: 'accepted',
          guest_metadata: [...guest_metadata.filter(({ name }) => !OWN_METADATA.includes(name)), ...own],
          ...(promo_code && { promo_code }),
        },
      }),
      'not_found',
      'invalid',
    )
    if (!made) return false
    await store.noteGuest(invitation, category.confirmation_email_enabled)
    if (category.confirmation_email_enabled) confirmable()
    return made.created || this.#change(invitation, 'accepted')
  }

  /**
   * Changes the answer of a guest, and what was given with an acceptance, unless the guest has it already: many attempts at once would wait
   * for each other. False if there is no guest: it was deleted, or not made yet.
   */
  async #change(invitation: StoredInvitation, rsvp_status: GivenAnswer): Promise<boolean> {
    const { guests } = this.#options
    const params = { event_id: invitation.event_id, id: guestIdOf(invitation) }
    const guest = await unlessRefused(guests.read({ params, query: { guest_metadata: true } }), 'not_found', 'invalid')
    if (!guest) return false
    const { guest_metadata: stored = [] } = guest
    const { first_name, last_name, guest_metadata } = invitation.registration ?? { ...guest, guest_metadata: [] }
    const given = { rsvp_status, first_name, last_name, guest_metadata: merged(stored, guest_metadata) }
    const body = rsvp_status === 'accepted' ? given : { rsvp_status }
    if (isDeepStrictEqual({ ...guest, ...body }, guest)) return true
    return (await unlessRefused(guests.update({ params, body }), 'not_found', 'invalid')) !== null
  }
}

/** The invitation as it is published if its registration waits for the organizer. */
export function waiting(invitation: StoredInvitation | null): PartnerInvitation[] {
  return invitation?.registration_state === 'pending' ? [shownToOrganizer(invitation)] : []
}

/** The discount code of a campaign, which its guests use. */
function codeOf({ wanted_code, platform_promo_code_text: text }: StoredCampaign) {
  return wanted_code && text ? { event_id: wanted_code.event_id, text } : undefined
}
