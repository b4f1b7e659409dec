import { isDeepStrictEqual } from 'node:util'
import { guestDefaults } from '@gatehouse/guests/resources'
import { conflict, unavailable, unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { ObjectId } from 'mongodb'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { Dependencies } from '../../dependencies.ts'
import { takePlaces } from '../../pages/registration-pages/taking.ts'
import { knownOf, merged, OWN_METADATA, type Registration } from '../../pages/registrations/registration.ts'
import { categoryOf } from '../../pages/registrations/terms.ts'
import * as topics from '../../topics.ts'
import { NEXT_VERSION } from './answer-store.ts'
import {
  type GivenAnswer,
  guestIdOf,
  type InvitationKey,
  isOfPage,
  type RegistrationState,
  type StoredInvitation,
} from './store.ts'
import { pendingRegistration } from './views.ts'

/** How often an answer is stored again because another one came between. */
const TRIES = 50
/** An attempt takes less than a second. One that is as old as this belongs to a process that died. */
export const ATTEMPT_MS = 8_000

/** An acceptance, with what the recipient gave. */
export interface AcceptedAnswer {
  answer: 'accepted'
  registration: Registration
  /** Whether the organizer decides about it. */
  isModerated: boolean
}

/** Whether an invitation's recipient comes as a guest. */
export function isAdmitted({ answer, registration_state = 'approved' }: StoredInvitation): boolean {
  return answer === 'accepted' && registration_state === 'approved'
}

/*
 * Answers of recipients, and what the organizer decides about them. Each is stored first, under a new version; then the guest follows, and the
 * version is noted as final unless another one came between: then the guest follows that one. The guest's `_id` follows from the invitation,
 * so there is one.
 */

/** Stores an answer and lets the guest follow. Returns the invitation as it is then; null if no guest can be made. */
export async function giveAnswer(
  dependencies: Dependencies,
  { event_id, _id }: InvitationKey,
  given: AcceptedAnswer | { answer: 'declined' },
): Promise<StoredInvitation | null> {
  const { answers, outbox } = dependencies
  const key = { event_id, _id }
  if (given.answer === 'declined') await answers.decline(key)
  else if (given.isModerated) {
    const event = { type: 'registration.pending', event_id, items: [{ _id }] } as const
    await outbox.publishing(event, () => answers.accept(key, given.registration, true), pendingRegistration)
  } else await answers.accept(key, given.registration, false)
  return syncGuest(dependencies, key)
}

/** Admits a registration that waits, or was rejected; once more is the same. Throws `conflict` if there is none. */
export async function approve(dependencies: Dependencies, key: InvitationKey): Promise<StoredInvitation> {
  if (!(await dependencies.answers.approve(key)) && !(await takeBack(dependencies, key, 'approved'))) {
    const current = await dependencies.invitations.get(key._id)
    if (current?.registration_state !== 'approved' || current.answer !== 'accepted')
      throw conflict(messageOf('registration_not_pending'))
  }
  const approved = await syncGuest(dependencies, key)
  if (!approved) throw conflict(messageOf('cannot_create_guest'))
  return approved
}

/** Rejects a registration that waits; once more is the same. Throws `conflict` if there is none. */
export async function reject(dependencies: Dependencies, key: InvitationKey): Promise<StoredInvitation> {
  return decided(dependencies, key, await dependencies.answers.reject(key), 'rejected')
}

/** Takes a rejection back, so that the registration waits again; once more is the same. Throws `conflict` if there is none. */
export async function reopen(dependencies: Dependencies, key: InvitationKey): Promise<StoredInvitation> {
  const isChanged = (await dependencies.answers.reopen(key)) || (await takeBack(dependencies, key, 'pending'))
  return decided(dependencies, key, isChanged, 'pending')
}

/** Takes the rejection of a registration on a page back, which needs places. Throws `conflict` if there are none; false if it is none such. */
async function takeBack(
  dependencies: Dependencies,
  key: InvitationKey,
  registration_state: 'approved' | 'pending',
): Promise<boolean> {
  const current = await dependencies.invitations.get(key._id)
  if (!current || !isOfPage(current) || current.registration_state !== 'rejected') return false
  const now = new Date()
  const due = registration_state === 'approved' && { answer_due: now, answer_version: NEXT_VERSION }
  const taken = await takePlaces(dependencies, current, {
    only: { answer: 'accepted', registration_state: 'rejected' },
    change: [{ $set: { registration_state, updated_at: now, ...due } }],
  })
  if (taken === 'full') throw conflict(messageOf('registration_full'))
  return taken !== 'stale'
}

/** The invitation after a decision without a guest. Throws `conflict` if the decision changed nothing, and the invitation is in another state. */
async function decided(
  { invitations }: Dependencies,
  { _id }: InvitationKey,
  isChanged: boolean,
  state: RegistrationState,
): Promise<StoredInvitation> {
  const invitation = await invitations.get(_id)
  if (!invitation || (!isChanged && invitation.registration_state !== state))
    throw conflict(messageOf('registration_not_pending'))
  return invitation
}

/** Lets the guest follow the stored answer. Returns the invitation as it is then; null if no guest can be made. */
export async function syncGuest(dependencies: Dependencies, key: InvitationKey): Promise<StoredInvitation | null> {
  const { answers, invitations } = dependencies
  const attempt = new ObjectId().toHexString()
  let invitation = await answers.begin(key, attempt)
  if (!invitation) {
    const current = await invitations.get(key._id)
    return current?.answer ? current : null
  }
  for (let tries = 0; tries < TRIES; tries++) {
    if (!invitation?.answer) return null
    const { answer, answer_version: version = 0 } = invitation
    let isDone = true
    if (answer === 'accepted') isDone = await admit(dependencies, invitation)
    // Without a guest there is nothing to change.
    else await updateGuest(dependencies, invitation, 'declined')
    const dead = new Date(Date.now() - ATTEMPT_MS)
    const isCurrent = await answers.end(key, { attempt, version, dead }, isDone ? answer : null)
    if (isCurrent) return isDone ? invitation : null
    invitation = await invitations.get(key._id)
  }
  throw unavailable()
}

/** Makes the guest, or notes its acceptance. False if that is impossible. */
async function admit(dependencies: Dependencies, invitation: StoredInvitation): Promise<boolean> {
  if (!isAdmitted(invitation)) return true
  const { answers, guestClient, bus } = dependencies
  if (invitation.has_guest) {
    const isChanged = await updateGuest(dependencies, invitation, 'accepted')
    if (isChanged && (await answers.confirmAgain(invitation))) bus.announce(topics.confirmations, '')
    return isChanged
  }
  const terms = await guestTermsOf(dependencies, invitation)
  if (!terms) return false
  const { category, own, ...fields } = terms
  const { first_name, last_name, guest_metadata } = knownOf(invitation)
  const made = await unlessRefused(
    guestClient.create_invited({
      body: {
        ...guestDefaults,
        event_id: invitation.event_id,
        _id: guestIdOf(invitation),
        ...fields,
        email: invitation.email,
        first_name,
        last_name,
        rsvp_status: 'accepted',
        guest_metadata: [...guest_metadata.filter(({ name }) => !OWN_METADATA.includes(name)), ...own],
      },
    }),
    'not_found',
    'invalid',
  )
  if (!made) return false
  await answers.noteGuest(invitation, category.confirmation_email_enabled)
  if (category.confirmation_email_enabled) bus.announce(topics.confirmations, '')
  return made.created || updateGuest(dependencies, invitation, 'accepted')
}

/** What the guest of an invitation, or of a registration page, gets besides what its recipient gave; null if it cannot come any more. */
async function guestTermsOf(dependencies: Dependencies, invitation: StoredInvitation) {
  const { campaigns, types, usage } = dependencies
  const { event_id, partner_id, partner_campaign_id } = invitation
  if (isOfPage(invitation)) {
    const { guest_category_id, party_size = 1 } = invitation
    const category = await categoryOf(dependencies, event_id, guest_category_id)
    return category && { category, guest_category_id, party_size, source: 'registration' as const, own: [] }
  }
  const campaign = await campaigns.get(event_id, partner_campaign_id)
  const [partner, type] = await Promise.all([
    usage.get({ _id: partner_id, event_id }),
    campaign && types.get(event_id, campaign.invitation_type_id),
  ])
  const category = await categoryOf(dependencies, event_id, type?.guest_category_id)
  if (!campaign || !partner || !type?.guest_category_id || !category) return null
  const own = [
    { name: 'partner', value: partner.name },
    { name: 'campaign', value: type.name },
  ]
  const promo_code = codeOf(campaign)
  return {
    category,
    guest_category_id: type.guest_category_id,
    source: 'invitation' as const,
    own,
    ...(promo_code && { promo_code }),
  }
}

/**
 * Changes the answer of a guest, and what was given with an acceptance, unless the guest has it already: many attempts at once would wait
 * for each other. False if there is no guest: it was deleted, or not made yet.
 */
async function updateGuest(
  { guestClient }: Dependencies,
  invitation: StoredInvitation,
  rsvp_status: GivenAnswer,
): Promise<boolean> {
  const params = { event_id: invitation.event_id, id: guestIdOf(invitation) }
  const reading = guestClient.read({ params, query: { guest_metadata: true } })
  const guest = await unlessRefused(reading, 'not_found', 'invalid')
  if (!guest) return false
  const { guest_metadata: stored = [] } = guest
  const { first_name, last_name, guest_metadata } = invitation.registration ?? { ...guest, guest_metadata: [] }
  const given = {
    rsvp_status,
    first_name,
    last_name,
    guest_metadata: merged(stored, guest_metadata),
    ...(invitation.party_size !== undefined && { party_size: invitation.party_size }),
  }
  const body = rsvp_status === 'accepted' ? given : { rsvp_status }
  if (isDeepStrictEqual({ ...guest, ...body }, guest)) return true
  return (await unlessRefused(guestClient.update({ params, body }), 'not_found', 'invalid')) !== null
}

/** The discount code of a campaign, which its guests use. */
function codeOf({ wanted_code, platform_promo_code_text: text }: StoredCampaign) {
  return wanted_code && text ? { event_id: wanted_code.event_id, text } : undefined
}
