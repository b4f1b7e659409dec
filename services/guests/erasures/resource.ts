import {
  choice,
  datetime,
  flag,
  identifier,
  integer,
  list,
  optionalDatetime,
  optionalText,
  pageQuery,
  record,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { outcomes } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

/** Why there is an erasure. */
const causes = ['request', 'retention'] as const

/** By what clients say whose personal data they mean. */
const ways = ['everybody', 'guest_id', 'guest_uid', 'email'] as const

const byDescription =
  'guest_id: a guest of the event; guest_uid: who has or had this uid, also if the guest is deleted; email: all guests and recipients with this address, whatever its case, and the contact of the account; everybody: all people of the event'

/** The fields that say whose personal data is meant. */
export const askedFor = {
  by: choice(ways, { example: 'email', description: byDescription }),
  value: optionalText({ verbatim: true, example: 'ada@example.com', description: 'Of `by`; everybody needs none' }),
}

/** Whose personal data is meant. */
export type ErasureSubject = { by: (typeof ways)[number]; value?: string | null }

const entry = record({
  data: text({
    example: 'leads.connections',
    description: 'What was found, by the name of its resource: `leads.connections`',
  }),
  outcome: choice(outcomes, { example: 'deleted' }),
  count: integer({ example: 2 }),
  reason: optionalText({ maxLength: 1_000, example: null, description: 'Why it was not deleted' }),
})

const textsEntry = record({
  data: text({ example: 'leads.connections', description: 'Which data has the texts, by the name of its resource' }),
  fields: list(text(), 'field', { example: ['author', 'comments'], description: 'The fields that hold them' }),
  count: integer({ example: 12, description: 'How many of them have such a text' }),
})

const erasure = record({
  _id: identifier(),
  event_id: identifier(),
  cause: choice(causes, { description: 'retention: the days of the event’s `personal_data_days` are over' }),
  everybody: flag({ example: false, description: 'Whether it is about all people of the event' }),
  state: choice(['running', 'done'], {
    example: 'done',
    description: 'running: it goes on by itself, also after a failure',
  }),
  report: list(entry, 'entry', {
    description: 'What was found so far; what is on its way meanwhile is added for minutes',
  }),
  unsearched: list(textsEntry, 'entry', {
    description:
      'Free texts that are left, and may name the person in any words: look there yourself. Those of the person alone are erased',
  }),
  created_at: datetime(),
  completed_at: optionalDatetime(),
})

/** An erasure as it goes out. */
export type Erasure = Static<typeof erasure>

/** One kind of data in the report of an erasure. */
export type ReportEntry = Static<typeof entry>

/** One kind of data with free texts that an erasure leaves. */
export type TextsEntry = Static<typeof textsEntry>

/** Erasures of personal data in an event, with their reports. Who was erased is not kept. */
export const erasures = resource('guests.erasures', 'erasure', {
  list: {
    route: 'GET events/:event_id/erasures',
    summary: 'Erasures of personal data in an event, newest first',
    query: record(pageQuery),
    reply: list(erasure, 'erasure'),
  },
  read: {
    route: 'GET events/:event_id/erasures/:id',
    summary: 'One erasure, with its report',
    reply: erasure,
  },
  create: {
    route: 'POST events/:event_id/erasures',
    whileArchived: true,
    summary:
      'Erase the personal data of one person in an event, for good, or of everybody. By an e-mail address it deletes the contact of the account too, unless the token is bound to an event. Counts stay as they are. The answer waits for it some seconds',
    checks: true,
    body: record(askedFor),
    reply: erasure,
    status: 201,
    longestMs: 20_000,
  },
})
