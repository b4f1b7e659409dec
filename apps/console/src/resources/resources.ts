import { auditRecords } from '../audit/resource.ts'
import { badgeTemplates } from '../badges/resource.ts'
import { checkIns } from '../check-ins/resource.ts'
import { devices } from '../devices/resource.ts'
import type { Values } from '../form/values.ts'
import { exhibitors, leads } from '../leads/resource.ts'
import { mailCells } from '../mailings/cells.ts'
import { mailings } from '../mailings/resource.ts'
import { mailTitles } from '../mailings/titles.ts'
import { partnerCampaigns, partners } from '../partners/resource.ts'
import { client, type Item } from '../server/server.ts'
import { contacts, oauthApps } from '../sign-on/resource.ts'
import { lazily } from '../view/lazily.tsx'
import { EventTypes } from '../webhooks/event-types.tsx'
import {
  type BesideProps,
  type CellProps,
  type ConsoleResource,
  type EditorProps,
  type ItemProps,
  type PreviewProps,
  resource,
} from './resource.ts'

const CAMPAIGNS = '/api/v1/events/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns.json'

const EventEditor = lazily<EditorProps>(async () => (await import('../events/event-editor.tsx')).EventEditor)
const SharedFields = lazily<CellProps>(async () => (await import('../events/event-editor.tsx')).SharedFields)
const GuestDetails = lazily<ItemProps>(async () => (await import('../guests/guest-details.tsx')).GuestDetails)
const GuestFieldEditor = lazily<EditorProps>(
  async () => (await import('../guests/guest-field-editor.tsx')).GuestFieldEditor,
)
const GuestFieldStays = lazily<ItemProps>(
  async () => (await import('../guests/guest-field-editor.tsx')).GuestFieldStays,
)
const InvitationTypeEditor = lazily<EditorProps>(
  async () => (await import('../mailings/mail-editors.tsx')).InvitationTypeEditor,
)
const InvitationPreview = lazily<PreviewProps>(
  async () => (await import('../mailings/invitation-preview.tsx')).InvitationPreview,
)
const InvitationTypeDetails = lazily<BesideProps>(
  async () => (await import('../mailings/invitation-type-details.tsx')).InvitationTypeDetails,
)
const DeliveryError = lazily<CellProps>(async () => (await import('../webhooks/delivery-error.tsx')).DeliveryError)
const WebhookStatus = lazily<{ item: Item }>(async () => (await import('../webhooks/webhook-status.tsx')).WebhookStatus)
const WebhookSecret = lazily<ItemProps>(async () => (await import('../webhooks/webhook-secret.tsx')).WebhookSecret)
const RegistrationPage = lazily<ItemProps>(
  async () => (await import('../registrations/registration-page.tsx')).RegistrationPage,
)

/** Whether any invitation of a type went out. */
async function wasSent(event_id: string, invitation_type_id: string, signal: AbortSignal): Promise<boolean> {
  const path = { event_id, invitation_type_id }
  const { data } = await client.GET(CAMPAIGNS, { params: { path, query: { per_page: 500 } }, signal })
  return data.some(({ nb_email_sent }) => nb_email_sent > 0)
}

/** The guests of an event. */
export const guests = resource('/api/v1/events/{event_id}/guests.json', {
  columns: [
    'last_name',
    'first_name',
    'company_name',
    'guest_category_id',
    'email',
    'rsvp_status',
    'checked_in_at',
    'uid',
  ],
  filters: ['category', 'checked_in', 'rsvp_status', 'source', 'mailed', 'has_email'],
  sorts: ['last_name', '-created_at', '-checked_in_at'],
  sort: 'last_name',
  fields: [
    'first_name',
    'last_name',
    'guest_category_id',
    'company_name',
    'position',
    'email',
    'phone_number',
    'party_size',
    'uid',
    'rsvp_status',
    'status',
    'registered_at',
    'order_uid',
    'host_email',
    'promo_code',
    'message',
  ],
  seldom: ['rsvp_status', 'status', 'order_uid', 'host_email', 'promo_code'],
  hasAllFields: true,
  hints: { message: 'hint_guest_message' },
  facts: ['created_at', 'updated_at', 'source', 'checked_in_at'],
  flags: { qrcode_url: true, guest_metadata: true },
  More: GuestDetails,
  actions: [
    {
      label: 'guest_send_code',
      path: '/api/v1/events/{event_id}/guests/{id}/send_qrcode.json',
      offered: ({ email }) => Boolean(email),
      says: 'guest_code_sent',
    },
  ],
})

/** The events of the account. */
export const events = resource('/api/v1/events.json', {
  columns: ['title', 'start_date', 'location', 'guest_count', 'check_in_count'],
  fields: [
    'title',
    'start_date',
    'end_date',
    'timezone',
    'location',
    'locale',
    'organizer',
    'description',
    'reply_to_email',
    'day_starts_at',
    'qr_code_ciphering_enabled',
    'device_qr_code_key_enabled',
    'lead_guest_fields',
    'personal_data_days',
  ],
  seldom: [
    'organizer',
    'description',
    'reply_to_email',
    'day_starts_at',
    'qr_code_ciphering_enabled',
    'device_qr_code_key_enabled',
    'lead_guest_fields',
    'personal_data_days',
  ],
  hints: { timezone: 'hint_event_timezone' },
  when: { device_qr_code_key_enabled: ({ qr_code_ciphering_enabled }) => qr_code_ciphering_enabled === true },
  // Guests read what the organizer writes.
  begin: () => ({ locale: document.documentElement.lang }),
  headings: {
    organizer: 'section_for_guests',
    day_starts_at: 'nav_door',
    lead_guest_fields: 'page_exhibitors',
    personal_data_days: 'page_personal_data',
  },
  facts: ['guest_count', 'check_in_count', 'signature_count'],
  cells: { lead_guest_fields: SharedFields },
  Editor: EventEditor,
  always: ({ account_id }) => ({ account_id }),
  filters: ['archived'],
  deletion: null,
  isSeldom: true,
})

/** The settings of a category's registration page. */
const OF_REGISTRATION = [
  'registration_limit',
  'registration_party_max',
  'registration_opens_at',
  'registration_closes_at',
  'registration_confirms_email',
] as const

/** What few need of a guest category. */
const SELDOM_OF_CATEGORIES = [
  'badge_qr_code_enabled',
  'badge_template_id',
  'device_names_enabled',
  'moderated_registrations_enabled',
  'registration_enabled',
  ...OF_REGISTRATION,
] as const

/** Whether people may register for a category by themselves. */
function isOpenToAll({ registration_enabled }: Values): boolean {
  return registration_enabled === true
}

/** The resources that the console shows. Those within others come after them. */
export const resources: readonly ConsoleResource[] = [
  events,
  guests,
  checkIns,
  resource('/api/v1/events/{event_id}/guest_categories.json', {
    columns: ['name', 'badge_enabled', 'confirmation_email_enabled', 'rsvp_enabled', 'device_names_enabled'],
    fields: [
      'name',
      'badge_enabled',
      'walk_in_enabled',
      'rsvp_enabled',
      'confirmation_email_enabled',
      ...SELDOM_OF_CATEGORIES,
    ],
    seldom: SELDOM_OF_CATEGORIES,
    hasSeveral: true,
    begin: () => ({ badge_enabled: true, badge_qr_code_enabled: true, confirmation_email_enabled: true }),
    headings: {
      badge_qr_code_enabled: 'section_badges',
      device_names_enabled: 'nav_door',
      moderated_registrations_enabled: 'section_replies',
      registration_enabled: 'section_registration',
    },
    when: Object.fromEntries(OF_REGISTRATION.map((name) => [name, isOpenToAll])),
    More: RegistrationPage,
  }),
  badgeTemplates,
  resource('/api/v1/events/{event_id}/guest_fields.json', {
    columns: ['label', 'type', 'use_in_registration', 'on_device'],
    fields: ['label', 'type', 'available_values', 'use_in_registration', 'is_required', 'on_device', 'key'],
    facts: ['key'],
    // Only a field with choices has any, and only what guests are asked for can be required.
    when: {
      available_values: ({ type }) => type === 'value_list',
      is_required: ({ use_in_registration }) => use_in_registration === true,
    },
    seldom: ['key'],
    hints: { label: 'hint_guest_field_label' },
    Editor: GuestFieldEditor,
    More: GuestFieldStays,
  }),
  resource('/api/v1/events/{event_id}/accesspoints.json', {
    columns: ['name', 'area_id', 'direction', 'created_at'],
    fields: ['name', 'area_id', 'direction', 'signature_enabled'],
    hasSeveral: true,
  }),
  resource('/api/v1/events/{event_id}/areas.json', {
    columns: ['name', 'inside_count', 'capacity'],
    fields: ['name', 'capacity'],
    facts: ['inside_count'],
  }),
  devices,
  resource('/api/v1/events/{event_id}/promo_codes.json', {
    columns: ['text', 'label', 'amount', 'max_usage', 'times_used', 'is_enabled'],
    fields: ['text', 'label', 'percentage_of_total', 'amount', 'max_usage', 'is_enabled', 'start_date', 'end_date'],
    seldom: ['is_enabled', 'start_date', 'end_date'],
    facts: ['times_used'],
  }),
  partners,
  mailings,
  resource('/api/v1/events/{event_id}/invitation_types.json', {
    columns: ['name', 'guest_category_id', 'subject'],
    fields: ['name', 'guest_category_id', 'subject', 'sender_name', 'message'],
    children: ['partner_campaigns'],
    titles: mailTitles,
    cells: mailCells,
    hints: {
      name: 'hint_mailing_name',
      guest_category_id: 'hint_invitation_category',
      message: 'hint_invitation_text',
    },
    Editor: InvitationTypeEditor,
    Beside: InvitationTypeDetails,
    Preview: InvitationPreview,
    also: async ({ event_id = '', id = '' }, signal) => ({ is_sent: await wasSent(event_id, id, signal) }),
    actions: [
      {
        label: 'remind',
        path: '/api/v1/events/{event_id}/invitation_types/{id}/remind.json',
        // Nobody can have answered before.
        offered: ({ is_sent }) => is_sent === true,
        asks: 'remind_asks',
        says: 'remind_done',
      },
    ],
  }),
  partnerCampaigns,
  exhibitors,
  leads,
  resource('/api/v1/webhooks.json', {
    columns: ['url', 'event_types', 'event_id', 'is_enabled'],
    fields: ['url', 'event_id', 'event_types', 'is_enabled', 'payload'],
    seldom: ['is_enabled', 'payload'],
    cells: { event_types: EventTypes },
    children: ['deliveries'],
    Status: WebhookStatus,
    More: WebhookSecret,
    actions: [
      {
        label: 'webhook_test',
        path: '/api/v1/webhooks/{webhook_id}/test.json',
        offered: ({ is_enabled }) => is_enabled === true,
        says: 'webhook_test_sent',
      },
    ],
  }),
  resource('/api/v1/webhooks/{webhook_id}/deliveries.json', {
    columns: [
      'event_type',
      'event_id',
      'state',
      'error',
      'response_status',
      'attempt_count',
      'last_attempt_at',
      'next_attempt_at',
    ],
    whole: ['error', 'last_attempt_at', 'next_attempt_at'],
    cells: { error: DeliveryError },
    actions: [{ label: 'replay', path: '/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay.json' }],
  }),
  resource('/api/v1/tokens.json', {
    columns: ['name', 'scope', 'event_id', 'created_at'],
    fields: ['name', 'scope', 'event_id'],
    hints: { name: 'hint_token_name' },
    once: 'token',
    deletion: 'revoke',
  }),
  resource('/api/v1/staff_members.json', {
    columns: ['email', 'name', 'role', 'event_id', 'last_signed_in_at'],
    fields: ['email', 'name', 'role', 'event_id'],
    facts: ['email', 'last_signed_in_at'],
    hints: { email: 'hint_staff_email' },
    once: 'sign_in_url',
    actions: [{ label: 'staff_link', path: '/api/v1/staff_members/{id}/roll_link.json', asks: 'staff_link_asks' }],
  }),
  contacts,
  oauthApps,
  auditRecords,
]
