import { personalDataOf } from '@gatehouse/proto/privacy/personal-data.ts'
import { blockedRecipients } from './blocked-recipients/resource.ts'
import { confirmations } from './confirmations/resource.ts'
import { handOvers } from './hand-overs/resource.ts'
import { invitationPages } from './invitation-pages/resource.ts'
import { invitationTypes } from './invitation-types/resource.ts'
import { ownCampaigns, partnerInvitations } from './invitations/resource.ts'
import { mailEvents } from './mail-events/resource.ts'
import { mailFeedback } from './mail-feedback/resource.ts'
import { partnerAccessTokens } from './partner-access-tokens/resource.ts'
import { partnerCampaigns } from './partner-campaigns/resource.ts'
import { partnerPages, tokenOfCookie, UPLOAD } from './partner-pages/resource.ts'
import { partners } from './partners/resource.ts'
import { registrations } from './registrations/resource.ts'
import { suppressions } from './suppressions/resource.ts'
import { testSends } from './test-sends/resource.ts'

const personalData = personalDataOf('partners')

export {
  blockedRecipients,
  confirmations,
  handOvers,
  invitationPages,
  invitationTypes,
  mailEvents,
  mailFeedback,
  ownCampaigns,
  partnerAccessTokens,
  partnerCampaigns,
  partnerInvitations,
  partnerPages,
  partners,
  personalData,
  registrations,
  suppressions,
  testSends,
  tokenOfCookie,
  UPLOAD,
}

/** What the partners service serves. */
export const resources = [
  partners,
  invitationTypes,
  testSends,
  partnerCampaigns,
  partnerAccessTokens,
  partnerInvitations,
  ownCampaigns,
  blockedRecipients,
  suppressions,
  handOvers,
  invitationPages,
  registrations,
  partnerPages,
  confirmations,
  mailEvents,
  mailFeedback,
  personalData,
]
