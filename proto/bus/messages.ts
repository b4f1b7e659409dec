import { type MsgHdrs, headers as natsHeaders } from '@nats-io/transport-node'
import {
  AccountMoving,
  codesOf,
  errorsOf,
  Fault,
  type FaultCode,
  type FieldCodes,
  faultStatuses,
  unavailable,
} from '../declaring/faults.ts'
import { type Coded, Message } from '../declaring/messages.ts'
import {
  type Caller,
  type Download,
  type Part,
  type Redirect,
  type Role,
  roles,
  type Scope,
  scopes,
} from '../declaring/resource.ts'
import { isObject } from '../formats/json-reader.ts'
import { isRequestId } from './request-ids.ts'

/** The messages of the bus, by docs/protocol.md. This file does not use the connection. */

/** The first line of a request's message, as JSON; the body follows. */
export interface Meta {
  params?: Record<string, string>
  query?: Record<string, unknown>
  caller?: Caller
  idempotency_key?: string
  /** The same for each time the gateway sends the request, of an action that recognises repetitions (request-ids.ts). */
  request_id?: string
  /** Of an administrative act (proto/audit). */
  actor?: Actor
  /** The suffix of the path, for actions with other suffixes than json and xml. */
  format?: string
  /** The media type of a body that is a file. */
  content_type?: string
  /** The ETags of files that the client has (`If-None-Match`). */
  if_none_match?: string
  /** Which part of a file is asked for. */
  part?: Part
  /** A quiet action is to send its reply (`Prefer: return=representation`). */
  represent?: boolean
  /** The errors of a batch's items are to have their codes beside them. */
  coded?: boolean
  /** W3C Trace Context. */
  traceparent?: string
  tracestate?: string
  /** Milliseconds for which the caller waits for the reply. */
  budget?: number
  /** How many messages the body takes; absent for one. */
  parts?: number
}

/** What the audit log records of a client besides its token's id: the name of the token, and the address. */
export interface Actor {
  /** The id of the act, the same for each attempt of the caller. */
  act_id: string
  name: string
  address: string
}

/** A reply other than a fault. `status` is given only if it differs from the declared one. */
export interface Reply {
  body: Uint8Array
  status?: number
  replayed?: boolean
  /** Absent where the body is JSON. */
  file?: FileHead
}

/** The metadata of a file, or the location to redirect to. */
export type FileHead = Omit<Download, 'bytes'> & Partial<Redirect>

/** Ends the subject on which a request is offered to all processes that serve it, since one has not answered it. */
export const AGAIN = '.again'

/** A message on its way out. */
export interface Outgoing {
  subject: string
  payload: Uint8Array
  reply?: string
  headers?: Record<string, string>
}

const NEWLINE = 10
/** Bytes left for subject and headers in a message of the server's max_payload. */
const OVERHEAD = 4096
/**
 * Bytes of a reply's message, headers included: what Node reads from a socket at once. The client library assembles longer messages in growing
 * buffers, which took a gateway more time than everything else that it does for a long list.
 */
const ONE_READ = 65_536

/** A timer cannot wait longer, in ms. */
const LONGEST_BUDGET = 2 ** 31 - 1

const isText = (value: unknown): boolean => typeof value === 'string'
const isOptionalText = (value: unknown): boolean => value === undefined || isText(value)
const isOptionalFlag = (value: unknown): boolean => value === undefined || typeof value === 'boolean'

/** What a service relies on in the fields of a request's line. Other fields are ignored: a newer process may send them. */
const metaChecks: ReadonlyMap<string, (value: unknown) => boolean> = new Map<keyof Meta, (value: unknown) => boolean>([
  ['params', (value) => isObject(value) && Object.values(value).every(isText)],
  ['query', isObject],
  ['caller', isCaller],
  ['actor', (value) => isObject(value) && isText(value.name) && isText(value.address)],
  ['idempotency_key', isText],
  ['request_id', isRequestId],
  ['format', isText],
  ['content_type', isText],
  ['if_none_match', isText],
  ['part', isPart],
  ['represent', (value) => typeof value === 'boolean'],
  ['coded', (value) => typeof value === 'boolean'],
  ['traceparent', isText],
  ['tracestate', isText],
  ['budget', (value) => typeof value === 'number' && value > 0 && value <= LONGEST_BUDGET],
  ['parts', (value) => Number.isSafeInteger(value) && Number(value) > 0],
])

/** An empty body. */
export const EMPTY = new Uint8Array(0)

/** A request's first message and the further parts of its body. */
export interface RequestParts {
  payload: Uint8Array
  rest: Uint8Array[]
}

/** The first payload of a request, its line included, and the further parts of its body. */
export function writeRequest(meta: Meta, body: Uint8Array, maxPayload: number): RequestParts {
  const head = JSON.stringify(meta)
  const [first, rest] = split(body, maxPayload, Buffer.byteLength(head))
  const line = Buffer.from(`${rest.length > 0 ? `${head.slice(0, -1)},"parts":${rest.length + 1}}` : head}\n`)
  return { payload: first.length === 0 ? line : Buffer.concat([line, first]), rest }
}

/** A request whose whole body goes to whichever process asks for it first. */
export function writeOffer(meta: Meta, body: Uint8Array, maxPayload: number): RequestParts {
  const [first, others] = split(body, maxPayload)
  const rest = [first, ...others]
  return { payload: Buffer.from(`${JSON.stringify({ ...meta, parts: rest.length + 1 })}\n`), rest }
}

/** A request's line, and its body or the first part of it. Throws `malformed` when the line is not that of a request. */
export function readRequest(data: Uint8Array): { meta: Meta; body: Uint8Array } {
  const end = data.indexOf(NEWLINE)
  const line = end < 0 ? data : data.subarray(0, end)
  const meta = parse(line)
  if (!isObject(meta)) throw new Fault('malformed', 'The first line of a request must be a JSON object')
  const wrong = Object.keys(meta).find((name) => metaChecks.get(name)?.(meta[name]) === false)
  if (wrong !== undefined) throw new Fault('malformed', `The first line of a request has an invalid ${wrong}`)
  return { meta, body: end < 0 ? EMPTY : data.subarray(end + 1) }
}

/** The messages of a reply: one, or several for a body larger than Node reads from a socket at once. */
export function writeReply(subject: string, { body, status, replayed, file }: Reply, maxPayload: number): Outgoing[] {
  const headers: Record<string, string> = {}
  if (status) headers['Gatehouse-Status'] = String(status)
  if (replayed) headers['Idempotent-Replayed'] = 'true'
  // A header's value is ASCII without newlines.
  if (file) headers['Gatehouse-File'] = encodeURIComponent(JSON.stringify(file))
  const [first, rest] = split(body, Math.min(maxPayload, ONE_READ))
  if (rest.length === 0) return [{ subject, payload: first, ...((status || replayed || file) && { headers }) }]
  return [first, ...rest].map((payload, index) => ({
    subject,
    payload,
    headers: { ...headers, 'Gatehouse-Part': `${index + 1}/${rest.length + 1}` },
  }))
}

/** A fault as JSON. Earlier versions send neither `reason` nor `codes`. */
interface FaultBody {
  code: FaultCode
  message: string
  reason?: Coded
  errors?: Record<string, string[]>
  codes?: FieldCodes
  retry_after: number | undefined
  /** Of an account that is not at home ({@link AccountMoving}). */
  is_moving?: true
}

/** The message of a fault: the headers of NATS' ADR-32 and a JSON body. */
export function writeFault(subject: string, given: Fault): Outgoing {
  const { code, message, reason, errors, retryAfter, status } = given
  const fault: FaultBody = {
    code,
    message,
    ...(reason && { reason: { code: reason.code, ...(reason.values && { values: reason.values }) } }),
    ...(errors && { errors: errors as object as Record<string, string[]>, codes: codesOf(errors) }),
    retry_after: retryAfter,
    ...(given instanceof AccountMoving && { is_moving: true }),
  }
  return {
    subject,
    payload: Buffer.from(JSON.stringify(fault)),
    headers: { 'Nats-Service-Error-Code': String(status), 'Nats-Service-Error': code },
  }
}

/** The message that tells a caller where to send the rest of a request's body. */
export function writeContinue(subject: string, to: string): Outgoing {
  return { subject, payload: EMPTY, headers: { 'Gatehouse-Continue': to } }
}

/** A message to a caller's inbox. */
export type Incoming =
  | ({ kind: 'reply' } & Omit<Reply, 'body'>)
  | ({ kind: 'part'; index: number; count: number } & Omit<Reply, 'body'>)
  | { kind: 'continue'; to: string }
  | { kind: 'fault'; fault: Fault }

/** Reads the headers of a message to a caller's inbox, and the body of a fault. */
export function readIncoming(headers: MsgHdrs | undefined, data: Uint8Array): Incoming {
  if (!headers) return { kind: 'reply' }
  // NATS itself answers this for a subject without subscribers.
  if (headers.code === 503) return { kind: 'fault', fault: unavailable() }
  const to = headers.get('Gatehouse-Continue')
  if (to) return { kind: 'continue', to }
  if (headers.has('Nats-Service-Error-Code')) return { kind: 'fault', fault: readFault(data) }
  const status = Number(headers.get('Gatehouse-Status'))
  const said = {
    ...(status > 0 && { status }),
    ...(headers.get('Idempotent-Replayed') === 'true' && { replayed: true }),
    ...(headers.has('Gatehouse-File') && { file: readFileHead(headers.get('Gatehouse-File')) }),
  }
  const part = headers.get('Gatehouse-Part')
  if (!part) return { kind: 'reply', ...said }
  const [index = 0, count = 0] = part.split('/').map(Number)
  return { kind: 'part', index, count, ...said }
}

/** Whether JetStream's answer acknowledges a message: a PubAck names the stream, anything else is an error. */
export function isAcknowledged(data: Uint8Array): boolean {
  const answer = parse(data)
  return isObject(answer) && typeof answer.stream === 'string' && answer.error === undefined
}

function isCaller(value: unknown): boolean {
  if (!isObject(value)) return false
  const { account_id, token_id, scope, event_id, role, is_device } = value
  const isKnown = scopes.includes(scope as Scope) && (role === undefined || roles.includes(role as Role))
  return isText(account_id) && isText(token_id) && isKnown && isOptionalText(event_id) && isOptionalFlag(is_device)
}

function isPart(value: unknown): boolean {
  return isObject(value) && isText(value.file) && isOptionalText(value.after) && isOptionalFlag(value.is_given_up)
}

function readFileHead(text: string): FileHead {
  const head = parse(Buffer.from(decodeURIComponent(text)))
  return isObject(head) ? head : {}
}

function readFault(data: Uint8Array): Fault {
  const fault = parse(data)
  if (!isObject(fault) || !Object.hasOwn(faultStatuses, String(fault.code))) return unavailable()
  const { code, message, reason, errors, codes, retry_after, is_moving } = fault as object as FaultBody
  if (is_moving) return new AccountMoving()
  const said = reason ? new Message(message, reason) : message
  return new Fault(code, said, errors && errorsOf(errors, codes), retry_after)
}

function parse(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.length).toString())
  } catch {
    return undefined
  }
}

/** Splits a body into parts that fit into messages; `head` bytes precede the first one. */
function split(body: Uint8Array, maxPayload: number, head = 0): [Uint8Array, Uint8Array[]] {
  const size = maxPayload - OVERHEAD
  const firstSize = Math.max(0, size - head)
  if (body.length <= firstSize) return [body, []]
  const rest: Uint8Array[] = []
  for (let from = firstSize; from < body.length; from += size) rest.push(body.subarray(from, from + size))
  return [body.subarray(0, firstSize), rest]
}

/** Headers in the client library's form. */
export function toNatsHeaders(values: Record<string, string>): MsgHdrs {
  const headers = natsHeaders()
  for (const [name, value] of Object.entries(values)) headers.set(name, value)
  return headers
}
