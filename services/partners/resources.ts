import { blockedRecipients } from './blocked-recipients/resource.ts'
import { handOvers } from './hand-overs/resource.ts'
import { invitationPages } from './invitation-pages/resource.ts'
import { invitationTypes } from './invitation-types/resource.ts'
import { ownCampaigns, partnerInvitations } from './invitations/resource.ts'
import { mailEvents } from './mail-events/resource.ts'
import { mailFeedback } from './mail-feedback/resource.ts'
import { partnerAccessTokens } from './partner-access-tokens/resource.ts'
import { partnerCampaigns } from './partner-campaigns/resource.ts'
import { partners } from './partners/resource.ts'

export {
  blockedRecipients,
  handOvers,
  invitationPages,
  invitationTypes,
  mailEvents,
  mailFeedback,
  ownCampaigns,
  partnerAccessTokens,
  partnerCampaigns,
  partnerInvitations,
  partners,
}

/** What the partners service serves. */
export const resources = [
  partners,
  invitationTypes,
  partnerCampaigns,
  partnerAccessTokens,
  partnerInvitations,
  ownCampaigns,
  blockedRecipients,
  handOvers,
  invitationPages,
  mailEvents,
  mailFeedback,
]
