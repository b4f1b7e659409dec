import { choice, flag, identifier, optionalText, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

/** What comes of the beginning of an import. */
export const beginnings = ['begun', 'unreadable', 'exists', 'deleting', 'differs'] as const

const event = { account_id: identifier(), event_id: identifier() }
const stored = text({ maxLength: 262_144, verbatim: true, description: 'The stored event as MongoDB Extended JSON' })

/** Archives of events. For the command line the event itself: what it holds goes by `event_data` of each service. */
export const eventArchives = resource('guests.event_archives', 'event_archive', {
  download: {
    route: 'GET events/:event_id/archive',
    role: 'organizer',
    summary:
      'Everything of an event in one file, while it is made: guests, check-ins, e-mails, files, settings, as JSON Lines in a compressed tar file whose README says what is missing. It has personal data. What changes meanwhile may be missing: archive the event first',
    produces: { tgz: 'application/gzip' },
    parts: true,
    long: true,
    exports: ['tgz'],
  },
  read: {
    summary: 'An event as an archive has it; 404 if there is no such event',
    reads: true,
    body: record(event),
    reply: record({ event: stored, title: text(), is_archived: flag() }),
  },
  seal: {
    summary: 'Seals a page of an archive by its digest',
    reads: true,
    body: record({ digest: text({ pattern: '^[0-9a-f]{64}$' }) }),
    reply: record({ seal: text() }),
  },
  begin: {
    summary: 'Stores the event of an archive, which nobody sees yet; the same again changes nothing',
    maxBytes: 1024 * 1024,
    body: record({ account_id: identifier(), from_account_id: identifier(), event: stored }),
    reply: record({
      outcome: choice(beginnings),
      title: optionalText({ description: 'Of the event that has its id' }),
      new_key: flag({
        description: 'Whether its ciphered QR codes cannot be read here: the key was of another installation',
      }),
    }),
  },
  finish: {
    summary: 'Shows the event of an archive that is complete, and orders its badges',
    body: record(event),
    reply: record({ title: text() }),
  },
  withdraw: {
    summary: 'Deletes the event of an archive that is not complete; `is_known` tells whether there is one',
    body: record(event),
    reply: record({ is_known: flag() }),
  },
})
