import { type Fault, toFault } from '@gatehouse/proto/declaring/faults.ts'
import { errorDocument } from '@gatehouse/proto/formats/xml.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { contentTypes, formatOf } from './formats.ts'
import { TooMany } from './limits.ts'
import { drainSlowly } from './unread-bodies.ts'

// Not imported: of a module of node's own `import` reads every member, and with `WebSocket` the whole of fetch, which takes 15 MiB.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** The phrase of a status (RFC 9110, section 15): `Not Found`. */
export const reasonPhrase = (status: number): string | undefined => STATUS_CODES[status]

/** Seconds after which a client may try again what could not be answered now, unless the refusal says another time. */
const RETRY_AFTER_SECONDS = 1

/** Writes a refusal in the request's format: JSON, XML, or RFC 9457 where the client accepts problem+json. The one place that does. */
export function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const fault = toFault(error)
  reply.code(fault.status)
  drainSlowly(request.raw)
  const retryAfter = fault.retryAfter ?? (fault.code === 'unavailable' ? RETRY_AFTER_SECONDS : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  if (fault instanceof TooMany) reply.headers(fault.headers)
  if (request.headers.accept?.includes('application/problem+json')) {
    return reply.type(contentTypes.problem).send(JSON.stringify(problem(fault)))
  }
  if (formatOf(request.raw) === 'xml') {
    return reply.type(contentTypes.xml).send(errorDocument(fault.message, fault.errors))
  }
  const body = fault.errors ? { errors: fault.errors } : { error: fault.message }
  return reply.type(contentTypes.json).send(JSON.stringify(body))
}

/** A refusal as RFC 9457 writes it. The type is the status's own meaning, so `about:blank`. */
export function problem({ status, message, errors }: Fault): object {
  return {
    type: 'about:blank',
    title: reasonPhrase(status),
    status,
    detail: message,
    ...(errors && { errors }),
  }
}
