import { ObjectId } from 'mongodb'
import type { TSchema } from 'typebox'
import { actOf, doneAct, isAct } from '../audit/acts.ts'
import type { AuditTrail } from '../audit/trail.ts'
import type { Bus } from '../bus/bus.ts'
import { derivedId, idSource, ownerOfKey } from '../bus/client.ts'
import { EMPTY, type Meta, type Reply } from '../bus/messages.ts'
import { idsOfRequest } from '../bus/request-ids.ts'
import { Semaphore } from '../concurrency/semaphore.ts'
import { timeSlicer } from '../concurrency/time-slices.ts'
import { Fault, type FieldErrors, invalid } from '../declaring/faults.ts'
import type { SchemaNode } from '../declaring/fields.ts'
import {
  type Action,
  type Call,
  type Handlers,
  isDownload,
  isQuiet,
  isRedirect,
  isRejected,
  MAX_BATCH,
  type Rejected,
  type Resource,
  subjectOf,
  tooManyItems,
  withoutPage,
} from '../declaring/resource.ts'
import { maxValues } from '../declaring/value-limits.ts'
import { bsonWriterOf } from '../formats/bson-to-json.ts'
import { itemsOf, MAX_ITEM, notAList, parseItem } from '../formats/json-items.ts'
import {
  internalReaderOf,
  parseJson,
  queryReaderOf,
  type ReadResult,
  readerOf,
  unwrap,
} from '../formats/json-reader.ts'
import { batchItemsWriterOf, writerOf } from '../formats/json-writer.ts'
import { StoredList } from '../formats/raw-documents.ts'
import type { IdempotencyStore } from './idempotency.ts'

/** Larger bodies, in bytes, are read and answered in time slices, so that other requests are served in between. */
const LARGE = 64 * 1024
/** Bytes of large bodies that a process works on concurrently, and of one account; as objects they take several times as much. */
const largeBodies = new Semaphore(8 * 1024 * 1024, 1024 * 1024)
/** Up to so few items an answer is written without time slices. */
const FEW = 100
/** How long a large body waits for its turn, in ms, if its caller gives no budget. */
const MAX_WAIT_MS = 10_000

export interface ServeOptions {
  /** The answers to earlier tries by `Idempotency-Key`; a resource without POST routes needs none. */
  retries?: IdempotencyStore
  /** Records administrative acts; a resource without any needs none. */
  trail?: AuditTrail
}

type AnyHandler = (call: Call) => Promise<unknown>

/** Serves every action of a resource on the bus: reads and validates requests, calls the handlers, writes replies. */
export function serveResource<R extends Resource>(
  bus: Bus,
  resource: R,
  handlers: Handlers<R>,
  options: ServeOptions = {},
): void {
  for (const [name, action] of Object.entries(resource.actions)) {
    const handler = (handlers as Record<string, AnyHandler>)[name]
    if (!handler) throw new Error(`${resource.name} has no handler for ${name}`)
    const responder = responderOf(resource, name, action, handler, options)
    bus.serve(subjectOf(resource, name), resource.service, responder, { again: action.recognisesRequests === true })
  }
}

function responderOf(
  resource: Resource,
  name: string,
  action: Action,
  handler: AnyHandler,
  { retries, trail }: ServeOptions,
) {
  const readQuery = action.query && queryReaderOf(action.query, makerOf(action))
  const readBody = bodyReader(action, resource)
  const readItems = action.batch && batchReader(action, resource)
  const write = action.reply && (action.batch ? batchWriterOf(action.reply) : replyWriterOf(action.reply))
  const subject = subjectOf(resource, name)
  const names = Array.from((action.route ?? '').matchAll(/:(\w+)/g), ([, each = '']) => each)
  if (isAct(action, action.exports?.[0] ?? 'json') && !trail) throw new Error(`${subject} needs a trail for its acts`)

  /** Has the handler do what a request asks, and records it if it is an administrative act. */
  const handle = (call: Call, meta: Meta, body: Uint8Array): Promise<unknown> => {
    if (!isAct(action, meta.format ?? 'json')) return handler(call)
    // Each try under a key is the same act.
    const _id = meta.idempotency_key
      ? derivedId('act', subject, idSource(meta.idempotency_key, subject, action, meta, body)())
      : (meta.actor?.act_id ?? randomId())
    const act = actOf(_id, subject, action, meta, call.body)
    if (!act || !trail) return handler(call)
    const done = (answer: unknown) => doneAct(act, action, subject, answer)
    return trail.recording(act, meta.budget ?? MAX_WAIT_MS, () => handler(call), done)
  }

  const newIdOf = (meta: Meta, body: Uint8Array): (() => string) => {
    if (meta.idempotency_key) return idSource(meta.idempotency_key, subject, action, meta, body)
    return meta.request_id ? idsOfRequest(meta.request_id) : randomId
  }

  const run = async (meta: Meta, body: Uint8Array): Promise<Reply> => {
    const missing = names.find((each) => meta.params?.[each] === undefined)
    if (missing !== undefined) throw new Fault('malformed', `The request has no ${missing}`)
    if (action.upload && !action.upload.types.includes(mediaTypeIn(meta.content_type))) throw new Fault('unsupported')
    const read: ReadResult = readItems
      ? { value: await readItems(body) }
      : ((await readBody?.(body)) ?? { value: undefined })
    if (read.errors && !(action.checks && read.given)) throw invalid(read.errors)
    const asked = readQuery ? accepted(readQuery(meta.query ?? {})) : {}
    const { query, isPastTheEnd } = withoutPage(action, asked as object)
    const call = {
      params: meta.params ?? {},
      query,
      body: read.errors ? read.given : read.value,
      accept: (errors?: FieldErrors, further?: () => Promise<FieldErrors>) => accepting(read, errors, further),
      upload: action.upload && { bytes: body, content_type: meta.content_type ?? '' },
      format: meta.format ?? 'json',
      caller: meta.caller,
      idempotency_key: meta.idempotency_key,
      request_id: meta.request_id,
      traceparent: meta.traceparent,
      newId: newIdOf(meta, body),
    } as unknown as Call
    const answered = await handle(call, meta, body)
    const answer = isPastTheEnd && !isDownload(answered) ? [] : answered
    if (isDownload(answer)) {
      const { bytes, ...file } = answer
      const isKnown = file.etag !== undefined && meta.if_none_match?.includes(file.etag)
      return isKnown ? { body: EMPTY, status: 304, file } : { body: bytes, file }
    }
    if (action.status === 302 && isRedirect(answer)) return { body: EMPTY, file: { location: answer.location } }
    const wanted = write && (!isQuiet(action) || meta.represent)
    const failed = action.batch === true && (answer as object[]).some(isRejected)
    return {
      body: wanted ? await write(typeof answer === 'function' ? await answer() : answer, meta.coded) : Buffer.alloc(0),
      ...(failed && { status: 422 }),
      ...(call.replayed && { replayed: true }),
    }
  }

  const runInTurn = (meta: Meta, body: Uint8Array): Promise<Reply> => {
    if (action.body && body.length > LARGE) {
      const owner = meta.caller?.account_id ?? ownerOfKey(action, meta)
      return largeBodies.run(owner, body.length, waitOf(meta), () => run(meta, body))
    }
    // A batch of hundreds may have a short body; it is long work all the same.
    if (!action.batch) timeSlicer.noteRequest()
    return run(meta, body)
  }

  const isIdempotent = action.route?.startsWith('POST ') && !action.ownRetries
  if (!isIdempotent) return runInTurn
  if (!retries) throw new Error(`${subject} needs a store for its answers`)
  return (meta: Meta, body: Uint8Array): Promise<Reply> =>
    meta.idempotency_key
      ? retries.once(subject, ownerOfKey(action, meta), meta, body, () => runInTurn(meta, body))
      : runInTurn(meta, body)
}

function replyWriterOf(schema: TSchema): (answer: unknown, coded?: boolean) => Buffer {
  const write = writerOf(schema)
  return (answer) => (answer instanceof StoredList ? bsonWriterOf(schema)(answer) : Buffer.from(write(answer)))
}

/** Writes the answer to a batch; a long one in time slices. */
function batchWriterOf(schema: TSchema): (answer: unknown, coded?: boolean) => Buffer | Promise<Buffer> {
  const write = batchItemsWriterOf(schema)
  return async (answer, coded) => {
    const items = answer as object[]
    if (items.length <= FEW) return Buffer.from(write(items, coded))
    // Each text is `[…]`, without its brackets.
    const texts = await timeSlicer.map(items, (item) => write([item], coded).slice(1, -1))
    return Buffer.from(`[${texts.join(',')}]`)
  }
}

function accepted({ value, errors }: ReadResult): unknown {
  if (errors) throw invalid(errors)
  return value
}

/** The value that was read; throws the errors of schema and handler. */
async function accepting(
  { value, errors }: ReadResult,
  found: FieldErrors = {},
  further?: () => Promise<FieldErrors>,
): Promise<unknown> {
  if (!errors && Object.keys(found).length === 0) return value
  throw invalid({ ...(await further?.()), ...found, ...errors })
}

/** What makes the readers of an action: one without a route is asked by other services alone. */
function makerOf({ route }: Action): typeof readerOf {
  return route ? readerOf : internalReaderOf
}

function bodyReader(
  action: Action,
  resource: Resource,
): ((body: Uint8Array) => ReadResult | Promise<ReadResult>) | undefined {
  if (!action.body) return undefined
  const schema = action.body as TSchema & SchemaNode
  const roots = rootsOf(action, resource)
  const read = makerOf(action)(schema)
  const readWhole = (body: Uint8Array): ReadResult => read(unwrap(parseJson(body), roots, schema))
  return (body) => (body.length > LARGE ? timeSlicer.run(() => readWhole(body)) : readWhole(body))
}

/** Reads each item of a batch, or its errors; a large batch in time slices. */
function batchReader(action: Action, resource: Resource): (body: Uint8Array) => Promise<unknown[]> {
  const schema = action.body as TSchema & SchemaNode
  const roots = rootsOf(action, resource)
  const read = makerOf(action)(schema.items as TSchema)
  const limits = { bytes: MAX_ITEM, values: maxValues(schema.items as SchemaNode) }
  const readItem = (item: unknown): unknown => {
    const { value, errors, given } = read(unwrap(item, [resource.one], schema.items as SchemaNode))
    return errors ? ({ errors, ...(action.checks && given && { given }) } satisfies Rejected) : value
  }
  return async (body) => {
    if (body.length > LARGE)
      return timeSlicer.map(counted(itemsOf(body, roots, limits)), (item) => readItem(parseItem(item)))
    const items = unwrap(parseJson(body), roots, schema)
    if (!Array.isArray(items)) throw notAList()
    return Array.from(counted(items), readItem)
  }
}

/** Yields the items; throws 413 beyond `MAX_BATCH`. */
function* counted<T>(items: Iterable<T>): Generator<T> {
  let count = 0
  for (const item of items) {
    if (++count > MAX_BATCH) throw tooManyItems()
    yield item
  }
}

/** The keys under which a body may be wrapped. */
function rootsOf({ root }: Action, { one, many }: Resource): string[] {
  return [...(root ? [root] : []), one, many]
}

/** The media type of a file, without parameters. */
function mediaTypeIn(content_type = ''): string {
  return content_type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** How long a request may wait for its turn, in ms: half of its caller's budget, or its answer would come too late. */
function waitOf({ budget = MAX_WAIT_MS }: Meta): number {
  return budget / 2
}

function randomId(): string {
  return new ObjectId().toHexString()
}
