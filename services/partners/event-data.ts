import { eventDataHandlers } from '@gatehouse/proto/serving/event-data.ts'
import type { Db } from 'mongodb'
import { retireCode } from './campaigns/partner-campaigns/codes.ts'
import type { Dependencies } from './dependencies.ts'

/** What the service holds of events: what would be sent goes first. */
const collections = [
  { name: 'invitations' },
  { name: 'mailing_deliveries' },
  { name: 'mailings' },
  { name: 'partner_access_tokens' },
  { name: 'partner_uploads' },
  { name: 'former_recipients' },
  { name: 'blocked_recipients' },
  { name: 'suppressions' },
  { name: 'unsubscriptions' },
  { name: 'registration_counters' },
  { name: 'partner_campaigns' },
  { name: 'partners' },
  { name: 'invitation_types' },
]

/** Returns the handlers that delete what the service holds of a deleted event. Discount codes in another event are disabled, as with a deleted campaign. */
export function partnersEventDataHandlers(db: Db, dependencies: Dependencies) {
  return eventDataHandlers(db, {
    collections,
    async before({ event_id }) {
      for (const campaign of await dependencies.campaigns.ofEvent(event_id))
        if (campaign.wanted_code && campaign.wanted_code.event_id !== event_id) await retireCode(dependencies, campaign)
    },
  })
}
