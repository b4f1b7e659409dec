import { datetime, identifier, list, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

/** A page of an archive has 2 MiB, and a file of a guest beside them. */
const MAX_BYTES = 10 * 1024 * 1024

const eventImport = record({
  _id: identifier({ description: 'The id of the event' }),
  title: text(),
  begun_at: datetime({ description: 'When the import was begun' }),
})

/** A page of an archive, as one of its `.jsonl` files has it. */
const page = {
  from_account_id: identifier({ description: 'The account of the archive: `account_id` in its archive.json' }),
  documents: text({
    verbatim: true,
    maxLength: MAX_BYTES,
    description: 'The lines of a .jsonl file of the archive, without the seal; where one names a file, with its bytes',
  }),
  seal: text({ maxLength: 1_000, description: 'The seal in the last line of that file' }),
}

/** Imports of archives that are not complete. */
export const eventImports = resource('guests.event_imports', 'event_import', {
  list: {
    route: 'GET event_imports',
    role: 'organizer',
    summary: 'Imports of the account that were begun and are not complete',
    reply: list(eventImport, 'event_import'),
  },
  create: {
    route: 'POST event_imports',
    summary:
      'Begin the import of an archive: store its event, which nobody sees until the import is finished. The same again changes nothing. Only archives that this Gatehouse made are taken, as they are; an event that is there already is 409',
    body: record(page),
    maxBytes: MAX_BYTES,
    reply: eventImport,
    status: 201,
  },
  add: {
    route: 'POST event_imports/pages',
    unaudited: 'the audit log has the beginning of the import',
    long: true,
    summary:
      'Store a page of an archive, with the ids of its records. The same again changes nothing; an id that is taken is an error that names it. First those of guests, then the others, in the order of the archive',
    body: record({
      event_id: identifier({ description: 'The event of the import' }),
      collection: text({ description: 'The folder of the page: guests.guests' }),
      ...page,
    }),
    maxBytes: MAX_BYTES,
    reply: eventImport,
    status: 201,
  },
  finish: {
    route: 'POST event_imports/:id/finish',
    unaudited: 'the audit log has its beginning',
    long: true,
    summary: 'Finish an import: show the event, and order its badges',
    reply: eventImport,
  },
  delete: {
    route: 'DELETE event_imports/:id',
    summary: 'Give up an import, and delete in the background what is stored of it',
    reply: eventImport,
    status: 204,
  },
})
