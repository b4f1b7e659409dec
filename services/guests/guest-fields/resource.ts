import { adoption } from '@gatehouse/proto/declaring/adoption.ts'
import {
  choice,
  datetime,
  flag,
  identifier,
  list,
  optionalText,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

const fields = {
  key: text(),
  label: optionalText({ description: 'Shown to people; the key where it is not given' }),
  type: choice(['text', 'file', 'value_list'], { default: 'text' }),
  available_values: list(text(), 'available_value', { default: [], maxItems: 1000 }),
  use_in_export: flag({ default: false }),
  use_in_registration: flag({
    default: false,
    description: 'Whether who accepts an invitation is asked for it; not for files',
  }),
  is_required: flag({ default: false, description: 'Whether a registration without a value is refused' }),
  on_device: flag({
    default: false,
    description:
      'Whether devices at the door show its values with each answer, offline where the category has device_names_enabled; not for files',
  }),
}

const guestField = record({
  _id: identifier(),
  ...fields,
  object_id: identifier({ description: 'What the field extends: the event' }),
  event_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** A guest field as it goes out. */
export type GuestField = Static<typeof guestField>

/** Guest fields: extra columns of an event's guest list. A key stands once in an event. */
export const guestFields = resource('guests.guest_fields', 'guest_field', {
  list: {
    route: 'GET events/:event_id/guest_fields',
    scope: 'door',
    summary: 'Guest fields of an event',
    reply: list(guestField, 'guest_field'),
  },
  read: {
    route: 'GET events/:event_id/guest_fields/:id',
    scope: 'door',
    summary: 'One guest field',
    reply: guestField,
  },
  create: {
    route: 'POST events/:event_id/guest_fields',
    summary: 'Create a guest field',
    checks: true,
    body: record(fields),
    reply: guestField,
    status: 201,
  },
  batch_create: {
    route: 'POST events/:event_id/guest_fields/batch_create',
    summary: 'Create several guest fields; each is judged by itself',
    batch: true,
    maxBytes: 10 * 1024 * 1024,
    checks: true,
    body: list(record(fields), 'guest_field'),
    reply: list(guestField, 'guest_field'),
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id/guest_fields/:id',
    summary: 'Change fields of a guest field',
    checks: true,
    body: subset(fields),
    reply: guestField,
    status: 204,
  },
  adopt: adoption('guest_field', fields),
  at_door: {
    summary: 'The guest fields of an event whose values devices at the door show',
    reads: true,
    body: record({ event_id: identifier() }),
    reply: list(record({ key: text(), label: optionalText(), updated_at: datetime() }), 'guest_field'),
  },
})
