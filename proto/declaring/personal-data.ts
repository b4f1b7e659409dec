import type { Static, TProperties } from 'typebox'
import { choice, flag, identifier, integer, list, maybe, optionalText, record, text } from './fields.ts'
import { resource } from './resource.ts'

/* What is personal data in a service, and how the guests service asks each service to count, erase and export it (docs/adr/0012). */

/** What an erasure does with documents: it deletes them, blanks their personal fields, or keeps them. */
export const outcomes = ['deleted', 'blanked', 'kept'] as const

/** What an erasure finds: documents, or free texts that it leaves, as they may name anybody in any words. */
const found = [...outcomes, 'unsearched'] as const

/** Stored documents with personal data. Which of their fields are personal, and whose they are, the fields say themselves (`personal`). */
export interface PersonalDocuments {
  /** What reports and exports call them: `checkin.access_controls`. */
  name: string
  /** The collection that holds them. */
  collection: string
  /** The fields that exports show. */
  fields: TProperties
  /** Further stored fields, which no export shows. */
  hidden?: TProperties
  /** The fields by which they belong to an event or an account. What has no event is never erased with one. */
  scope: readonly ('account_id' | 'event_id')[]
  /** The order of an index that begins with the scope, in which they are read; the last field is unique. */
  order: Record<string, 1 | -1>
  outcome: (typeof outcomes)[number]
  /** Why they are not deleted. */
  reason?: string
  /** The kind that has the same documents, and in which those of everybody are found: here one person's are, who is named beside others. */
  partOf?: string
  /** What takes the place of fields that the schema does not tell how to blank. */
  blanks?: Record<string, unknown>
}

const person = record({
  guest_ids: list(identifier(), 'id'),
  guest_uids: list(text(), 'uid'),
  contact_ids: maybe(list(identifier(), 'id', { description: 'Of the account' })),
  by_email: maybe(flag({ description: 'Whether the request named an address, and no guest' })),
  emails: list(text({ maxLength: 1_000 }), 'email', { description: 'As they were given, and normalized' }),
})

const subject = {
  account_id: identifier({ description: 'Of the event' }),
  event_id: identifier(),
  with_account: flag({ description: 'Whether what the account has of the person besides the event is meant too' }),
  person: maybe(person),
}

/** The longest that a service works on one call, in ms. */
export const LONGEST_MS = 30_000

/** The longest page, in characters: many small documents, or a single large one. */
const MAX_PAGE = 64 * 1024 * 1024

const entry = record({
  data: text(),
  outcome: choice(found),
  count: integer(),
  reason: optionalText({ maxLength: 1_000 }),
  fields: maybe(list(text(), 'field', { description: 'Which hold the texts' })),
})

/** What a service finds of one kind of documents. */
export type FoundEntry = Static<typeof entry>

/** What a service does with the personal data of one person of an event, or of everybody. */
export function personalDataOf(service: string) {
  return resource(`${service}.personal_data`, 'personal_data', {
    find: {
      summary: 'How many documents an erasure would find',
      reads: true,
      longestMs: LONGEST_MS,
      body: record(subject),
      reply: list(entry, 'entry'),
    },
    erase: {
      summary: 'Erases what it finds, for a while: `is_done` tells whether nothing is left. May be repeated',
      longestMs: LONGEST_MS,
      body: record({
        ...subject,
        key: text({ description: 'What pseudonyms are made with; kept until the end only' }),
      }),
      reply: record({ is_done: flag() }),
    },
    export: {
      summary: 'A page of the documents; `next` is null after the last one',
      reads: true,
      longestMs: LONGEST_MS,
      body: record({ ...subject, after: optionalText({ maxLength: 2_000 }) }),
      reply: record({
        data: text(),
        items: text({
          maxLength: MAX_PAGE,
          description: 'As JSON: what clients have stored may be nested as deeply as any value of theirs',
        }),
        next: optionalText({ maxLength: 2_000 }),
      }),
    },
  })
}

/** Whose data is meant: a person's, or that of everybody of the event. */
export interface Subject {
  account_id: string
  event_id: string
  /** Whether what the account has of the person besides the event is meant too. */
  with_account: boolean
  person?: Person
}

/** By what a person is known in an event. */
export interface Person {
  guest_ids: string[]
  guest_uids: string[]
  /** Of contacts of the account. Absent where what the account has besides the event is not meant. */
  contact_ids?: string[]
  /** Whether the request named an address, and no guest: whose address a guest has is not known. */
  by_email?: boolean
  /** As they were given, and normalized (declaring/addresses.ts). */
  emails: string[]
}
