import { adoptionInto } from '@gatehouse/proto/declaring/adoption.ts'
import {
  datetime,
  flag,
  identifier,
  integer,
  list,
  maybe,
  OPTIONAL_WEB_ADDRESS,
  optionalDatetime,
  optionalEmail,
  optionalIdentifier,
  optionalInteger,
  optionalText,
  record,
  subset,
  TIME_OF_DAY,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'
import { disclosedFields } from '../guests/resource.ts'

/** What exhibitors see of a guest by default. */
export const defaultLeadGuestFields = ['email', 'first_name', 'last_name', 'company_name', 'uid']

const webAddress = { pattern: OPTIONAL_WEB_ADDRESS, maxLength: 2000 }

const fields = {
  title: text(),
  description: optionalText({ maxLength: 20_000, verbatim: true }),
  locale: text({ default: 'en', description: 'Language code', known: 'languages' }),
  organizer: optionalText(),
  location: optionalText({ description: 'Where it takes place, as invited guests see it' }),
  plan: text({ default: 'pro' }),
  start_date: optionalDatetime(),
  end_date: optionalDatetime({ description: 'Not before start_date' }),
  timezone: text({
    default: 'UTC',
    description: 'Time zone: a name of the IANA, Rails or Windows',
    known: 'time_zones',
  }),
  day_starts_at: text({
    default: '00:00',
    pattern: TIME_OF_DAY,
    maxLength: 5,
    description: 'When a day of the event begins, in its timezone: HH:MM. Links whose period is a day count by it',
  }),
  network_enabled: flag({ default: true, formerly: [{ name: 'mobinetwork_enabled' }] }),
  badge_complete_hook_url: optionalText({
    ...webAddress,
    description:
      'Called when a badge is completed. Its host must have public addresses only; null or empty: not called',
  }),
  reply_to_email: optionalEmail(),
  lead_guest_fields: list(text(), 'lead_guest_field', {
    default: defaultLeadGuestFields,
    maxItems: 100,
    description: `What exhibitors see of a guest: ${disclosedFields.join(', ')}; any other name is one of guest metadata`,
  }),
  qr_code_ciphering_enabled: flag({
    default: false,
    description: 'Switching it on makes a key and an IV, which stay when it is switched off and on again',
  }),
  device_qr_code_key_enabled: flag({
    default: false,
    description:
      'Whether devices of the event get the key of its ciphered QR codes, and so read them without a network. Whoever takes the key from a device can read all ciphered codes of the event for good, since the key never changes',
  }),
  personal_data_days: maybe(
    optionalInteger({
      minimum: 0,
      maximum: 36_500,
      description:
        'How many days after end_date the personal data of the event is erased, for good; not shown where it was never given',
    }),
  ),
  platform_event_id: optionalIdentifier({
    description:
      'Another event of the account, in which discount codes of partner campaigns are made; a token that is bound to one event cannot set it',
  }),
}

const event = record({
  _id: identifier(),
  ...fields,
  archived_at: optionalDatetime({ description: 'Since when it is archived, and read-only; null: it is not' }),
  guest_count: integer({ description: 'Guests registered' }),
  check_in_count: integer({ description: 'Check-ins stored, granted or not' }),
  signature_count: integer({ description: 'Signatures gathered' }),
  account_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** An event as it goes out. */
export type Event = Static<typeof event>

/** Events. A token reaches only those of its account. */
export const events = resource('guests.events', 'event', {
  list: {
    route: 'GET events',
    scope: 'door',
    summary: 'Events of the account; for a token bound to an event, that one',
    query: record({
      search: maybe(
        optionalText({ maxLength: 500, description: 'Each word must begin a word of the title or the organizer' }),
      ),
      archived: maybe(
        flag({ description: 'Archived events in place of the others; the event of a bound token is there either way' }),
      ),
    }),
    reply: list(event, 'event'),
  },
  read: { route: 'GET events/:event_id', scope: 'door', summary: 'One event', reply: event },
  create: {
    route: 'POST events',
    summary: 'Create an event in the account of the token',
    checks: true,
    body: record({ account_id: identifier(), ...fields }),
    reply: event,
    status: 201,
  },
  copy: {
    route: 'POST events/:event_id/copy',
    whileArchived: true,
    long: true,
    summary:
      'Copy an event with everything but people: its settings, guest categories, guest fields, check-in points, areas, links and invitation types. Times of links move with start_date',
    checks: true,
    body: subset({
      title: fields.title,
      start_date: fields.start_date,
      end_date: fields.end_date,
    }),
    reply: event,
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id',
    whileArchived: true,
    summary: 'Change fields of an event',
    checks: true,
    body: subset({
      ...fields,
      archived: flag({
        example: false,
        description: 'true archives the event, which cannot be changed then; false makes it an event like others again',
      }),
    }),
    reply: event,
    status: 204,
  },
  delete: {
    route: 'DELETE events/:event_id',
    role: 'owner',
    whileArchived: true,
    summary:
      'Delete an event with all that is in it, for good: guests, check-ins, partners, devices, everything. It is gone at once; its data is deleted in the background',
    query: record({ title: maybe(text({ description: 'The title of the event, as confirmation' })) }),
    reply: event,
    status: 204,
  },
  adopt: adoptionInto('event', { ...fields, archived_at: maybe(optionalDatetime()) }, { account_id: identifier() }),
  owner: {
    summary: 'The account of an event, or null if there is no such event, and whether it is archived',
    reads: true,
    body: record({ event_id: identifier() }),
    reply: record({ account_id: optionalIdentifier(), archived: maybe(flag()) }),
  },
  campaign_terms: {
    summary: 'The settings of an event for its partner campaigns; 404 if there is no such event',
    reads: true,
    body: record({ event_id: identifier() }),
    reply: record({
      title: text(),
      organizer: optionalText(),
      location: optionalText(),
      locale: text(),
      start_date: optionalDatetime(),
      end_date: optionalDatetime(),
      timezone: text(),
      platform_event_id: optionalIdentifier(),
      reply_to_email: optionalText(),
      account_id: identifier(),
      archived: maybe(flag()),
    }),
  },
  day_rule: {
    summary: 'When the days of an event begin; 404 if there is no such event',
    reads: true,
    body: record({ event_id: identifier() }),
    reply: record({ timezone: text({ description: 'A name of the IANA' }), day_starts_at: text() }),
  },
  badge_hook: {
    summary: 'The URL that is called when a badge of the event is completed; null if there is none',
    reads: true,
    body: record({ event_id: identifier() }),
    reply: record({ url: optionalText({ maxLength: 2000 }) }),
  },
  network: {
    summary: 'Whether the exhibitors of an event may create leads',
    reads: true,
    body: record({ event_id: identifier() }),
    reply: record({ network_enabled: flag() }),
  },
  ciphering: {
    summary:
      'How the QR codes of an event are ciphered: AES-256-CBC with this key and IV (base 64); both null if they are not',
    reads: true,
    body: record({ event_id: identifier() }),
    reply: record({
      enabled: flag(),
      for_devices: flag({ description: 'Whether devices may have the key' }),
      key: optionalText(),
      iv: optionalText(),
    }),
  },
})
