import {
  choice,
  datetime,
  identifier,
  list,
  optionalText,
  PLAIN_NAME,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

const fields = {
  key: text({
    maxLength: 64,
    pattern: PLAIN_NAME.source,
    description: 'The name of the field in a contact: small letters, digits and underscores',
  }),
  label: optionalText({ description: 'Shown to people; the key where it is not given' }),
  type: choice(['text', 'value_list'], { default: 'text' }),
  available_values: list(text(), 'available_value', {
    default: [],
    maxItems: 1000,
    description: 'Of a value_list: what a contact can have there; anything where it is empty',
  }),
}

const contactField = record({
  _id: identifier(),
  ...fields,
  account_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
})

/** A contact field as it goes out. */
export type ContactField = Static<typeof contactField>

/** Contact fields: what an account stores of its contacts besides their names. Keys are unique in an account. */
export const contactFields = resource('sso.contact_fields', 'contact_field', {
  list: {
    route: 'GET contact_fields',
    scope: 'read',
    summary: 'Contact fields of the account',
    reply: list(contactField, 'contact_field'),
  },
  read: { route: 'GET contact_fields/:id', scope: 'read', summary: 'One contact field', reply: contactField },
  create: {
    route: 'POST contact_fields',
    summary: 'Create a contact field: from then on contacts have it',
    checks: true,
    body: record(fields),
    reply: contactField,
    status: 201,
  },
  update: {
    route: 'PUT contact_fields/:id',
    summary: 'Change a contact field; under a new key contacts keep what they have there',
    checks: true,
    body: subset(fields),
    reply: contactField,
    status: 204,
  },
  delete: {
    route: 'DELETE contact_fields/:id',
    summary: 'Delete a contact field, and what contacts have there',
    reply: contactField,
    status: 204,
  },
})
