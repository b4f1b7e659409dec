import {
  datetime,
  email,
  fieldErrors,
  flag,
  freeObject,
  identifier,
  integer,
  list,
  maybe,
  optionalText,
  pageQuery,
  record,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

const identity = {
  email: email({ description: 'Unique in the account, whatever its case' }),
  first_name: optionalText(),
  last_name: optionalText(),
  is_blocked: flag({ default: false, description: 'A blocked contact cannot sign in, and what was signed in ends' }),
}

const fields = {
  ...identity,
  password: optionalText({
    maxLength: 1_000,
    verbatim: true,
    description:
      'At least 8 characters. Never shown. Blank or null is none: the contact signs in by a code, or after an invitation',
  }),
}

const contact = record(
  {
    _id: identifier(),
    ...identity,
    email: text(),
    has_password: flag(),
    created_at: datetime(),
    updated_at: datetime(),
  },
  { others: true, description: 'Each contact field of the account is a further member, under its key' },
)

/** Contacts as personal data. */
export const personalContacts: PersonalDocuments = {
  name: 'sso.contacts',
  collection: 'contacts',
  scope: ['account_id'],
  fields: {
    _id: identifier({ personal: 'contact_id' }),
    account_id: identifier(),
    ...identity,
    values: freeObject({ description: 'By the `_id` of the contact field' }),
    created_at: datetime(),
    updated_at: datetime(),
  },
  order: { created_at: -1, _id: -1 },
  outcome: 'deleted',
}

/** A contact in answers, without the account's contact fields. */
export type Contact = Static<typeof contact>

/** Names that are no keys of contact fields, since contacts have them here or at the endpoints of single sign-on. */
export const reservedKeys: ReadonlySet<string> = new Set([
  ...Object.keys(contact.properties),
  ...Object.keys(fields),
  'id',
  'sub',
  'account_id',
  'contact',
  'contacts',
  'errors',
])

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const ODS = 'application/vnd.oasis.opendocument.spreadsheet'
/** Most contacts of a file. */
export const MAX_IMPORTED = 10_000
/** How long the answer to an import may take. */
export const IMPORT_MS = 30_000

const imported = record({
  created: integer(),
  already_there: integer({
    description: 'Rows whose e-mail address a contact has already, whatever its case: these stay as they are',
  }),
  refused: integer({ description: 'Rows that are not valid' }),
  left: integer({
    description:
      'Rows that there was no time for, as hashing passwords takes its time: send the file again to go on, under another Idempotency-Key',
  }),
  refused_lines: list(
    record({ line: integer({ description: 'Where the row begins, from 1' }), errors: fieldErrors() }),
    'refused_line',
    {
      description: 'In their order; of very many, with long errors, the rest is only counted',
    },
  ),
  columns: list(
    record({ header: optionalText(), field: optionalText({ description: 'null for a column that is left out' }) }),
    'column',
    {
      description: 'How the columns were read',
    },
  ),
  read_as: optionalText({
    description: "The text's encoding, with its language if it was guessed by that, or the sheet",
  }),
  notices: list(text({ maxLength: 10_000 }), 'notice', { description: 'What is odd about the file' }),
})

/** Contacts of an account: the people who sign in by single sign-on. */
export const contacts = resource('sso.contacts', 'contact', {
  list: {
    route: 'GET contacts',
    scope: 'read',
    summary: 'Contacts of the account, newest creation first',
    query: record({
      ...pageQuery,
      email: maybe(text({ description: 'The contact with this e-mail address, whatever its case' })),
      search: maybe(
        optionalText({ maxLength: 500, description: 'Each word must begin a word of the e-mail address or the name' }),
      ),
    }),
    reply: list(contact, 'contact'),
  },
  read: { route: 'GET contacts/:id', scope: 'read', summary: 'One contact', reply: contact },
  create: {
    route: 'POST contacts',
    summary: 'Create a contact; contact fields are further members of the body',
    checks: true,
    body: record(fields, { others: true }),
    reply: contact,
    status: 201,
  },
  import: {
    route: 'POST contacts/import',
    summary: `Create the contacts of a CSV file or a workbook (.xlsx, .ods), at most ${MAX_IMPORTED}; sent again, nobody is made twice. Its columns are known by their headers: email, first_name, last_name, password, is_blocked in several languages, and contact fields by key or label`,
    query: record({
      encoding: maybe(text({ maxLength: 40, description: 'Of a text, instead of the guessed one: windows-1250' })),
      sheet: maybe(text({ description: 'Of a workbook, instead of the first one' })),
    }),
    upload: { types: ['text/csv', XLSX, ODS], maxBytes: 10 * 1024 * 1024 },
    reply: imported,
    replyName: 'contact_import',
    longestMs: IMPORT_MS,
  },
  update: {
    route: 'PUT contacts/:id',
    summary: 'Change a contact. A new password or a block ends what is signed in',
    checks: true,
    // An unchanged e-mail address may be invalid.
    body: subset({ ...fields, email: text({ maxLength: 254 }) }, { others: true }),
    reply: contact,
    status: 204,
  },
  delete: {
    route: 'DELETE contacts/:id',
    summary: 'Delete a contact for good; what is signed in ends',
    reply: contact,
    status: 204,
  },
  with_addresses: {
    summary: 'The contacts of an account with these e-mail addresses, whatever their case',
    reads: true,
    body: record({ account_id: identifier(), emails: list(text({ maxLength: 1_000 }), 'email') }),
    reply: list(record({ _id: identifier() }), 'contact'),
  },
})
