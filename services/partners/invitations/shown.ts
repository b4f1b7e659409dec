import { knownOf } from '../registrations/registration.ts'
import type { PartnerInvitation } from './resource.ts'
import type { StoredInvitation } from './store.ts'

/** An invitation as it goes out: one whose campaign is gone is not. */
export function shown(invitation: StoredInvitation): PartnerInvitation {
  const { answer, registration_state, confirmed_at } = invitation
  // One which is older than answers has none.
  return {
    ...invitation,
    answer: answer ?? null,
    registration_state: registration_state ?? null,
    confirmed_at: confirmed_at ?? null,
  } as PartnerInvitation
}

/** An invitation as organizers see it: with what its recipient gave with the acceptance. */
export function shownToOrganizer(invitation: StoredInvitation): PartnerInvitation {
  const { first_name, last_name, guest_metadata } = knownOf(invitation)
  return { ...shown(invitation), first_name, last_name, guest_metadata }
}
