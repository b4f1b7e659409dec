import { codesOf, Fault, notFound, toFault } from '@gatehouse/proto/declaring/faults.ts'
import { errorDocument } from '@gatehouse/proto/formats/xml.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { TooManyRequests } from '../admission/limits.ts'
import { isForPeople, refusalPage } from '../pages/refusals/refusals.ts'
import { drainSlowly } from './connections.ts'
import { formatOf, wantsProblems } from './request.ts'

// No `import`: it reads every member of a module of Node's own, and `WebSocket` loads all of fetch, which takes 15 MiB.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** The phrase of a status (RFC 9110, section 15): `Not Found`. */
export const reasonPhrase = (status: number): string | undefined => STATUS_CODES[status]

/** The Content-Type of answers. */
export const contentTypes = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  problem: 'application/problem+json; charset=utf-8',
} as const

/** Seconds after which a client may retry what is unavailable, unless the fault says otherwise. */
const RETRY_AFTER_SECONDS = 1

/**
 * Answers a request with the fault of an error, in the format of its path (JSON or XML), or by RFC 9457 if the client accepts problem+json.
 * All refusals of the API are written here.
 */
export function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown, log: Log): FastifyReply {
  return writeFault(request, reply, startRefusal(request, reply, error, log))
}

/** Answers a request for a page, as {@link refuse}; but people get a page if they may come again or if there is nothing. */
export function refusePage(request: FastifyRequest, reply: FastifyReply, error: unknown, log: Log): FastifyReply {
  const fault = startRefusal(request, reply, error, log)
  const why = reply.hasHeader('retry-after') ? 'later' : fault.code === 'not_found' && 'nothing'
  if (!why || !isForPeople(request)) return writeFault(request, reply, fault)
  const { headers, body } = refusalPage(why, request)
  return reply.headers(headers).send(body)
}

/** Status and headers of a refusal; returns the fault. */
function startRefusal(request: FastifyRequest, reply: FastifyReply, error: unknown, log: Log): Fault {
  const fault = faultOf(error, log)
  reply.code(fault.status)
  drainSlowly(request.raw)
  const retryAfter = fault.retryAfter ?? (fault.code === 'unavailable' ? RETRY_AFTER_SECONDS : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  if (fault instanceof TooManyRequests) reply.headers(fault.headers)
  return fault
}

function writeFault(request: FastifyRequest, reply: FastifyReply, fault: Fault): FastifyReply {
  if (wantsProblems(request)) {
    return reply.type(contentTypes.problem).send(JSON.stringify(problem(fault)))
  }
  if (formatOf(request.raw) === 'xml') {
    return reply.type(contentTypes.xml).send(errorDocument(fault.message, fault.errors))
  }
  const body = fault.errors ? { errors: fault.errors } : { error: fault.message }
  return reply.type(contentTypes.json).send(JSON.stringify(body))
}

/**
 * Returns a fault as RFC 9457 writes it. Its type is `about:blank`: it means what its status means. `code` says which refusal it is, `codes` that
 * errors the fields have (docs/interface.md 2.8).
 */
export function problem({ status, code, reason, message, errors }: Fault): object {
  return {
    type: 'about:blank',
    title: reasonPhrase(status),
    status,
    code: reason?.code ?? code,
    ...(reason?.values && { values: reason.values }),
    detail: message,
    ...(errors && { errors, codes: codesOf(errors) }),
  }
}

const fastifyFaults: Record<string, () => Fault> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Fault('unsupported'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Fault('malformed'),
  FST_ERR_CTP_EMPTY_TYPE: () => new Fault('unsupported'),
  FST_ERR_BAD_URL: () => new Fault('malformed', 'The path cannot be read'),
  // A parameter longer than any id.
  FST_ERR_MAX_PARAM_LENGTH: notFound,
}

/** Translates what was thrown: faults stay, Fastify's errors become one, anything else is logged and becomes `unavailable` (503). */
function faultOf(error: unknown, log: Log): Fault {
  if (error instanceof Fault) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  const known = code ? fastifyFaults[code] : undefined
  if (known) return known()
  if (statusCode && statusCode >= 400 && statusCode < 500) return new Fault('malformed', 'The request cannot be read')
  log.error({ err: error }, 'request failed')
  return toFault(error)
}
