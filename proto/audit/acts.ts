import type { Meta } from '../bus/messages.ts'
import { type Action, isRejected } from '../declaring/resource.ts'

/* Which requests the audit log records, and what of them. */

/** An administrative act, as the audit log stores it. */
export interface Act {
  _id: string
  account_id: string
  /** The subject: `guests.events.update`. */
  action: string
  /** What was changed, or made; null where there is no such thing, or it is not known. */
  resource_id: string | null
  event_id: string | null
  token_id: string
  /** The name of the token; null for the command line. */
  token_name: string | null
  /** Of the client; null for the command line. */
  address: string | null
  /** The names of the fields that a change gave, never their values. */
  changed_fields: string[]
  /** Items of a batch that were accepted; null without a batch. */
  items: number | null
  /** `unknown` if the process died at work, or a store did not answer in time. */
  outcome: 'done' | 'unknown'
  created_at: Date
}

/** Where the sso service takes acts. It stores an act once, whoever sends it again. */
export const TAKE = 'sso.audit_records.take'

/** What a service says on the bus that records acts. */
export const RECORDED_ACTS = { asks: [TAKE] } as const

/** A name of a field, and no text that a client sent in place of one. */
const NAME = /^\w{1,64}$/
/** What may be an id or a key, unlike much that a path can hold. */
const ID = /^[\w.-]{1,255}$/
/** Most names of one act. */
const MAX_NAMES = 100

/**
 * Whether requests for an action are administrative acts: what only an admin may call and which writes, unless the declaration says why not;
 * what it says is `audited`; and exports.
 */
export function isAct(action: Action, format: string): boolean {
  if (!action.route || action.secret) return false
  if (action.route.startsWith('GET ')) return action.exports?.includes(format) ?? false
  return action.audited === true || (action.scope === undefined && action.unaudited === undefined)
}

/** The act of a request before it is done; undefined for a request of another service. */
export function actOf(_id: string, subject: string, action: Action, meta: Meta, body: unknown): Act | undefined {
  const { caller, params = {}, actor } = meta
  if (!caller) return undefined
  return {
    _id,
    account_id: caller.account_id,
    action: subject,
    resource_id: lastParameter(action, params),
    event_id: params.event_id ?? null,
    token_id: caller.token_id,
    token_name: actor?.name ?? null,
    address: actor?.address ?? null,
    changed_fields: action.route?.startsWith('PUT ') ? namesIn(body) : [],
    items: null,
    outcome: 'unknown',
    created_at: new Date(),
  }
}

/** An act that is done, with what its answer tells; undefined if every item of a batch was refused, so that nothing was done. */
export function doneAct(act: Act, action: Action, subject: string, answer: unknown): Act | undefined {
  const done: Act = { ...act, outcome: 'done' }
  if (action.batch) {
    const items = (answer as object[]).filter((item) => !isRejected(item)).length
    return items > 0 ? { ...done, items } : undefined
  }
  const made = action.route?.startsWith('POST ') ? idOf(answer) : undefined
  if (made === undefined) return done
  return { ...done, resource_id: made, ...(subject === CREATES_EVENT && { event_id: made }) }
}

/** What this makes is an event, of which the act is one. */
const CREATES_EVENT = 'guests.events.create'

function lastParameter({ route }: Action, params: Record<string, string>): string | null {
  const name = Array.from((route ?? '').matchAll(/:(\w+)/g), ([, each]) => each).at(-1)
  const value = (name !== undefined && params[name]) || ''
  return ID.test(value) ? value : null
}

function namesIn(body: unknown): string[] {
  const names = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : []
  return names.filter((name) => NAME.test(name)).slice(0, MAX_NAMES)
}

function idOf(answer: unknown): string | undefined {
  const _id = typeof answer === 'object' && answer !== null && '_id' in answer ? answer._id : undefined
  return typeof _id === 'string' ? _id : undefined
}
