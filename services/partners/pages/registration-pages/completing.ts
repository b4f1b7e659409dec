import type { RegistrationSettings } from '@gatehouse/guests/resources'
import { NEXT_VERSION } from '../../delivery/invitations/answer-store.ts'
import { syncGuest } from '../../delivery/invitations/answers.ts'
import type { PageRegistration, StoredInvitation } from '../../delivery/invitations/store.ts'
import { pendingRegistration } from '../../delivery/invitations/views.ts'
import type { Dependencies } from '../../dependencies.ts'
import { takePlaces } from './taking.ts'

/**
 * Lets an unconfirmed registration count: takes its places and stores its answer in one update, which nothing can part; then the guest follows,
 * or the organizer decides. Returns the registration as it is then, also if somebody was faster; `full` if there are not enough places.
 */
export async function complete(
  dependencies: Dependencies,
  registration: PageRegistration,
  category: RegistrationSettings,
): Promise<StoredInvitation | 'full'> {
  const { outbox, invitations } = dependencies
  const { event_id, _id } = registration
  const isModerated = category.moderated_registrations_enabled
  const take = () => takePlaces(dependencies, registration, { only: WAITING, change: accepted(isModerated) })
  const event = { type: 'registration.pending', event_id, items: [{ _id }] } as const
  const taken = isModerated
    ? await outbox.publishing(event, take, (found) => (typeof found === 'string' ? [] : pendingRegistration(found)))
    : await take()
  if (taken === 'full') return 'full'
  await syncGuest(dependencies, { event_id, _id })
  return (await invitations.get(_id)) ?? registration
}

const WAITING = { registration_state: 'unconfirmed' } as const

/** The stages by which a registration counts. */
function accepted(isModerated: boolean): object[] {
  const now = new Date()
  return [
    {
      $set: {
        answer: 'accepted',
        answer_due: now,
        answer_version: NEXT_VERSION,
        registered_at: now,
        updated_at: now,
        registration_state: isModerated ? 'pending' : 'approved',
      },
    },
    { $unset: ['expires_at', 'confirmation_due'] },
  ]
}
