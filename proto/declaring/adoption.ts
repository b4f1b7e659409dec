import type { TProperties } from 'typebox'
import { choice, datetime, flag, identifier, list, maybe, record, text } from './fields.ts'

/** When a thing was created and changed, and its id. */
export const ownIdentity = { _id: identifier(), created_at: datetime(), updated_at: datetime() }

const compares = flag({ default: false, description: 'Nothing is stored: the answer says what would be' })

/** What becomes of a thing of another system. */
const outcome = record({
  outcome: choice(['stored', 'updated', 'same', 'differs', 'missing'], {
    description:
      'It is new here; has changed there alone, and so here; is here as given, or otherwise; or would be new, if that was asked',
  }),
  fields: maybe(list(text(), 'field', { description: 'Which fields are otherwise, or were' })),
})

/**
 * The action that takes over things of an event from another system, each with its id and times. It may be repeated: what has changed there
 * since changes here too, unless it has changed here, and the answer says whether it is as given. Nothing is announced to webhooks: whoever
 * had to know of it knows.
 */
export function adoption<F extends TProperties>(one: string, fields: F) {
  return adoptionInto(one, fields, { event_id: identifier() })
}

/** The same for things of an account. */
export function adoptionInto<F extends TProperties, Q extends TProperties>(one: string, fields: F, owner: Q) {
  return {
    summary: `Takes over things of another system with their ids and times: each a ${one}. Those that have changed here stay as they are`,
    query: record({ ...owner, compares }),
    body: list(record({ ...ownIdentity, ...fields }), one),
    batch: true,
    checks: true,
    longestMs: 15_000,
    reply: list(outcome, one),
  } as const
}

/** The action that deletes things of an event that came from another system and are gone there. Nothing is announced to webhooks. */
export function disowning(one: string) {
  return {
    summary: `Deletes things that came from another system and are gone there: each a ${one}. One that has changed here stays`,
    body: record({ event_id: identifier(), ids: list(identifier(), 'id') }),
    reply: list(
      record({
        outcome: choice(['deleted', 'kept', 'own', 'missing'], {
          description: 'It is deleted; stays, since it has changed here or is used here; was made here; or is not here',
        }),
      }),
      one,
    ),
    longestMs: 15_000,
  } as const
}
