import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { approve, reject } from '../../delivery/invitations/answers.ts'
import type { PartnerInvitation } from '../../delivery/invitations/resource.ts'
import { organizerView } from '../../delivery/invitations/views.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { invitationDecisions } from './resource.ts'

/** Approves or rejects a registration at its invitation. */
export async function decide(
  dependencies: Dependencies,
  { params, body }: Call<(typeof invitationDecisions)['actions']['decide']>,
): Promise<PartnerInvitation> {
  const { campaigns, invitations } = dependencies
  const campaign = found(await campaigns.get(params.event_id, params.partner_campaign_id))
  const [invitation] = await invitations.find(campaign, [params.id])
  if (campaign.invitation_type_id !== params.invitation_type_id || !invitation || invitation.state === 'pending')
    throw new Fault('not_found')
  const deciding = body.registration_state === 'approved' ? approve : reject
  return organizerView(await deciding(dependencies, invitation))
}
