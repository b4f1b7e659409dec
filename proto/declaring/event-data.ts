import { choice, flag, identifier, integer, list, maybe, optionalText, record, text } from './fields.ts'
import { LONGEST_MS } from './personal-data.ts'
import { resource } from './resource.ts'

/** The longest page of documents, in characters: many small ones, or a single large one. */
export const MAX_PAGE = 64 * 1024 * 1024

/** Why a document of an archive is not stored. */
export const refusals = ['unreadable', 'other_event', 'other_account', 'unfinished', 'different'] as const

/** Why a document of an archive is not stored. */
export type Refusal = (typeof refusals)[number]

/** How long one page of an archive may take: so long a caller waits for a process that was killed, before it asks another one. */
const PAGE_MS = 10_000

const event = { account_id: identifier(), event_id: identifier() }
/** Stored documents, as they are given and taken. */
export const documents = text({
  verbatim: true,
  minLength: 0,
  pattern: '',
  maxLength: MAX_PAGE,
  description: 'Stored documents, each a line of MongoDB Extended JSON',
})

/** How each service deletes what it holds of a deleted event (docs/adr/0007), and gives and takes what an archive of an event has. */
export function eventDataOf(service: string) {
  return resource(`${service}.event_data`, 'event_data', {
    drop: {
      summary:
        'Deletes what the service holds of a deleted event, for a while: `is_done` tells whether nothing is left. May be repeated',
      longestMs: LONGEST_MS,
      body: record(event),
      reply: record({ is_done: flag() }),
    },
    contents: {
      summary: 'The collections that hold data of events, which of them an archive has, and how much each holds of one',
      reads: true,
      longestMs: PAGE_MS,
      body: record(event),
      reply: list(
        record({
          name: text(),
          holds: optionalText({ maxLength: 1_000, description: 'What an archive has of it; null if nothing' }),
          stays: optionalText({ maxLength: 1_000, description: 'What an archive has not of it, and why' }),
          count: integer({ description: 'Documents that an archive has' }),
        }),
        'collection',
      ),
    },
    read: {
      summary:
        'A page of the documents of a collection for an archive; `next` is null after the last one. Ask again later if one is `unfinished`',
      reads: true,
      longestMs: PAGE_MS,
      body: record({
        ...event,
        collection: text(),
        after: optionalText({ maxLength: 4_000 }),
        takes_waiting: maybe(
          flag({ description: 'Whether documents that wait for their time come too, as an import is to have them' }),
        ),
      }),
      reply: record({
        documents,
        count: integer(),
        next: optionalText({ maxLength: 4_000 }),
        unfinished: optionalText({ description: 'The `_id` of a document that other work is about to change' }),
      }),
    },
    put: {
      summary:
        'Stores documents of an archive with their ids, for another account if need be; the same again changes nothing. If any is refused by its content, none is stored',
      longestMs: PAGE_MS,
      maxBytes: MAX_PAGE,
      body: record({ ...event, from_account_id: identifier(), collection: text(), documents }),
      reply: record({
        stored: integer(),
        refused: list(
          record({ _id: text({ minLength: 0, pattern: '', maxLength: 1_000 }), why: choice(refusals) }),
          'refusal',
        ),
      }),
    },
    finish: {
      summary: 'Makes known what an archive has brought, after the last `put`. May be repeated',
      longestMs: PAGE_MS,
      body: record(event),
      reply: record({ is_done: flag() }),
    },
  })
}
