import { checkIns } from '@gatehouse/checkin/resources'
import { kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { xmlWriterOf } from '@gatehouse/proto/formats/xml.ts'
import type { Side } from './schemas.ts'

/**
 * The examples of the API document tell one story: the opening night of an exhibition, to which Ada Lovelace comes. A field brings its
 * example with its declaration (`example`) or has it here, by its name or by the name of what it belongs to and its own.
 */

/** Things that others refer to, in the order of their ids. */
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

const ids: Record<string, string> = Object.fromEntries(
  things.map((thing, index) => [thing, `66f1a0c2e4b0a1d2c3e4${(0x1001 + index).toString(16)}`]),
)

const PUBLIC = 'https://gatehouse.example.com'
const LINKS = `${PUBLIC}/api/v1/events/${ids.event}/guests/${ids.guest}`
const SECRET = 'not-a-real-secret-but-as-long-as-one-is-000'

const created = '2026-05-04T09:12:31.250Z'
const opening = '2026-09-17T18:00:00.000Z'
const arrival = '2026-09-17T18:04:12.000Z'
const stored = '2026-09-17T18:04:12.310Z'

const examples: Record<string, unknown> = {
  ...Object.fromEntries(things.map((thing) => [`${thing}_id`, ids[thing]])),
  network_enabled: true,
  is_enabled: true,
  platform_event_id: null,
  platform_promo_code_id: null,
  object_id: ids.event,
  created_at: created,
  updated_at: created,
  // A request may give it, and it must be in the future then.
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
  quota: 200,
  platform_promo_code_text: null,
  platform_promo_code_amount: null,
  platform_promo_code_percentage_of_total: null,
  platform_promo_code_max_usage: null,
  from_mailer: null,
  metadata: {},
  reply_to: 'guests@example.com',
  'partner_access_token.token': `gh_partner_${SECRET}`,

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

/** Files of text, by the resource that takes or gives them. */
export const fileExamples: Record<string, string> = {
  contacts: 'email,first_name,last_name\nada@example.com,Ada,Lovelace\n',
  connections:
    '_id,guest_uid,author,created_at,updated_at,email,first_name,last_name,company_name,uid\n66f1a0c2e4b0a1d2c3e41010,ada1815,Charles Babbage,2026-09-17T19:21:40.120Z,2026-09-17T19:21:40.120Z,ada@example.com,Ada,Lovelace,Analytical Engines,ada1815\n',
}

/** What a live feed sends for a check-in that is granted. */
export function liveExample(): string {
  const data = exampleOf(checkIns.actions.create.reply as unknown as SchemaNode, 'output', 'access_control')
  const message = { type: 'check_in.created', timestamp: stored, event_id: ids.event, data }
  return `id: 1027.0\nevent: check_in.created\ndata: ${JSON.stringify(message)}\n\n`
}

/** The example of a field or a parameter of what is called `owner`; undefined where there is none. */
export function knownExample(field: string, owner: string): unknown {
  if (field === '_id' || field === 'id') return ids[owner]
  const own = `${owner}.${field}`
  return own in examples ? examples[own] : examples[field]
}

/**
 * An example of a body or a reply of what is called `owner`. What is null in the story is left out of requests. Throws where a text or
 * a moment has no example.
 */
export function exampleOf(schema: SchemaNode, side: Side, owner: string): unknown {
  if (kindOf(schema) === 'array') return [exampleOf(schema.items ?? {}, side, owner)]
  return schema.properties ? recordExample(schema, side, owner) : examples[owner]
}

function recordExample(schema: SchemaNode, side: Side, owner: string): object {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, fieldExample(field, side, name, owner)] as const,
  )
  const shown = side === 'output' ? fields : fields.filter(([, value]) => value !== null)
  return { ...(schema.others && (examples[`${owner}.others`] as object)), ...Object.fromEntries(shown) }
}

function fieldExample(schema: SchemaNode, side: Side, field: string, owner: string): unknown {
  const known = schema.example ?? knownExample(field, owner)
  if (known !== undefined) return known
  if (schema.properties) return recordExample(schema, side, field)
  const { items, singular = field } = schema
  if (items)
    return [items.properties ? recordExample(items, side, singular) : fieldExample(items, side, singular, owner)]
  const value = schema.default ?? schema.enum?.[0] ?? plain[kindOf(schema)]
  if (value !== undefined) return value
  throw new Error(`${owner}.${field} has no example: give it one where it is declared, or in ${import.meta.filename}`)
}

/** What goes without saying. */
const plain: Record<string, unknown> = { boolean: false, integer: 0, number: 0, object: {} }

/** An example as XML, as the gateway writes it but with line breaks. */
export function xmlExample(schema: SchemaNode, one: string, many: string, value: unknown): string {
  return indented(xmlWriterOf(schema, one, many)(value))
}

/** XML with an element a line. */
export function indented(xml: string): string {
  let depth = 0
  return xml
    .replaceAll(/>\n?</g, '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth--
      const shown = '  '.repeat(depth) + line
      if (/^<[^/?][^<>]*[^/]>$|^<\w>$/.test(line)) depth++
      return shown
    })
    .join('\n')
}
