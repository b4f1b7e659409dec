import { hash } from 'node:crypto'
import { ObjectId } from 'mongodb'
import type { Static, TObject, TSchema } from 'typebox'
import type { Bus } from './bus.ts'
import { Fault, invalid } from './faults.ts'
import type { SchemaNode } from './fields.ts'
import type { RetryMemory } from './idempotency.ts'
import type { Meta, Reply } from './messages.ts'
import { parseJson, queryReaderOf, readerOf, unwrap } from './reading.ts'
import {
  type Action,
  type Call,
  type Caller,
  type Handlers,
  isDownload,
  isQuiet,
  isRejected,
  type Output,
  type Rejected,
  type Resource,
  subjectOf,
} from './resource.ts'
import { StoredList } from './stored.ts'
import { storedWriterOf } from './stored-writing.ts'
import { writerOf } from './writing.ts'

/** Items that one batch may hold (413 beyond). */
export const MAX_BATCH = 10_000

/** What serving a resource takes besides its handlers. */
export interface ServeOptions {
  /** Answers of earlier tries, by `Idempotency-Key`. */
  retries: RetryMemory
}

type AnyHandler = (call: Call) => Promise<unknown>

/** Serves every action of a resource on the bus: reads, checks, calls the handler, writes. */
export function serveResource<R extends Resource>(
  bus: Bus,
  resource: R,
  handlers: Handlers<R>,
  options: ServeOptions,
): void {
  for (const [name, action] of Object.entries(resource.actions)) {
    const handler = (handlers as Record<string, AnyHandler>)[name]
    if (!handler) throw new Error(`${resource.name} has no handler for ${name}`)
    bus.serve(subjectOf(resource, name), resource.service, responderOf(resource, name, action, handler, options))
  }
}

function responderOf(resource: Resource, name: string, action: Action, handler: AnyHandler, { retries }: ServeOptions) {
  const readQuery = action.query && queryReaderOf(action.query)
  const readBody = bodyReader(action, resource)
  const write = action.reply && replyWriterOf(action.reply, action.batch)
  const subject = subjectOf(resource, name)

  const run = async (meta: Meta, body: Uint8Array): Promise<Reply> => {
    const call = {
      params: meta.params ?? {},
      query: readQuery ? accepted(readQuery(meta.query ?? {})) : {},
      body: readBody?.(parseJson(body)),
      upload: action.upload && { bytes: body, content_type: meta.content_type ?? '' },
      format: meta.format ?? 'json',
      caller: meta.caller,
      idempotency_key: meta.idempotency_key,
      traceparent: meta.traceparent,
      newId: idSource(subject, action, meta, body),
    } as unknown as Call
    const answer = await handler(call)
    if (isDownload(answer)) {
      const { bytes, ...file } = answer
      return { body: bytes, file }
    }
    const wanted = write && (!isQuiet(action) || meta.represent)
    const failed = action.batch === true && (answer as object[]).some(isRejected)
    return {
      body: wanted ? write(typeof answer === 'function' ? await answer() : answer) : Buffer.alloc(0),
      ...(failed && { status: 422 }),
      ...(call.replayed && { replayed: true }),
    }
  }

  const remembers = action.route?.startsWith('POST ') && !action.ownRetries
  if (!remembers) return run
  return (meta: Meta, body: Uint8Array): Promise<Reply> =>
    meta.idempotency_key
      ? retries.once(subject, askerOf(action, meta), meta, body, () => run(meta, body))
      : run(meta, body)
}

function replyWriterOf(schema: TSchema, batch: boolean | undefined): (answer: unknown) => Buffer {
  const write = writerOf(schema, batch)
  return (answer) => (answer instanceof StoredList ? storedWriterOf(schema)(answer) : Buffer.from(write(answer)))
}

function accepted({ value, errors }: ReturnType<ReturnType<typeof readerOf>>): unknown {
  if (errors) throw invalid(errors)
  return value
}

function bodyReader(action: Action, resource: Resource): ((body: unknown) => unknown) | undefined {
  if (!action.body) return undefined
  const schema = action.body as TSchema & SchemaNode
  const roots = [...(action.root ? [action.root] : []), resource.one, resource.many]
  if (!action.batch) {
    const read = readerOf(schema)
    return (body) => accepted(read(unwrap(body, roots, schema)))
  }
  const readItem = readerOf(schema.items as TSchema)
  return (body) => {
    const items = unwrap(body, roots, schema)
    if (!Array.isArray(items)) throw invalid({ base: ['is not a list'] })
    if (items.length > MAX_BATCH) throw new Fault('too_large', `A batch may hold ${MAX_BATCH} items`)
    return items.map((item) => {
      const { value, errors } = readItem(unwrap(item, [resource.one], schema.items as SchemaNode))
      return errors ? ({ errors } satisfies Rejected) : value
    })
  }
}

/** Whose an `Idempotency-Key` is: the token's, or that of who holds the secret. */
function askerOf({ secret }: Action, { caller, params, query }: Meta): string {
  return caller?.token_id ?? (secret ? String(params?.[secret] ?? query?.[secret] ?? '') : '')
}

/**
 * The `_id`s of what a request creates: random, or with an `Idempotency-Key` derived from whose key it is and what the request
 * is, so that a key used again after its day makes something new; from the key alone where the handler compares what is stored
 * with what is asked (`comparesRetries`).
 */
function idSource(subject: string, action: Action, meta: Meta, body: Uint8Array): () => string {
  const { idempotency_key, params } = meta
  if (!idempotency_key) return () => new ObjectId().toHexString()
  const key = [askerOf(action, meta), idempotency_key]
  if (!action.comparesRetries) {
    key.push(subject, JSON.stringify(params ?? {}), hash('sha256', body, 'base64'))
  }
  let count = 0
  return () => derivedId(...key, String(count++))
}

/** The `_id` that a creation with this `Idempotency-Key` gives what it makes, to look for it without asking again. */
export function createdId(resource: Resource, name: string, question: AnyQuestion): string {
  const action = resource.actions[name] as Action
  return idSource(subjectOf(resource, name), action, metaOf(question), bodyOf(question))()
}

/** A 24-hex id that is the same for the same parts. */
export function derivedId(...parts: string[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 24)
}

interface Question<A extends Action> {
  params?: Record<string, string>
  query?: A['query'] extends TObject ? Partial<Static<A['query']>> : never
  body?: A['body'] extends TSchema ? Static<A['body']> : never
  caller?: Caller | undefined
  /** The same key at each try of a creation, so that it is made once. */
  idempotency_key?: string | undefined
  traceparent?: string | undefined
}

type AnyQuestion = Pick<Meta, 'params' | 'query' | 'caller' | 'idempotency_key' | 'traceparent'> & { body?: unknown }

/** The actions of a resource as functions over the bus. */
export type Client<R extends Resource> = {
  [N in keyof R['actions']]: (question: Question<R['actions'][N]>) => Promise<Output<R['actions'][N]>>
}

/** A client of a resource, for another service or the command line. Actions that only read are tried twice. */
export function clientOf<R extends Resource>(bus: Bus, resource: R): Client<R> {
  const entries = Object.entries(resource.actions).map(([name, action]) => {
    const subject = subjectOf(resource, name)
    const idempotent = action.route ? action.route.startsWith('GET ') : action.reads === true
    const read = action.reply && readerOf(action.reply)
    const ask = async (question: AnyQuestion): Promise<unknown> => {
      const reply = await bus.call(subject, { ...metaOf(question), represent: true }, bodyOf(question), idempotent)
      return read && reply.body.length > 0 ? read(parseJson(reply.body)).value : undefined
    }
    return [name, ask]
  })
  return Object.fromEntries(entries) as Client<R>
}

function metaOf({ params, query, caller, idempotency_key, traceparent }: AnyQuestion): Meta {
  return {
    ...(params && { params }),
    ...(query && { query }),
    ...(caller && { caller }),
    ...(idempotency_key && { idempotency_key }),
    ...(traceparent && { traceparent }),
  }
}

function bodyOf({ body }: AnyQuestion): Buffer {
  return Buffer.from(JSON.stringify(body ?? {}))
}
