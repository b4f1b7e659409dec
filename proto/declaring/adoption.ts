import type { TProperties } from 'typebox'
import { choice, datetime, flag, identifier, list, maybe, record, text } from './fields.ts'

/** When a thing was created and changed, and its id. */
export const ownIdentity = { _id: identifier(), created_at: datetime(), updated_at: datetime() }

const compares = flag({ default: false, description: 'Nothing is stored: the answer says what would be' })

/** What becomes of a thing of another system. */
const outcome = record({
  outcome: choice(['stored', 'same', 'differs', 'missing'], {
    description: 'It is new here; is here as given, or otherwise; or would be new, if that was asked',
  }),
  fields: maybe(list(text(), 'field', { description: 'Which fields are otherwise' })),
})

/**
 * The action that takes over things of an event from another system, each with its id and times. It may be repeated: what is here stays as it
 * is, and the answer says whether that is as given. Nothing is announced to webhooks: whoever had to know of it knows.
 */
export function adoption<F extends TProperties>(one: string, fields: F) {
  return adoptionInto(one, fields, { event_id: identifier() })
}

/** The same for things of an account. */
export function adoptionInto<F extends TProperties, Q extends TProperties>(one: string, fields: F, owner: Q) {
  return {
    summary: `Takes over things of another system with their ids and times: each a ${one}. Those that are here stay as they are`,
    query: record({ ...owner, compares }),
    body: list(record({ ...ownIdentity, ...fields }), one),
    batch: true,
    checks: true,
    longestMs: 15_000,
    reply: list(outcome, one),
  } as const
}
