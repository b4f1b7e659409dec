import { isDeepStrictEqual } from 'node:util'
import { guestDefaults } from '@gatehouse/guests/resources'
import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { conflict, unavailable, unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { ObjectId } from 'mongodb'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { Dependencies } from '../../dependencies.ts'
import { knownOf, merged, OWN_METADATA, type Registration } from '../../pages/registrations/registration.ts'
import { categoryOf } from '../../pages/registrations/terms.ts'
import * as topics from '../../topics.ts'
import type { GivenAnswer, InvitationKey, RegistrationState, StoredInvitation } from './store.ts'
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

/** The `_id` of the guest whom an invitation becomes. */
export function guestIdOf({ _id }: Pick<StoredInvitation, '_id'>): string {
  return derivedId('guest of invitation', _id)
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
  if (!(await dependencies.answers.approve(key))) {
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
  return decided(dependencies, key, await dependencies.answers.reopen(key), 'pending')
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
  const { answers, campaigns, types, usage, guestClient, bus } = dependencies
  if (invitation.has_guest) {
    const isChanged = await updateGuest(dependencies, invitation, 'accepted')
    if (isChanged && (await answers.confirmAgain(invitation))) bus.announce(topics.confirmations, '')
    return isChanged
  }
  const { event_id, partner_id, partner_campaign_id, email } = invitation
  const campaign = await campaigns.get(event_id, partner_campaign_id)
  const [partner, type] = await Promise.all([
    usage.get({ _id: partner_id, event_id }),
    campaign && types.get(event_id, campaign.invitation_type_id),
  ])
  const category = await categoryOf(dependencies, event_id, type?.guest_category_id)
  if (!campaign || !partner || !type?.guest_category_id || !category) return false
  const own = [
    { name: 'partner', value: partner.name },
    { name: 'campaign', value: type.name },
  ]
  const { first_name, last_name, guest_metadata } = knownOf(invitation)
  const promo_code = codeOf(campaign)
  const made = await unlessRefused(
    guestClient.create_invited({
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
  await answers.noteGuest(invitation, category.confirmation_email_enabled)
  if (category.confirmation_email_enabled) bus.announce(topics.confirmations, '')
  return made.created || updateGuest(dependencies, invitation, 'accepted')
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
  const given = { rsvp_status, first_name, last_name, guest_metadata: merged(stored, guest_metadata) }
  const body = rsvp_status === 'accepted' ? given : { rsvp_status }
  if (isDeepStrictEqual({ ...guest, ...body }, guest)) return true
  return (await unlessRefused(guestClient.update({ params, body }), 'not_found', 'invalid')) !== null
}

/** The discount code of a campaign, which its guests use. */
function codeOf({ wanted_code, platform_promo_code_text: text }: StoredCampaign) {
  return wanted_code && text ? { event_id: wanted_code.event_id, text } : undefined
}
