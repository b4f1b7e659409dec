import { knownOf } from '../../pages/registrations/registration.ts'
import type { ListedRegistration } from '../../pages/registrations/resource.ts'
import type { PartnerInvitation } from './resource.ts'
import type { StoredInvitation } from './store.ts'

/** An invitation as partners see it: one whose campaign is deleted they do not. Fields that an older one lacks are written as null. */
export function partnerView(invitation: StoredInvitation): PartnerInvitation {
  return invitation as PartnerInvitation
}

/** An invitation as organizers see it: with what its recipient gave with the acceptance. */
export function organizerView(invitation: StoredInvitation): PartnerInvitation {
  const { first_name, last_name, guest_metadata } = knownOf(invitation)
  return { ...partnerView(invitation), first_name, last_name, guest_metadata }
}

/** An invitation as a registration, with what its recipient gave and the category that the guest gets. */
export function registrationView(invitation: StoredInvitation, guest_category_id: string | null): ListedRegistration {
  const { registered_at = null, registration_state = 'approved' } = invitation
  return { ...invitation, ...knownOf(invitation), registered_at, registration_state, guest_category_id }
}

/** The invitation as it is published if its registration is pending. */
export function pendingRegistration(invitation: StoredInvitation | null): PartnerInvitation[] {
  return invitation?.registration_state === 'pending' ? [organizerView(invitation)] : []
}
