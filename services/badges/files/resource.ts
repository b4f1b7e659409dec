import { adoption, disowning } from '@gatehouse/proto/declaring/adoption.ts'
import { datetime, identifier, integer, list, maybe, record, text } from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { types } from './types.ts'

/** Bytes that a file may hold. */
export const MAX_BYTES = 5 * 1024 * 1024

const fields = {
  key: text({ description: 'Of a guest field whose type is file' }),
  label: text({ description: 'Of that guest field' }),
  filename: text(),
  content_type: text(),
  size: integer({ description: 'Bytes' }),
  url: text({ maxLength: 4_000, description: 'Answers the file to who has an auth_token' }),
  created_at: datetime(),
}

const file = record(fields)

const { label: _, url: __, ...stored } = fields

/** Files as personal data. Their contents are exported by the resource itself. */
export const personalFiles: PersonalDocuments = {
  name: 'badges.files',
  collection: 'files',
  scope: ['event_id'],
  fields: { guest_id: identifier({ personal: 'guest_id' }), ...stored },
  order: { guest_id: 1, key: 1 },
  outcome: 'deleted',
}

const suffixes = Object.fromEntries(
  types.flatMap(({ media, suffixes: all }) => all.map((suffix) => [suffix, media] as const)),
)

/** Files of guests: one for each guest field of the type `file`. */
export const files = resource('badges.files', 'file', {
  list: {
    route: 'GET events/:event_id/guests/:guest_id/files',
    scope: 'read',
    summary: 'The files of a guest',
    reply: list(file, 'file'),
  },
  read: {
    route: 'GET events/:event_id/guests/:guest_id/files/:key',
    scope: 'read',
    summary: "A file of a guest: what is known of it, or with the suffix of the file's type the file itself",
    reply: file,
    produces: suffixes,
  },
  upload: {
    route: 'PUT events/:event_id/guests/:guest_id/files/:key',
    summary: 'Store a file of a guest, in place of the one before',
    query: record({
      filename: maybe(
        text({ controls: true, description: 'The key with the suffix of the type where it is not given' }),
      ),
    }),
    upload: { types: types.map(({ media }) => media), maxBytes: MAX_BYTES },
    reply: file,
  },
  delete: {
    route: 'DELETE events/:event_id/guests/:guest_id/files/:key',
    summary: 'Delete a file of a guest for good',
    reply: file,
    status: 204,
  },
  adopt: adoption('file', {
    guest_id: identifier(),
    key: text(),
    filename: text(),
    content: text({ maxLength: 2 * MAX_BYTES, description: 'In base 64' }),
  }),
  disown: disowning('file'),
  of_guests: {
    summary: 'The files that these guests have',
    reads: true,
    body: record({ event_id: identifier(), guest_ids: list(identifier(), 'guest_id') }),
    reply: list(record({ guest_id: identifier(), ...fields }), 'file'),
  },
})
