import { hash } from 'node:crypto'

/*
 * The examples of the API document tell one story: the opening night of an exhibition, to which Ada Lovelace comes. A field has its example
 * in its declaration (`example`) or here, by its name (`last_name`) or by its owner's name and its own (`event.title`).
 */

/** The resources of the story, in the order of their ids. */
const things = [
  'account',
  'event',
  'guest_category',
  'guest_field',
  'guest',
  'accesspoint',
  'guest_category_accesspoint',
  'access_control',
  'signature',
  'promo_code',
  'partner',
  'invitation_type',
  'partner_campaign',
  'partner_access_token',
  'partner_invitation',
  'blocked_recipient',
  'exhibitor',
  'connection',
  'badge',
  'webhook',
  'delivery',
  'token',
  'contact',
  'contact_field',
  'oauth_app',
  'audit_record',
]

/** The id of each resource in the story. */
export const ids: Record<string, string> = Object.fromEntries(
  things.map((thing, index) => [thing, `66f1a0c2e4b0a1d2c3e4${(0x1001 + index).toString(16)}`]),
)
// What a partner sees of its campaign.
ids.campaign = ids.partner_campaign as string

/** The id of a resource, or of anything else which a field refers to. */
export function idOf(thing: string): string {
  return ids[thing] ?? `66f1a0c2e4b0a1d2c3e4${hash('sha256', thing).slice(0, 4)}`
}

const PUBLIC = 'https://gatehouse.example.com'
const LINKS = `${PUBLIC}/api/v1/events/${ids.event}/guests/${ids.guest}`
const SECRET = 'not-a-real-secret-but-as-long-as-one-is-000'

const created = '2026-05-04T09:12:31.250Z'
const opening = '2026-09-17T18:00:00.000Z'
const arrival = '2026-09-17T18:04:12.000Z'
/** The time at which the check-in of the story is stored. */
export const stored = '2026-09-17T18:04:12.310Z'

/** Examples of fields. */
export const examples: Record<string, unknown> = {
  ...Object.fromEntries(things.map((thing) => [`${thing}_id`, ids[thing]])),
  network_enabled: true,
  is_enabled: true,
  platform_event_id: null,
  platform_promo_code_id: null,
  object_id: ids.event,
  created_at: created,
  updated_at: created,
  // In a request it has to be in the future.
  expires_at: '2035-12-31T23:00:00.000Z',
  access_stamp: arrival,
  start_date: opening,
  end_date: '2026-09-17T23:00:00.000Z',
  timezone: 'Europe/London',
  locale: 'en',
  type: 'text',
  key: 'diet',
  label: 'Diet',
  available_values: [],
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  guest_uid: 'ada1815',
  uid: 'ada1815',
  guest_count: 240,
  check_in_count: 187,
  signature_count: 12,
  checked_in_guest_count: 181,
  access_status: 0,
  max_allowed_accesses: 1,
  author: 'Charles Babbage',
  filename: 'portrait.jpg',
  content_type: 'image/jpeg',

  'account.slug': 'acme',
  'account.name': 'Acme Events',
  'account.color': '#1d3557',
  'account.sso_host': null,

  'event.title': 'Opening night',
  'event.description': 'The exhibition opens',
  'event.organizer': 'Acme Events',
  'event.plan': 'pro',
  lead_guest_fields: ['email', 'first_name', 'last_name', 'company_name', 'uid'],
  'event.badge_complete_hook_url': 'https://hooks.example.com/badges',
  'event.reply_to_email': 'guests@example.com',

  'guest_category.name': 'VIP',
  form_identity_mapping: { Field1: 'last_name' },
  form_checkin_point_mapping: {},

  company_name: 'Analytical Engines',
  position: 'Mathematician',
  phone_number: '+44 20 7946 0018',
  message: 'Speaks at 19:00',
  secret: SECRET,
  rsvp_status: 'accepted',
  'guest.promo_code': 'EARLY',
  guest_metadata: [{ name: 'diet', value: 'vegetarian' }],
  badge_completed: true,
  badge_url: `${LINKS}/badge/${SECRET}.pdf`,
  qrcode_url: `${LINKS}/qrcode/${SECRET}.png`,
  'badge.name': 'Badge',
  'badge.url': `${LINKS}/badge/${SECRET}.pdf`,
  'badge.content_type': 'application/pdf',
  'file.key': 'portrait',
  'file.label': 'Portrait',
  'file.size': 48_213,
  'file.url': `${LINKS}/files/portrait.jpg`,

  'accesspoint.name': 'Main entrance',
  'access_control.created_at': stored,
  'access_control.updated_at': stored,
  'signature.created_at': stored,
  'signature.updated_at': stored,
  width: '320',
  height: '160',
  x1: '12',
  y1: '80.5',
  x2: '48',
  y2: '76',
  'stroke-width': '2',

  'status.count': 176,
  'accesspoint.granted': 176,
  'accesspoint.refused': 11,
  'accesspoint.unique_guests': 181,
  'minute.minute': '2026-09-17T18:04:00.000Z',
  'minute.granted': 9,
  'minute.refused': 1,

  'promo_code.text': 'EARLY',
  'promo_code.label': 'Early bird',
  'promo_code.amount': 0.2,
  percentage_of_total: true,
  max_usage: 100,
  times_used: 17,
  searchable_keywords: ['early', '0.2'],

  'partner.name': 'Royal Society',
  'partner.uid': 'royal-society',
  recipients_quota: 500,
  'invitation_type.name': 'Guests of partners',
  'invitation_type.subject': '{{partner_name}} invites you to {{event_title}}',
  'invitation_type.message': 'Dear {{first_name}} {{last_name}}, please answer here: {{link}}',
  sender_name: 'Royal Society',
  quota: 200,
  platform_promo_code_text: null,
  platform_promo_code_amount: null,
  platform_promo_code_percentage_of_total: null,
  platform_promo_code_max_usage: null,
  from_mailer: null,
  metadata: {},
  reply_to: 'guests@example.com',
  'partner_access_token.token': `gh_partner_${SECRET}`,
  partner_access_token: `gh_partner_${SECRET}`,
  state: 'sent',
  reason: null,
  sent_at: '2026-06-01T08:00:03.120Z',
  used: 120,
  'campaign.left': 80,
  nb_recipients: 121,
  nb_recipients_email_sent: 118,
  nb_email_sent: 118,
  unknown_recipients: 0,
  rejected_recipients: 1,
  blacklisted_recipients: 0,
  bounced_recipients: 2,
  spammed_recipients: 0,
  unsubscribed_recipients: 1,
  paused_at: null,
  pause_reason: null,
  opened_at: null,
  'mail_event.invitation_id': ids.partner_invitation,
  'mail_event.message_id': null,
  'mail_event.type': 'bounced',
  'mail_event.bounce_type': 'hard',
  'mail_event.occurred_at': '2026-06-01T08:00:09.000Z',
  'mail_event.reason': '550 5.1.1 No such user',
  'mail_event.state': 'bounced',
  'blocked_recipient.address': 'example.org',
  'blocked_recipient.note': 'Competitor',

  'exhibitor.name': 'Difference Engines',
  'exhibitor.email': 'stand@example.com',
  'exhibitor.meta_data': { stand: 'B12' },
  access_token: `gh_exhibitor_${SECRET}`,
  comments: ['Asked for a demo'],
  exhibitor_products: [],
  'connection.created_at': '2026-09-17T19:21:40.120Z',
  'connection.updated_at': '2026-09-17T19:21:40.120Z',
  lead_guest: {
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    company_name: 'Analytical Engines',
    uid: 'ada1815',
  },
  'license.signature': '9c1185a5c5e9fc54612808977ee8f548b2258d31ddadef7bd4b1c7d5a1c3b5a0',
  qr_code_ciphering_key: 'bm90LWEtcmVhbC1rZXktb25seS1hbi1leGFtcGxlLi4=',
  qr_code_ciphering_iv: 'bm90LWEtcmVhbC1pdi4uLg==',
  'license.qr_code_ciphering_enabled': true,
  'license.app': 'Lead scanner',

  'webhook.url': 'https://hooks.example.com/gatehouse',
  event_types: ['check_in.created'],
  event_type: 'check_in.created',
  'delivery.state': 'delivered',
  attempt_count: 1,
  next_attempt_at: null,
  last_attempt_at: stored,
  'delivery.created_at': stored,
  'delivery.updated_at': stored,
  response_status: 204,
  'delivery.error': null,
  'webhook_secret.secret': 'whsec_bm90LWEtcmVhbC1rZXktb25seS1hbi1leGFtcGxlLi4=',
  previous_expires_at: null,

  'token.account': 'acme',
  'token.name': 'Tablet at the main entrance',
  'token.scope': 'door',
  'token.token': `gh_${SECRET}`,

  'contact.password': 'a long enough password',
  has_password: true,
  created: 118,
  already_there: 2,
  'contact_import.refused': 1,
  left: 0,
  'refused_line.line': 57,
  'refused_line.errors': { email: ['is not valid'] },
  columns: [
    { header: 'E-mail', field: 'email' },
    { header: 'Surname', field: 'last_name' },
  ],
  'contact.others': { job: 'Mathematician' },
  'contact_field.key': 'job',
  'contact_field.label': 'Job',
  'invitation.delivery': 'link',
  'partner_invitation.answer': 'accepted',
  'invitation.url': `${PUBLIC}/sso/acme/invitations/${SECRET}`,
  'oauth_app.name': 'Partner portal',
  redirect_uris: ['https://portal.example.com/callback'],
  client_id: '3f0c6a5e9d2b4187a6c1e0d9b8f7a625',
  client_secret: `gs_${SECRET}`,
  old_secret_expires_at: '2026-05-05T09:12:31.250Z',
  overlap_seconds: 86_400,
  kind: 'sign_in',
  'audit_record.address': '203.0.113.7',
  'audit_record.created_at': '2026-09-16T20:41:03.118Z',
}

/** Text files by the resource which takes or gives them. */
export const fileExamples: Record<string, string> = {
  contacts: 'email,first_name,last_name\nada@example.com,Ada,Lovelace\n',
  connections:
    '_id,guest_uid,author,created_at,updated_at,email,first_name,last_name,company_name,uid\n66f1a0c2e4b0a1d2c3e41010,ada1815,Charles Babbage,2026-09-17T19:21:40.120Z,2026-09-17T19:21:40.120Z,ada@example.com,Ada,Lovelace,Analytical Engines,ada1815\n',
}
