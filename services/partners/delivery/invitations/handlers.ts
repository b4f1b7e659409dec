import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { authenticatePartner } from '../../campaigns/partner-access-tokens/authenticate.ts'
import { leftOf, usageOf } from '../../campaigns/partners/usage-store.ts'
import type { Dependencies } from '../../dependencies.ts'
import { batchCreate } from './batch-create.ts'
import { batchCreateOwn } from './batch-create-own.ts'
import type { ownCampaigns, partnerInvitations } from './resource.ts'
import { organizerView, partnerView } from './views.ts'

/** Returns the handlers of partners' invitations. */
export function invitationHandlers(dependencies: Dependencies): Handlers<typeof partnerInvitations> {
  return handlersOf<typeof partnerInvitations, Dependencies>(
    {
      list: async ({ campaigns, invitations }, { params, query }) => {
        const campaign = found(await campaigns.get(params.event_id, params.partner_campaign_id))
        if (campaign.invitation_type_id !== params.invitation_type_id) throw new Fault('not_found')
        return (await invitations.page(campaign, query)).decoded().map(organizerView)
      },
      list_own: async (all, { params, query }) => {
        const campaign = await authenticatePartner(all, params.partner_access_token)
        return (await all.invitations.page(campaign, query)).decoded().map(partnerView)
      },
      batch_create: batchCreate,
      batch_create_own: batchCreateOwn,
    },
    dependencies,
  )
}

/** Returns the handlers of a partner's view of its campaign. */
export function ownCampaignHandlers(dependencies: Dependencies): Handlers<typeof ownCampaigns> {
  return handlersOf<typeof ownCampaigns, Dependencies>(
    {
      read: async (all, { params }) => {
        const campaign = await authenticatePartner(all, params.partner_access_token)
        const partner = await all.usage.get({ _id: campaign.partner_id, event_id: campaign.event_id })
        if (!partner) throw new Fault('unauthorized')
        const usage = usageOf(partner, campaign._id)
        const left = leftOf(partner, campaign)
        return { ...campaign, ...usage, used: usage.reserved, left: Number.isFinite(left) ? left : -1 }
      },
    },
    dependencies,
  )
}
