import { ObjectId } from 'mongodb'
import type { TSchema } from 'typebox'
import type { Bus } from './bus.ts'
import { askerOf, idSource } from './calls.ts'
import { Fault, type FieldErrors, invalid } from './faults.ts'
import type { SchemaNode } from './fields.ts'
import type { RetryMemory } from './idempotency.ts'
import type { Meta, Reply } from './messages.ts'
import { parseJson, queryReaderOf, type Read, type Reader, readerOf, unwrap } from './reading.ts'
import {
  type Action,
  type Call,
  type Handlers,
  isDownload,
  isQuiet,
  isRejected,
  type Rejected,
  type Resource,
  subjectOf,
} from './resource.ts'
import { StoredList } from './stored.ts'
import { storedWriterOf } from './stored-writing.ts'
import { writerOf } from './writing.ts'

/** Items that one batch may hold (413 beyond). */
const MAX_BATCH = 10_000

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
    const read: Read = readBody?.(parseJson(body)) ?? { value: undefined }
    if (read.errors && !(action.checks && read.given)) throw invalid(read.errors)
    const call = {
      params: meta.params ?? {},
      query: readQuery ? accepted(readQuery(meta.query ?? {})) : {},
      body: read.errors ? read.given : read.value,
      accept: (errors?: FieldErrors, further?: () => Promise<FieldErrors>) => accepting(read, errors, further),
      upload: action.upload && { bytes: body, content_type: meta.content_type ?? '' },
      format: meta.format ?? 'json',
      caller: meta.caller,
      idempotency_key: meta.idempotency_key,
      traceparent: meta.traceparent,
      newId: meta.idempotency_key ? idSource(meta.idempotency_key, subject, action, meta, body) : randomId,
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

function accepted({ value, errors }: Read): unknown {
  if (errors) throw invalid(errors)
  return value
}

/** The value that was read, if neither the schema nor the handler found anything wrong. */
async function accepting(
  { value, errors }: Read,
  found: FieldErrors = {},
  further?: () => Promise<FieldErrors>,
): Promise<unknown> {
  if (!errors && Object.keys(found).length === 0) return value
  throw invalid({ ...(await further?.()), ...found, ...errors })
}

function bodyReader(action: Action, resource: Resource): Reader | undefined {
  if (!action.body) return undefined
  const schema = action.body as TSchema & SchemaNode
  const roots = [...(action.root ? [action.root] : []), resource.one, resource.many]
  if (!action.batch) {
    const read = readerOf(schema)
    return (body) => read(unwrap(body, roots, schema))
  }
  const readItem = readerOf(schema.items as TSchema)
  return (body) => {
    const items = unwrap(body, roots, schema)
    if (!Array.isArray(items)) throw invalid({ base: ['is not a list'] })
    if (items.length > MAX_BATCH) throw new Fault('too_large', `A batch may hold ${MAX_BATCH} items`)
    const value = items.map((item) => {
      const { value, errors, given } = readItem(unwrap(item, [resource.one], schema.items as SchemaNode))
      return errors ? ({ errors, ...(action.checks && given && { given }) } satisfies Rejected) : value
    })
    return { value }
  }
}

function randomId(): string {
  return new ObjectId().toHexString()
}
