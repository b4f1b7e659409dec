import { invitationTypes } from './invitation-types/resource.ts'
import { partnerAccessTokens } from './partner-access-tokens/resource.ts'
import { partnerCampaigns } from './partner-campaigns/resource.ts'
import { partners } from './partners/resource.ts'

export { invitationTypes, partnerAccessTokens, partnerCampaigns, partners }

/** What the partners service serves. */
export const resources = [partners, invitationTypes, partnerCampaigns, partnerAccessTokens]
