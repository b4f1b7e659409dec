import type { StoredCampaign } from '../partner-campaigns/store.ts'
import type { CounterName, Partner } from './resource.ts'
import type { StoredPartner } from './store.ts'
import { counted } from './usage-store.ts'

/** A partner as clients see it, with its campaigns. */
export function partnerView(partner: StoredPartner, partner_campaigns: StoredCampaign[]): Partner {
  const share = (counter: CounterName): number =>
    partner.nb_recipients_email_sent > 0 ? Math.min(1, partner[counter] / partner.nb_recipients_email_sent) : 0
  return {
    ...partner,
    blacklisted_percentage: share('blacklisted_recipients'),
    bounced_percentage: share('bounced_recipients'),
    rejected_percentage: share('rejected_recipients'),
    spammed_percentage: share('spammed_recipients'),
    unsubscribed_percentage: share('unsubscribed_recipients'),
    partner_campaigns: partner_campaigns.map((campaign) => counted(campaign, partner)),
  }
}
