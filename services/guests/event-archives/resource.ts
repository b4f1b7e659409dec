import { choice, flag, identifier, optionalText, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

/** What comes of the beginning of an import. */
export const beginnings = ['begun', 'unreadable', 'exists', 'deleting', 'differs'] as const

const event = { account_id: identifier(), event_id: identifier() }
const stored = text({ maxLength: 262_144, verbatim: true, description: 'The stored event as MongoDB Extended JSON' })

/** Archives of events, for the command line: the event itself. What it holds goes by `event_data` of each service. */
export const eventArchives = resource('guests.event_archives', 'event_archive', {
  read: {
    summary: 'An event as an archive has it; 404 if there is no such event',
    reads: true,
    body: record(event),
    reply: record({ event: stored, title: text(), is_archived: flag() }),
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
