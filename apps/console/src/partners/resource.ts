import { type BesideProps, type ItemProps, resource } from '../resources/resource.ts'
import { lazily } from '../view/lazily.tsx'
import { CampaignHeading } from './campaign-heading.tsx'

const PartnerInvites = lazily<BesideProps>(async () => (await import('./partner-invites.tsx')).PartnerInvites)
const CampaignDetails = lazily<ItemProps>(async () => (await import('./campaign-details.tsx')).CampaignDetails)

/** The partners of an event. */
export const partners = resource('/api/v1/events/{event_id}/partners.json', {
  columns: ['name', 'recipients_quota', 'nb_recipients', 'nb_email_sent', 'bounced_recipients'],
  fields: ['name', 'email', 'locale', 'recipients_quota', 'disable_emails'],
  hints: { email: 'hint_partner_email', locale: 'hint_partner_locale' },
  facts: ['nb_recipients', 'nb_email_sent', 'bounced_recipients'],
  Beside: PartnerInvites,
})

/** The campaigns of an invitation type. */
export const partnerCampaigns = resource(
  '/api/v1/events/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns.json',
  {
    columns: ['partner_id', 'quota', 'nb_email_sent', 'platform_promo_code_text', 'paused_at', 'pause_reason'],
    fields: [
      'partner_id',
      'quota',
      'platform_promo_code_text',
      'platform_promo_code_percentage_of_total',
      'platform_promo_code_amount',
      'platform_promo_code_max_usage',
    ],
    seldom: [
      'platform_promo_code_text',
      'platform_promo_code_amount',
      'platform_promo_code_percentage_of_total',
      'platform_promo_code_max_usage',
    ],
    facts: ['quota', 'nb_email_sent', 'platform_promo_code_text', 'paused_at', 'pause_reason'],
    tells: (item, fact) => item[fact] !== null,
    Heading: CampaignHeading,
    More: CampaignDetails,
    actions: [
      {
        label: 'resume',
        path: '/api/v1/events/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns/{id}/resume.json',
        offered: ({ paused_at }) => paused_at !== null,
      },
    ],
  },
)
