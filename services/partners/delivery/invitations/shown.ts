import { knownOf } from '../../pages/registrations/registration.ts'
import type { PartnerInvitation } from './resource.ts'
import type { StoredInvitation } from './store.ts'

/** An invitation as it goes out: one whose campaign is gone is not. What an older one does not have is written as null. */
export function shown(invitation: StoredInvitation): PartnerInvitation {
  return invitation as PartnerInvitation
}

/** An invitation as organizers see it: with what its recipient gave with the acceptance. */
export function shownToOrganizer(invitation: StoredInvitation): PartnerInvitation {
  const { first_name, last_name, guest_metadata } = knownOf(invitation)
  return { ...shown(invitation), first_name, last_name, guest_metadata }
}
