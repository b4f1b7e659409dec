import { adoption, disowning } from '@gatehouse/proto/declaring/adoption.ts'
import {
  datetime,
  freeObject,
  identifier,
  integer,
  list,
  optionalDatetime,
  optionalDecimal,
  optionalFlag,
  optionalIdentifier,
  optionalInteger,
  optionalText,
  pageOf,
  record,
} from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

const quota = integer({ minimum: 0, description: 'E-mails that the campaign may send' })
/** Of a campaign as it goes out. */
const shownQuota = integer({
  minimum: -1,
  description: "E-mails that the campaign may send; -1: no limit, in the organizer's own campaign",
})

/** The discount code; null if the campaign has none. */
const code = {
  platform_promo_code_amount: optionalDecimal({ description: 'Between 0 and 1 where it is a percentage' }),
  platform_promo_code_percentage_of_total: optionalFlag(),
  platform_promo_code_text: optionalText({
    description:
      "Makes a discount code in the event's platform event, on which the token needs a right too; without one, this and the other platform_promo_code fields are ignored",
  }),
  platform_promo_code_max_usage: optionalInteger({ minimum: -1 }),
}

/** A partner campaign as it goes out, also inside its partner. */
export const partnerCampaign = record({
  _id: identifier(),
  partner_id: identifier(),
  quota: shownQuota,
  ...code,
  platform_promo_code_id: optionalIdentifier({ description: 'The discount code that was made' }),
  invitation_type_id: identifier(),
  from_mailer: optionalText(),
  metadata: freeObject(),
  nb_email_sent: integer(),
  reply_to: optionalText({
    personal: 'typed_email',
    description: "The event's reply_to_email when the campaign was made",
  }),
  paused_at: optionalDatetime({ description: 'Since when it sends nothing, since too many e-mails came back' }),
  pause_reason: optionalText(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** Campaigns as personal data of the person to whom answers to their e-mails go. */
export const personalCampaigns: PersonalDocuments = {
  name: 'partners.partner_campaigns',
  collection: 'partner_campaigns',
  scope: ['event_id'],
  fields: partnerCampaign.properties,
  order: { partner_id: 1, created_at: 1, _id: 1 },
  outcome: 'blanked',
  reason: 'so that the campaign goes on; its e-mails name no address for answers any more',
}

/** A partner campaign as it goes out. */
export type PartnerCampaign = Static<typeof partnerCampaign>

/** Partner campaigns: each attaches a partner to an invitation type, with a quota of e-mails. */
export const partnerCampaigns = resource('partners.partner_campaigns', 'partner_campaign', {
  list: {
    route: 'GET events/:event_id/invitation_types/:invitation_type_id/partner_campaigns',
    scope: 'read',
    summary: "Campaigns of an invitation type, by their partners' names",
    query: record(pageOf(50)),
    reply: list(partnerCampaign, 'partner_campaign'),
  },
  read: {
    route: 'GET events/:event_id/invitation_types/:invitation_type_id/partner_campaigns/:id',
    scope: 'read',
    summary: 'One campaign',
    reply: partnerCampaign,
  },
  create: {
    route: 'POST events/:event_id/invitation_types/:invitation_type_id/partner_campaigns',
    summary: 'Attach a partner to an invitation type; 422 on partner_id where it is already',
    checks: true,
    body: record({ partner_id: identifier({ description: 'The _id or the uid of a partner' }), quota, ...code }),
    reply: partnerCampaign,
    status: 201,
  },
  adopt: adoption('partner_campaign', {
    partner_id: identifier(),
    invitation_type_id: identifier(),
    quota: shownQuota,
    ...code,
    reply_to: optionalText(),
  }),
  disown: disowning('partner_campaign'),
  resume: {
    route: 'POST events/:event_id/invitation_types/:invitation_type_id/partner_campaigns/:id/resume',
    summary: 'Let a campaign that has paused itself send again; bounces and complaints count from zero again',
    reply: partnerCampaign,
  },
  delete: {
    route: 'DELETE events/:event_id/invitation_types/:invitation_type_id/partner_campaigns/:id',
    summary: 'Delete a campaign and its access tokens; its discount code is disabled',
    reply: partnerCampaign,
    quiet: true,
  },
})
