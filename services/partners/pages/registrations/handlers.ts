import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { PartnerCampaignStore } from '../../campaigns/partner-campaigns/store.ts'
import type { Answers } from '../../delivery/invitations/answers.ts'
import { shownToOrganizer } from '../../delivery/invitations/shown.ts'
import type { InvitationStore } from '../../delivery/invitations/store.ts'
import type { registrations } from './resource.ts'

/** The handler of organizers' decisions about registrations. */
export function registrationHandlers(
  invitations: InvitationStore,
  campaigns: PartnerCampaignStore,
  answers: Answers,
): Handlers<typeof registrations> {
  return {
    async decide({ params: { event_id, invitation_type_id, partner_campaign_id, id }, body }) {
      const campaign = found(await campaigns.get(event_id, partner_campaign_id))
      const [invitation] = await invitations.find(campaign, [id])
      const isThere = campaign.invitation_type_id === invitation_type_id && invitation && invitation.state !== 'pending'
      if (!isThere) throw new Fault('not_found')
      const isApproved = body.registration_state === 'approved'
      return shownToOrganizer(await (isApproved ? answers.approve(invitation) : answers.reject(invitation)))
    },
  }
}
