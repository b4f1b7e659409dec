import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { isAct } from '@gatehouse/proto/audit/acts.ts'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { FileHead, Meta, Reply } from '@gatehouse/proto/bus/messages.ts'
import { newRequestId } from '@gatehouse/proto/bus/request-ids.ts'
import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import { kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import {
  type Action,
  deadlineOf,
  isQuiet,
  type Part,
  type Resource,
  statusOf,
  subjectOf,
} from '@gatehouse/proto/declaring/resource.ts'
import { itemsOf } from '@gatehouse/proto/formats/json-items.ts'
import { xmlListWriterOf, xmlWriterOf } from '@gatehouse/proto/formats/xml.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Admission, type Admitted, CALLER } from '../admission/admission.ts'
import { contentTypes } from '../http/answers.ts'
import { accepts, formatOf, mediaTypeOf, secretOf, takesBearer, traceparentOf, wantsProblems } from '../http/request.ts'
import type { OverloadGate } from '../overload/overload.ts'
import { bodyReaderOf } from './bodies.ts'
import type { BodyBudget, BodySender, BodyShare } from './body-budget.ts'
import { streamOf } from './parts.ts'
import type { ScanTimes, TimedScan } from './scan-times.ts'

/** Answers a request, or rejects with a fault. */
export type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Bytes of an answer up to which a copy is cheaper than a second write. */
const SMALL = 4096
/** Bytes of a body up to which a request is sent to another process after a second. What is longer may well take that long. */
const REPEATED = 64 * 1024
/** Bytes of JSON beyond which a list is converted to XML in slices. */
const LARGE = 64 * 1024

/** What forwarding needs besides the bus. */
export interface Forwarding {
  budget: BodyBudget
  gate: OverloadGate
  admission: Admission
  scanTimes: ScanTimes
}

/** The handler of an action: forwards a request over the bus and sends the answer in the format of the path. */
export function forwarder(
  bus: Bus,
  resource: Resource,
  name: string,
  action: Action,
  { budget, gate, admission, scanTimes }: Forwarding,
): RouteHandler {
  const subject = subjectOf(resource, name)
  const isRead = action.route?.startsWith('GET ') ?? false
  const readBody = bodyReaderOf(action)
  const deadlineMs = deadlineOf(action, bus.deadlineMs)
  const status = statusOf(action)
  const quiet = isQuiet(action)
  const { recognisesRequests = false } = action
  const toXml =
    action.reply && xmlConverterOf(action.reply as SchemaNode, action.replyName ?? resource.one, resource.many)

  return async (request: Admitted, reply) => {
    const meta = metaOf(request, action, quiet && wantsObject(request, admission), deadlineMs)
    if (meta.caller && isAct(action, formatOf(request.raw)))
      meta.actor = { act_id: randomBytes(12).toString('hex'), name: admission.nameOf(meta.caller), address: request.ip }
    const admittedMs = reply.elapsedTime
    let share: BodyShare | undefined
    try {
      const body = await readBody?.(request, () => {
        share = budget.share(senderOf(request, action))
        return share
      })
      if (action.parts) return await answerInParts(request, reply, meta)
      const isTimed = action.atPoint && !admission.isForeign(request[CALLER])
      const scan = isTimed && body && scanTimes.begin(resource, action, request, body, admittedMs)
      return await gate.admit(request, () => answer(request, reply, meta, body, scan))
    } finally {
      share?.release()
    }
  }

  /** What is sent is not in work: the gate counts the making of each part, however long the client takes for it. */
  async function answerInParts(request: FastifyRequest, reply: FastifyReply, meta: Meta): Promise<FastifyReply> {
    const ask = (part: Part) =>
      gate.admit(request, () => admission.atHome(request, deadlineMs, (home) => home.call(subject, { ...meta, part })))
    const file = randomBytes(12).toString('hex')
    const first = await ask({ file })
    const head = first.file ?? {}
    const { content_type = action.produces?.[formatOf(request.raw)] ?? 'application/octet-stream', filename } = head
    reply.headers(FILE_HEADERS).header('cache-control', cachingOf()).headers(savedAs(filename)).type(content_type)
    return head.next ? reply.send(streamOf(first, file, ask)) : reply.send(bytesOf(first))
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    meta: Meta,
    body: Buffer | undefined,
    scan: TimedScan | false | undefined,
  ): Promise<FastifyReply> {
    if (recognisesRequests && (body?.length ?? 0) <= REPEATED) meta.request_id = newRequestId()
    const asked = admission.atHome(request, deadlineMs, (home, budget) =>
      home.call(subject, { ...meta, budget }, body, isRead),
    )
    const answer = await (scan ? scan.answered(reply, asked) : asked)
    if (answer.file)
      return await sendFile(request, reply, answer, answer.file, action.produces?.[formatOf(request.raw)])
    if (answer.replayed) reply.header('idempotent-replayed', 'true')
    const isShown = !quiet || meta.represent === true
    reply.code(answer.status ?? (isShown && status === 204 ? 200 : status))
    if (!isShown || answer.body.length === 0) return reply.send()
    const json = bytesOf(answer)
    if (formatOf(request.raw) !== 'json') return reply.type(contentTypes.xml).send(await toXml?.(json))
    // Node writes a string together with the head, but bytes by themselves, which costs more for a small answer.
    return reply.type(contentTypes.json).send(json.length > SMALL ? json : json.toString())
  }
}

/** Whether the answer to a change is to hold the object: as the request says (RFC 7240), else as the caller's account does. */
function wantsObject(request: Admitted, admission: Admission): boolean {
  const caller = request[CALLER]
  const [, , preferred] = /(^|[ ,;])return=(representation|minimal)/.exec(String(request.headers.prefer ?? '')) ?? []
  return preferred === undefined
    ? caller !== undefined && admission.answersUpdates(caller)
    : preferred === 'representation'
}

/** The metadata that travels with a request over the bus. Throws `invalid` (422) for an `Idempotency-Key` of a wrong length. */
function metaOf(request: Admitted, action: Action, represent: boolean, budget: number): Meta {
  const { auth_token: _, ...query } = request.query as Record<string, unknown>
  const key = request.headers['idempotency-key']
  if (key !== undefined && (typeof key !== 'string' || key === '' || key.length > 255)) {
    throw invalid({ idempotency_key: [key === '' ? messageOf('blank') : messageOf('too_long', { limit: 255 })] })
  }
  const { secret } = action
  return {
    params: {
      ...(request.params as Record<string, string>),
      // The handler finds it where it is in the main path.
      ...(secret && takesBearer(action) && { [secret]: secretOf(request, action) }),
    },
    query,
    ...(key && { idempotency_key: key }),
    ...(represent && { represent }),
    ...(action.batch && wantsProblems(request) && { coded: true }),
    ...(action.produces && { format: formatOf(request.raw) }),
    ...(action.upload && { content_type: mediaTypeOf(request) }),
    ...(action.produces && request.headers['if-none-match'] && { if_none_match: request.headers['if-none-match'] }),
    budget,
    traceparent: traceparentOf(request.headers.traceparent),
    ...(request[CALLER] && { caller: request[CALLER] }),
  }
}

/** Identifies the client charged for the memory of a request body. */
function senderOf(request: Admitted, action: Action): BodySender {
  const caller = request[CALLER]
  return {
    address: networkOf(request.ip),
    account: caller?.account_id,
    holder: caller?.token_id ?? secretOf(request, action),
  }
}

/** Makes XML of an answer's JSON by its schema, of a long list in slices. `one` names the root of an object, `many` that of a list. */
function xmlConverterOf(schema: SchemaNode, one: string, many: string): (json: Buffer) => string | Promise<string> {
  const write = xmlWriterOf(schema, one, many)
  const list = kindOf(schema) === 'array' ? xmlListWriterOf(schema, many) : undefined
  return (json) => {
    if (json.length <= LARGE || !list) return write(JSON.parse(json.toString()))
    return timeSlicer.map(itemsOf(json, []), (item) => list.item(JSON.parse(item.toString()))).then(list.document)
  }
}

/** Keeps files of clients from acting on this site's behalf, whatever their media type says. */
const FILE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

/** Previews of e-mails are shown in a frame of the console: with their own styles and pictures of this site, and nothing else. */
const PREVIEW_HEADERS = {
  ...FILE_HEADERS,
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'self'; sandbox",
  'referrer-policy': 'no-referrer',
}

function cachingOf(max_age = 0, isPublic = false): string {
  if (max_age === 0) return 'no-store'
  return isPublic ? `public, max-age=${max_age}, immutable` : `private, max-age=${max_age}`
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Reply,
  head: FileHead,
  declared: string | undefined,
): Promise<FastifyReply> {
  const { content_type = declared ?? 'application/octet-stream', filename, max_age, is_public, location, etag } = head
  if (location !== undefined) return reply.header('cache-control', 'no-store').redirect(location)
  const isPreview = declared?.startsWith('text/html') && content_type === declared
  reply.headers(isPreview ? PREVIEW_HEADERS : FILE_HEADERS).header('cache-control', cachingOf(max_age, is_public))
  if (etag !== undefined) reply.header('etag', etag)
  if (answer.status === 304) return reply.code(304).send()
  reply.headers(savedAs(filename)).type(content_type)
  if (!head.content_encoding) return reply.send(bytesOf(answer))
  reply.header('vary', 'accept-encoding')
  if (!accepts(request, 'gzip')) return reply.send(await promisify(gunzip)(bytesOf(answer)))
  return reply.header('content-encoding', head.content_encoding).send(bytesOf(answer))
}

/** RFC 6266, RFC 8187 */
function savedAs(filename: string | undefined): Record<string, string> {
  return filename === undefined
    ? {}
    : { 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename)}` }
}

function bytesOf({ body: { buffer, byteOffset, length } }: Reply): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}
