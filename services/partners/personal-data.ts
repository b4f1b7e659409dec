import { personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import type { Db } from 'mongodb'
import { personalTokens } from './campaigns/partner-access-tokens/store.ts'
import { personalCampaigns } from './campaigns/partner-campaigns/resource.ts'
import { partnerTexts, personalPartners } from './campaigns/partners/resource.ts'
import { blockedRecipientTexts, personalBlockedRecipients } from './delivery/blocked-recipients/resource.ts'
import { personalFormerRecipients } from './delivery/former-recipients/store.ts'
import { invitationTypeTexts } from './delivery/invitation-types/resource.ts'
import { invitationTexts, personalInvitations } from './delivery/invitations/resource.ts'
import { deliveryTexts, personalDeliveries } from './delivery/mailings/delivery-store.ts'
import { mailingTexts } from './delivery/mailings/resource.ts'
import { personalSuppressions } from './feedback/suppressions/resource.ts'
import { personalUnsubscriptions } from './feedback/unsubscriptions/store.ts'

/** Returns the handlers that export and erase the service's personal data. */
export function partnersPersonalDataHandlers(db: Db) {
  return personalDataHandlers(
    db,
    [
      personalInvitations,
      personalSuppressions,
      personalUnsubscriptions,
      personalFormerRecipients,
      personalBlockedRecipients,
      personalCampaigns,
      personalPartners,
      personalTokens,
      personalDeliveries,
    ],
    {
      // A queued invitation stays queued; it is blocked when it is about to be sent. There is nothing left to decide about.
      [personalInvitations.name]: {
        reads: ['has_guest'],
        // The places of who is no guest yet are free again.
        further: ({ has_guest }: { has_guest?: true }) => ({
          $set: { updated_at: new Date() },
          $unset: {
            answer_due: '',
            following: '',
            confirmation_due: '',
            registration_state: '',
            ...(!has_guest && { places: '' }),
          },
        }),
      },
      [personalCampaigns.name]: { further: () => ({ $set: { updated_at: new Date() } }) },
      [personalPartners.name]: { further: () => ({ $set: { updated_at: new Date() } }) },
    },
    [invitationTexts, blockedRecipientTexts, invitationTypeTexts, partnerTexts, mailingTexts, deliveryTexts],
  )
}
