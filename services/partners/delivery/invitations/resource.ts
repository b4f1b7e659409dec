import {
  choice,
  datetime,
  email,
  freeObject,
  identifier,
  integer,
  list,
  maybe,
  optionalDatetime,
  optionalIdentifier,
  optionalText,
  pageQuery,
  record,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { freeTextsOf } from '@gatehouse/proto/privacy/free-texts.ts'
import type { Static } from 'typebox'

const metadatum = record({ name: text(), value: optionalText({ maxLength: 10_000 }) })

/** The fields of a recipient. */
export const recipient = record({
  email: email({ personal: 'email' }),
  first_name: optionalText({ personal: true }),
  last_name: optionalText({ personal: true }),
  locale: optionalText({ description: 'The language of the recipient: `fr`, `pt-BR`' }),
  guest_metadata: list(metadatum, 'guest_metadatum', {
    default: [],
    maxItems: 100,
    maxBytes: 16_384,
    fromObject: ['name', 'value'],
    personal: true,
    description: 'Kept for the guest whom the recipient becomes',
  }),
})

/** A recipient as a partner gives it. */
export type Recipient = Static<typeof recipient>

/** What a recipient may answer. */
export const answers = ['accepted', 'declined'] as const

/** How far a registration is. */
export const registrationStates = ['unconfirmed', 'pending', 'approved', 'rejected'] as const

/** What became of an invitation, as partners and organizers see it. */
export const states = [
  'queued',
  'sent',
  'unknown',
  'rejected',
  'blocked',
  'bounced',
  'complained',
  'unsubscribed',
] as const

export const state = choice(states, {
  description:
    'queued; sent: the mail server took it; unknown: it may have been handed over, and is not sent again; rejected: the mail server refused it for good; blocked by the organizer, or its recipient has unsubscribed from another one of the event, or complained of one, or one came back; unsubscribed: by its recipient; bounced: the e-mail came back for good; complained: its recipient called it spam',
})

/** An invitation as it goes out. */
export const invitation = record({
  _id: identifier(),
  ...recipient.properties,
  state,
  reason: optionalText({
    personal: true,
    description: 'Why it was rejected or blocked, came back or is not sent yet: what a mail server said last',
  }),
  sent_at: optionalDatetime(),
  opened_at: optionalDatetime({ description: 'When the e-mail was first opened, if the mail provider reports it' }),
  answer: optionalText({ values: answers, description: 'null: not answered' }),
  registration_state: optionalText({
    values: registrationStates,
    description:
      'pending: the recipient has accepted, and waits for the organizer; approved or rejected by the organizer; null where registrations are not moderated',
  }),
  confirmed_at: optionalDatetime({
    description: 'When the mail server took the e-mail that confirms that the recipient is a guest',
  }),
  partner_id: optionalIdentifier({ description: 'null: who registered on a registration page was not invited' }),
  partner_campaign_id: optionalIdentifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** Invitations as personal data. Their `_id`s are hashes of campaign and address. */
export const personalInvitations: PersonalDocuments = {
  name: 'partners.partner_invitations',
  collection: 'invitations',
  scope: ['event_id'],
  fields: invitation.properties,
  hidden: {
    address: text({ personal: 'email' }),
    registration: maybe(freeObject({ personal: true })),
    feedback_reason: maybe(optionalText({ personal: true })),
  },
  order: { partner_campaign_id: 1, created_at: -1, _id: -1 },
  outcome: 'blanked',
  reason: 'so that quotas stay counted, and the campaign does not invite the address again: a hash of it is kept',
}

/** What is noted of recipients, who may name others in it, and what mail servers said. */
export const invitationTexts = freeTextsOf(
  personalInvitations,
  'guest_metadata',
  'registration',
  'reason',
  'feedback_reason',
)

/** An invitation as it goes out. */
export type PartnerInvitation = Static<typeof invitation>

const ofState = record({
  ...pageQuery,
  state: maybe(state),
  registration_state: maybe(
    choice(['pending', 'approved', 'rejected'], { description: 'pending: those that wait for the organizer' }),
  ),
})
const AUTHENTICATOR = 'partners.partner_access_tokens.authenticate'

/** Invitations that a partner sends by e-mail, in one campaign. An address is invited once in a campaign, however often it is given. */
export const partnerInvitations = resource('partners.partner_invitations', 'partner_invitation', {
  list: {
    route:
      'GET events/:event_id/invitation_types/:invitation_type_id/partner_campaigns/:partner_campaign_id/invitations',
    scope: 'read',
    summary: 'Invitations of a campaign, newest first',
    query: ofState,
    reply: list(invitation, 'partner_invitation'),
  },
  list_own: {
    route: 'GET partners/:partner_access_token/invitations',
    also: ['partners/invitations'],
    secret: 'partner_access_token',
    authenticator: AUTHENTICATOR,
    summary: 'Invitations of the campaign of a partner access token, newest first',
    query: ofState,
    reply: list(invitation, 'partner_invitation'),
  },
  batch_create: {
    route: 'POST partners/:partner_access_token/invitations/batch_create',
    also: ['partners/invitations/batch_create'],
    secret: 'partner_access_token',
    authenticator: AUTHENTICATOR,
    summary:
      'Invite recipients by e-mail; an address that the campaign has already gives its invitation, unchanged; beyond the quota the item has an error on quota',
    root: 'invitations',
    batch: true,
    maxBytes: 10 * 1024 * 1024,
    ownRetries: true,
    checks: true,
    body: list(recipient, 'partner_invitation'),
    reply: list(invitation, 'partner_invitation'),
    status: 201,
  },
  batch_create_own: {
    route: 'POST events/:event_id/invitation_types/:invitation_type_id/invitations/batch_create',
    summary:
      "Invite recipients by e-mail in the organizer's own campaign of the invitation type, which is made with the first ones, and has no quota; an address that the campaign has already gives its invitation, unchanged",
    root: 'invitations',
    batch: true,
    maxBytes: 10 * 1024 * 1024,
    checks: true,
    body: list(recipient, 'partner_invitation'),
    reply: list(invitation, 'partner_invitation'),
    status: 201,
  },
})

const counter = (description?: string): ReturnType<typeof integer> =>
  integer({ minimum: 0, ...(description && { description }) })

/** The campaign of a partner access token, as its partner sees it. */
export const ownCampaigns = resource('partners.own_campaigns', 'campaign', {
  read: {
    route: 'GET partners/:partner_access_token/campaign',
    also: ['partners/campaign'],
    secret: 'partner_access_token',
    authenticator: AUTHENTICATOR,
    summary: 'Quota and counters of the campaign of a partner access token',
    reply: record({
      _id: identifier(),
      partner_id: identifier(),
      invitation_type_id: identifier(),
      quota: integer({ minimum: -1, description: "-1: no limit, in the organizer's own campaign" }),
      paused_at: optionalDatetime({ description: 'Since when it sends nothing, until the organizer resumes it' }),
      pause_reason: optionalText(),
      used: counter('Recipients who count against the quota'),
      left: integer({
        minimum: -1,
        description: "Recipients who can still be invited, by the partner's own quota too; -1: no limit",
      }),
      nb_recipients: counter('Recipients accepted'),
      nb_recipients_email_sent: counter('Recipients e-mailed'),
      nb_email_sent: counter('E-mails that the mail server took'),
      unknown_recipients: counter('Whose e-mail may have been handed over'),
      rejected_recipients: counter('Whom the mail server refused'),
      blacklisted_recipients: counter('Whom the organizer has blocked'),
      bounced_recipients: counter(),
      spammed_recipients: counter(),
      unsubscribed_recipients: counter(),
    }),
  },
})
