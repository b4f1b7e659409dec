import { eventDataOf } from '@gatehouse/proto/declaring/event-data.ts'
import { personalDataOf } from '@gatehouse/proto/declaring/personal-data.ts'

export { pageLinks } from './campaigns/page-links/resource.ts'
export { partnerAccessTokens } from './campaigns/partner-access-tokens/resource.ts'
export { partnerCampaigns } from './campaigns/partner-campaigns/resource.ts'
export { partners } from './campaigns/partners/resource.ts'
// The partners service serves each resource that is exported here.
export { blockedRecipients } from './delivery/blocked-recipients/resource.ts'
export { guestMails } from './delivery/guest-mails/resource.ts'
export { invitationTypes } from './delivery/invitation-types/resource.ts'
export { ownCampaigns, partnerInvitations } from './delivery/invitations/resource.ts'
export { mailings } from './delivery/mailings/resource.ts'
export { qrCodeMails } from './delivery/qr-code-mails/resource.ts'
export { sendJobs } from './delivery/sending/resource.ts'
export { testSends } from './delivery/test-sends/resource.ts'
export { mailEvents } from './feedback/mail-events/resource.ts'
export { mailFeedback } from './feedback/mail-feedback/resource.ts'
export { suppressions } from './feedback/suppressions/resource.ts'
export { confirmations } from './pages/confirmations/resource.ts'
export { invitationPages } from './pages/invitation-pages/resource.ts'
export { partnerPages, tokenOfCookie, UPLOAD } from './pages/partner-pages/resource.ts'
export { registrationPages } from './pages/registration-pages/resource.ts'
export { invitationDecisions, registrations } from './pages/registrations/resource.ts'

export const personalData = personalDataOf('partners')
export const eventData = eventDataOf('partners')
