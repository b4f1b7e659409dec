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
import type { Fence } from './cells/fence.ts'
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
  /** Refuses the requests of accounts that are moving to another cell, or have moved. */
  fence?: Fence
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
    const responder = new Responder(resource, name, action, handler, options)
    const subject = subjectOf(resource, name)
    const again = action.recognisesRequests === true
    bus.serve(subject, resource.service, (meta, body) => responder.answer(meta, body), { again })
  }
}

/** Answers the requests of one action. */
class Responder {
  readonly #action: Action
  readonly #handler: AnyHandler
  readonly #options: ServeOptions
  readonly #subject: string
  /** The parameters of the path. */
  readonly #names: string[]
  readonly #readQuery: ReturnType<typeof queryReaderOf> | undefined
  readonly #readBody: ReturnType<typeof bodyReader>
  readonly #readItems: ReturnType<typeof batchReader> | undefined
  readonly #write: ReturnType<typeof replyWriterOf> | ReturnType<typeof batchWriterOf> | undefined

  constructor(resource: Resource, name: string, action: Action, handler: AnyHandler, options: ServeOptions) {
    this.#action = action
    this.#handler = handler
    this.#options = options
    this.#subject = subjectOf(resource, name)
    this.#names = Array.from((action.route ?? '').matchAll(/:(\w+)/g), ([, each = '']) => each)
    this.#readQuery = action.query && queryReaderOf(action.query, makerOf(action))
    this.#readBody = bodyReader(action, resource)
    this.#readItems = action.batch ? batchReader(action, resource) : undefined
    this.#write = action.reply && (action.batch ? batchWriterOf(action.reply) : replyWriterOf(action.reply))
    if (isAct(action, action.exports?.[0] ?? 'json') && !options.trail)
      throw new Error(`${this.#subject} needs a trail for its acts`)
    if (isIdempotent(action) && !options.retries) throw new Error(`${this.#subject} needs a store for its answers`)
  }

  /** Answers a request; one that repeats an `Idempotency-Key` gets the first answer. */
  async answer(meta: Meta, body: Uint8Array): Promise<Reply> {
    const { retries, fence } = this.#options
    fence?.check(meta)
    if (!retries || !meta.idempotency_key || !isIdempotent(this.#action)) return this.#runInTurn(meta, body)
    const owner = ownerOfKey(this.#action, meta)
    return retries.once(this.#subject, owner, meta, body, () => this.#runInTurn(meta, body))
  }

  #runInTurn(meta: Meta, body: Uint8Array): Promise<Reply> {
    if (this.#action.body && body.length > LARGE) {
      const owner = meta.caller?.account_id ?? ownerOfKey(this.#action, meta)
      return largeBodies.run(owner, body.length, waitOf(meta), () => this.#run(meta, body))
    }
    // A batch of hundreds may have a short body, and a part of a file has none; they are long work all the same.
    if (!this.#action.batch && !this.#action.parts) timeSlicer.noteRequest()
    return this.#run(meta, body)
  }

  async #run(meta: Meta, body: Uint8Array): Promise<Reply> {
    const { call, isPastTheEnd } = await this.#callOf(meta, body)
    this.#options.fence?.check(meta, call.body)
    const answered = await this.#handle(call, meta, body)
    return this.#replyTo(isPastTheEnd && !isDownload(answered) ? [] : answered, call, meta)
  }

  /** Reads and validates a request. */
  async #callOf(meta: Meta, body: Uint8Array): Promise<{ call: Call; isPastTheEnd: boolean }> {
    const action = this.#action
    const missing = this.#names.find((each) => meta.params?.[each] === undefined)
    if (missing !== undefined) throw new Fault('malformed', `The request has no ${missing}`)
    if (action.upload && !action.upload.types.includes(mediaTypeIn(meta.content_type))) throw new Fault('unsupported')
    const read: ReadResult = this.#readItems
      ? { value: await this.#readItems(body) }
      : ((await this.#readBody?.(body)) ?? { value: undefined })
    if (read.errors && !(action.checks && read.given)) throw invalid(read.errors)
    const asked = this.#readQuery ? accepted(this.#readQuery(meta.query ?? {})) : {}
    const { query, isPastTheEnd } = withoutPage(action, asked as object)
    const call = {
      params: meta.params ?? {},
      query,
      body: read.errors ? read.given : read.value,
      accept: (errors?: FieldErrors, further?: () => Promise<FieldErrors>) => accepting(read, errors, further),
      upload: action.upload && { bytes: body, content_type: meta.content_type ?? '' },
      part: action.parts && (meta.part ?? { file: randomId() }),
      format: meta.format ?? 'json',
      caller: meta.caller,
      actor: meta.actor?.name,
      idempotency_key: meta.idempotency_key,
      request_id: meta.request_id,
      traceparent: meta.traceparent,
      newId: this.#newIdOf(meta, body),
    } as unknown as Call
    return { call, isPastTheEnd }
  }

  #newIdOf(meta: Meta, body: Uint8Array): () => string {
    if (meta.idempotency_key) return idSource(meta.idempotency_key, this.#subject, this.#action, meta, body)
    return meta.request_id ? idsOfRequest(meta.request_id) : randomId
  }

  /** Has the handler do what a request asks, and records it if it is an administrative act. */
  #handle(call: Call, meta: Meta, body: Uint8Array): Promise<unknown> {
    const action = this.#action
    const { trail } = this.#options
    // The parts of a file after the first one belong to the same act.
    if (!isAct(action, meta.format ?? 'json') || meta.part?.after !== undefined) return this.#handler(call)
    // Each try under a key is the same act.
    const _id = meta.idempotency_key
      ? derivedId('act', this.#subject, idSource(meta.idempotency_key, this.#subject, action, meta, body)())
      : (meta.actor?.act_id ?? randomId())
    const act = actOf(_id, this.#subject, action, meta, call.body)
    if (!act || !trail) return this.#handler(call)
    const done = (answer: unknown) => doneAct(act, action, this.#subject, answer)
    return trail.recording(act, meta.budget ?? MAX_WAIT_MS, () => this.#handler(call), done)
  }

  async #replyTo(answer: unknown, call: Call, meta: Meta): Promise<Reply> {
    const action = this.#action
    if (isDownload(answer)) {
      const { bytes, ...file } = answer
      const isKnown = file.etag !== undefined && meta.if_none_match?.includes(file.etag)
      return isKnown ? { body: EMPTY, status: 304, file } : { body: bytes, file }
    }
    if (action.status === 302 && isRedirect(answer)) return { body: EMPTY, file: { location: answer.location } }
    const wanted = this.#write && (!isQuiet(action) || meta.represent)
    const failed = action.batch === true && (answer as object[]).some(isRejected)
    return {
      body: wanted
        ? await this.#write(typeof answer === 'function' ? await answer() : answer, meta.coded)
        : Buffer.alloc(0),
      ...(failed && { status: 422 }),
      ...(call.replayed && { replayed: true }),
    }
  }
}

/** Whether the first answer is kept for retries under an `Idempotency-Key`. */
function isIdempotent(action: Action): boolean {
  return action.route?.startsWith('POST ') === true && !action.ownRetries
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
