import { knownOf } from '../../pages/registrations/registration.ts'
import type { ListedRegistration } from '../../pages/registrations/resource.ts'
import type { PartnerInvitation } from './resource.ts'
import { isOfPage, type StoredInvitation } from './store.ts'

/** An invitation as partners see it: one whose campaign is deleted they do not. Fields that an older one lacks are written as null. */
export function partnerView(invitation: StoredInvitation): PartnerInvitation {
  return invitation as PartnerInvitation
}

/** An invitation as organizers see it: with what its recipient gave with the acceptance. */
export function organizerView(invitation: StoredInvitation): PartnerInvitation {
  const { first_name, last_name, guest_metadata } = knownOf(invitation)
  return { ...partnerView(invitation), ...senderOf(invitation), first_name, last_name, guest_metadata }
}

/** An invitation as a registration, with what its recipient gave and the category that the guest gets. */
export function registrationView(invitation: StoredInvitation, guest_category_id: string | null): ListedRegistration {
  const { registered_at = null, registration_state = 'approved', party_size = 1 } = invitation
  const found = { registered_at, registration_state, party_size, guest_category_id }
  return { ...invitation, ...knownOf(invitation), ...senderOf(invitation), ...found }
}

/** Who invited: nobody, where someone registered on a registration page. */
function senderOf(invitation: StoredInvitation): Pick<PartnerInvitation, 'partner_id' | 'partner_campaign_id'> {
  const { partner_id, partner_campaign_id } = invitation
  return isOfPage(invitation) ? { partner_id: null, partner_campaign_id: null } : { partner_id, partner_campaign_id }
}

/** The invitation as it is published if its registration is pending. */
export function pendingRegistration(invitation: StoredInvitation | null): PartnerInvitation[] {
  return invitation?.registration_state === 'pending' ? [organizerView(invitation)] : []
}
