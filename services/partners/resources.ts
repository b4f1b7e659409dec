import { personalDataOf } from '@gatehouse/proto/privacy/personal-data.ts'

// The partners service serves each resource that is exported here.
export { blockedRecipients } from './blocked-recipients/resource.ts'
export { confirmations } from './confirmations/resource.ts'
export { handOvers } from './hand-overs/resource.ts'
export { invitationPages } from './invitation-pages/resource.ts'
export { invitationTypes } from './invitation-types/resource.ts'
export { ownCampaigns, partnerInvitations } from './invitations/resource.ts'
export { mailEvents } from './mail-events/resource.ts'
export { mailFeedback } from './mail-feedback/resource.ts'
export { partnerAccessTokens } from './partner-access-tokens/resource.ts'
export { partnerCampaigns } from './partner-campaigns/resource.ts'
export { partnerPages, tokenOfCookie, UPLOAD } from './partner-pages/resource.ts'
export { partners } from './partners/resource.ts'
export { registrations } from './registrations/resource.ts'
export { suppressions } from './suppressions/resource.ts'
export { testSends } from './test-sends/resource.ts'

export const personalData = personalDataOf('partners')
