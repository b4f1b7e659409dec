import { linkShape, linkTerms } from '@gatehouse/checkin/resources'
import { adoption, disowning } from '@gatehouse/proto/declaring/adoption.ts'
import {
  datetime,
  defaultsOf,
  flag,
  freeObject,
  identifier,
  integer,
  list,
  optionalDatetime,
  optionalIdentifier,
  optionalInteger,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

const registrationFields = {
  registration_enabled: flag({
    default: false,
    description: 'Whether anybody may register on the registration page of the category',
  }),
  registration_limit: optionalInteger({
    minimum: 0,
    maximum: 1_000_000,
    description: 'How many persons may register on the page; null: any number',
  }),
  registration_opens_at: optionalDatetime({ description: 'When registration opens; null: at once' }),
  registration_closes_at: optionalDatetime({
    description: 'When registration closes, not before registration_opens_at; null: not by itself',
  }),
  registration_party_max: integer({
    default: 1,
    minimum: 1,
    maximum: 500,
    description: 'The largest party that may register at once, in persons',
  }),
  registration_confirms_email: flag({
    default: true,
    description: 'Whether a registration counts only once the link in an e-mail was opened',
  }),
}

const fields = {
  name: text(),
  badge_enabled: flag({ default: false }),
  badge_qr_code_enabled: flag({ default: false }),
  badge_ecard_in_qr_code_enabled: flag({ default: false }),
  badge_template_id: optionalIdentifier({
    description: 'The badge template by which badges are made; null: the usual badge',
  }),
  confirmation_email_enabled: flag({ default: false }),
  rsvp_enabled: flag({ default: false }),
  moderated_registrations_enabled: flag({ default: false }),
  device_names_enabled: flag({
    default: false,
    description:
      "Whether devices at the door get guests' names to keep them, so that they can show them without a network",
  }),
  walk_in_enabled: flag({ default: false, description: 'Whether devices at the door may add guests to it' }),
  ...registrationFields,
  form_identity_mapping: freeObject({ default: {}, formerly: [{ name: 'wufoo_identity_mapping' }] }),
  form_checkin_point_mapping: freeObject({ default: {}, formerly: [{ name: 'wufoo_checkin_point_mapping' }] }),
}

const links = list(record(linkTerms), 'guest_category_accesspoint', {
  default: [],
  maxItems: 1_000,
  description: 'The check-in points that the category gives access to, each once',
})

const guestCategory = record({
  _id: identifier(),
  ...fields,
  event_id: identifier(),
  guest_category_accesspoints: list(linkShape, 'guest_category_accesspoint', {
    description: 'The check-in points that the category gives access to',
  }),
  created_at: datetime(),
  updated_at: datetime(),
})

/** A guest category as it goes out. */
export type GuestCategory = Static<typeof guestCategory>

const registration = record({
  badge_enabled: flag(),
  confirmation_email_enabled: flag(),
  rsvp_enabled: flag(),
  moderated_registrations_enabled: flag(),
  ...registrationFields,
})

/** What a guest category has where nothing is given. */
export const categoryDefaults = defaultsOf(fields) as Omit<
  GuestCategory,
  '_id' | 'name' | 'event_id' | 'guest_category_accesspoints' | 'created_at' | 'updated_at'
>

/** How guests come into a category by invitations and by its registration page. */
export type RegistrationSettings = Static<typeof registration>

/** Guest categories: what a guest is (VIP, press, crew), and through links what it may enter. */
export const guestCategories = resource('guests.guest_categories', 'guest_category', {
  list: {
    route: 'GET events/:event_id/guest_categories',
    scope: 'door',
    summary: 'Guest categories of an event',
    reply: list(guestCategory, 'guest_category'),
  },
  read: {
    route: 'GET events/:event_id/guest_categories/:id',
    scope: 'door',
    summary: 'One guest category',
    reply: guestCategory,
  },
  create: {
    route: 'POST events/:event_id/guest_categories',
    also: ['events/:event_id/guest_category'],
    summary: 'Create a guest category, with its links: all of it or nothing',
    checks: true,
    body: record({ ...fields, guest_category_accesspoints: links }),
    reply: guestCategory,
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id/guest_categories/:id',
    summary: 'Update a guest category; links, if sent, replace the existing ones',
    checks: true,
    body: subset({ ...fields, guest_category_accesspoints: links }),
    reply: guestCategory,
    status: 204,
  },
  delete: {
    route: 'DELETE events/:event_id/guest_categories/:id',
    summary: 'Delete a guest category and its links; 409 while it has guests',
    reply: guestCategory,
    status: 204,
  },
  adopt: adoption('guest_category', fields),
  disown: disowning('guest_category'),
  registration: {
    summary:
      'How guests come into a category by invitations and by its registration page; 404 if there is no such category',
    reads: true,
    body: record({ event_id: identifier(), id: identifier() }),
    reply: registration,
  },
  at_door: {
    summary: 'What devices at the door know of the guest categories of an event',
    reads: true,
    body: record({ event_id: identifier() }),
    reply: list(
      record({
        _id: identifier(),
        name: text(),
        device_names_enabled: flag(),
        walk_in_enabled: flag(),
        updated_at: datetime(),
      }),
      'guest_category',
    ),
  },
  known: {
    summary: 'Those of the given ids that are guest categories of the event',
    reads: true,
    body: record({ event_id: identifier(), ids: list(identifier(), 'id') }),
    reply: record({ ids: list(identifier(), 'id') }),
  },
})
