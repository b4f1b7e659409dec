import { hash } from 'node:crypto'
import type { Static, TObject, TSchema } from 'typebox'
import { errorsOf, type FieldCodes } from '../declaring/faults.ts'
import type { SchemaNode } from '../declaring/fields.ts'
import { type Action, type Caller, deadlineOf, type Output, type Resource, subjectOf } from '../declaring/resource.ts'
import { internalReaderOf, parseJson } from '../formats/json-reader.ts'
import type { Askable } from './bus.ts'
import type { Meta, Reply } from './messages.ts'

/** The owner of an `Idempotency-Key`: the token, or the secret of the request. */
export function ownerOfKey({ secret }: Action, { caller, params, query }: Meta): string {
  return caller?.token_id ?? (secret ? String(params?.[secret] ?? query?.[secret] ?? '') : '')
}

/**
 * Returns the `_id`s of things that a request with an `Idempotency-Key` creates. They are derived from owner, key and request, so that a key that
 * is used again after its day creates something new; from owner and key alone for actions with `comparesRetries`.
 */
export function idSource(
  idempotency_key: string,
  subject: string,
  action: Action,
  meta: Meta,
  body: Uint8Array,
): () => string {
  const key = [ownerOfKey(action, meta), idempotency_key]
  if (!action.comparesRetries) {
    key.push(subject, JSON.stringify(meta.params ?? {}), hash('sha256', body, 'base64'))
  }
  let count = 0
  return () => derivedId(...key, String(count++))
}

/** The `_id` that a creation with this `Idempotency-Key` assigns, to look it up without repeating the request. */
export function createdId<R extends Resource>(
  resource: R,
  name: keyof R['actions'] & string,
  call: AnyActionCall & { idempotency_key: string },
): string {
  const action = resource.actions[name] as Action
  const { idempotency_key } = call
  return idSource(idempotency_key, subjectOf(resource, name), action, metaOf(call), bodyOf(call))()
}

/** A 24-hex id that is the same for the same parts. */
export function derivedId(...parts: string[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 24)
}

interface ActionCall<A extends Action> {
  params?: Record<string, string>
  query?: A['query'] extends TObject ? Partial<Static<A['query']>> : never
  body?: A['body'] extends TSchema ? Static<A['body']> : never
  caller?: Caller | undefined
  /** The same for each try of a creation, which then creates once. */
  idempotency_key?: string | undefined
  traceparent?: string | undefined
}

type AnyActionCall = Pick<Meta, 'params' | 'query' | 'caller' | 'idempotency_key' | 'traceparent' | 'format'> & {
  body?: unknown
}

/** The actions of a resource as functions over the bus. */
export type Client<R extends Resource> = {
  [N in keyof R['actions']]: (call: ActionCall<R['actions'][N]>) => Promise<Output<R['actions'][N]>>
}

/**
 * An action of a resource as a function over the bus that gives the reply unparsed, to pass it on. Actions that only read are tried
 * twice.
 */
export function requesterFor<R extends Resource>(
  bus: Askable,
  resource: R,
  name: keyof R['actions'] & string,
): (call: AnyActionCall) => Promise<Reply> {
  const action = resource.actions[name] as Action
  const subject = subjectOf(resource, name)
  bus.requirePermission('asks', subject)
  const idempotent = action.route ? action.route.startsWith('GET ') : action.reads === true
  const budget = deadlineOf(action, bus.deadlineMs)
  const meta = { budget, represent: true, ...(action.batch && { coded: true }) }
  return (call) => bus.call(subject, { ...metaOf(call), ...meta }, bodyOf(call), idempotent)
}

/** A client of a resource, for another service or the command line. Actions that only read are tried twice. */
export function clientOf<R extends Resource>(bus: Askable, resource: R): Client<R> {
  const entries = Object.entries(resource.actions).map(([name, action]) => {
    const request = requesterFor(bus, resource, name)
    const read = action.reply && replyReaderOf(action.reply, action.batch)
    const ask = async (call: AnyActionCall): Promise<unknown> => {
      const { body } = await request(call)
      return read && body.length > 0 ? read(parseJson(body)) : undefined
    }
    return [name, ask]
  })
  return Object.fromEntries(entries) as Client<R>
}

/** What a batch's answer has in the place of a refused item. */
interface WrittenErrors {
  errors: Record<string, string[]>
  codes?: FieldCodes
}

/** Reads each item of a batch by itself, except rejected ones. */
function replyReaderOf(schema: TSchema, batch: boolean | undefined): (answer: unknown) => unknown {
  if (!batch) {
    const read = internalReaderOf(schema)
    return (answer) => read(answer).value
  }
  const readItem = internalReaderOf((schema as SchemaNode).items as TSchema)
  return (answer) =>
    (answer as (object | WrittenErrors)[]).map((item) =>
      'errors' in item ? { errors: errorsOf(item.errors, item.codes) } : readItem(item).value,
    )
}

function metaOf({ params, query, caller, idempotency_key, traceparent, format }: AnyActionCall): Meta {
  return {
    ...(params && { params }),
    ...(query && { query }),
    ...(caller && { caller }),
    ...(idempotency_key && { idempotency_key }),
    ...(traceparent && { traceparent }),
    ...(format && { format }),
  }
}

function bodyOf({ body }: AnyActionCall): Buffer {
  return Buffer.from(JSON.stringify(body ?? {}))
}
