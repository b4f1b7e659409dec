import { choice, record } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { invitation } from '../../delivery/invitations/resource.ts'

/** Registrations of invited recipients, about which the organizer decides. */
export const registrations = resource('partners.registrations', 'partner_invitation', {
  decide: {
    route:
      'PUT events/:event_id/invitation_types/:invitation_type_id/partner_campaigns/:partner_campaign_id/invitations/:id',
    summary:
      'Admit or refuse a recipient who has accepted, where registrations are moderated. Approving makes the guest, also after a rejection; 409 where the recipient has not accepted, or is a guest already',
    body: record({ registration_state: choice(['approved', 'rejected']) }),
    reply: invitation,
    status: 204,
  },
})
