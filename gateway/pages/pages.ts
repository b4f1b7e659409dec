import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { WebRequest, WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Limiter } from '../admission/limits.ts'
import { askCells } from '../admission/strangers.ts'
import { readBytes } from '../forwarding/bodies.ts'
import { BodyBudget, type BodyShare, PAGE_BODIES } from '../forwarding/body-budget.ts'
import { traceparentOf } from '../http/request.ts'
import type { GateOf, OverloadGate } from '../overload/overload.ts'
import type { invitationPages, partnerPages, registrationPages, walletPages } from '../permissions.ts'

/** Bytes of a body: forms and token requests are small. */
const BODY_LIMIT = 65_536

/** What the routes of pages are made of. */
export interface PageDependencies {
  limiter: Limiter
  gateOf: GateOf
}

interface Pages {
  limiter: Limiter
  gate: OverloadGate
  /** The headers that the service gets. */
  headers: readonly string[]
  /** Asks the service. */
  handle(call: { body: WebRequest; traceparent: string | undefined }): Promise<WebResponse>
  /** Sends the answer; by default as text. */
  send?(reply: FastifyReply, answer: WebResponse): FastifyReply
  /** Whether an answer or a refusal says that the client has guessed a secret; by default 404. */
  isGuess?(answer: Pick<WebResponse, 'status'>, request: FastifyRequest): boolean
}

/** Asks the pages of the cell that has them. Where nobody has them, they say so. */
export function pagesOf(
  bus: Bus,
  resource: typeof invitationPages | typeof partnerPages | typeof registrationPages | typeof walletPages,
): Pages['handle'] {
  return (call) => askCells(bus, (cell) => clientOf(cell, resource).handle(call), isNowhere)
}

/** Whether a cell answers that it has no such page, or knows no such secret. */
export function isNowhere({ status }: Pick<WebResponse, 'status'>): boolean {
  return status === 404 || status === 401
}

/** The handler of pages that a service answers. Guesses count against the client's address. */
export function pageHandler(pages: Pages) {
  const { limiter, gate, headers, handle, send = answerWith, isGuess = ({ status }) => status === 404 } = pages
  const budget = new BodyBudget(PAGE_BODIES)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // The original URL still has its suffix.
    return budget.sharing(request, async (share) => {
      const body = await webRequestOf(request, { url: request.originalUrl, headers, share })
      return limiter.guessing(request, () => gate.admit(request, async () => send(reply, await ask(body))))
    })

    async function ask(body: WebRequest): Promise<WebResponse> {
      const traceparent = traceparentOf(request.headers.traceparent)
      const answer = await handle({ body, traceparent }).catch((error: unknown) => {
        if (error instanceof Fault) return error
        throw error
      })
      if (isGuess(answer, request)) limiter.guessed(request, reply)
      if (answer instanceof Fault) throw answer
      return answer
    }
  }
}

/** A request for pages as services get it, with those of its headers that are named. */
export async function webRequestOf(
  request: FastifyRequest,
  { url, headers, share }: { url: string; headers: readonly string[]; share: BodyShare },
): Promise<WebRequest> {
  const bytes = await readBytes(request, BODY_LIMIT, () => share)
  return {
    method: request.method,
    url,
    headers: headersOf(request, headers),
    body: bytes.toString() || null,
    address: request.ip,
  }
}

/** Those headers of a request that are named, as services get them. */
export function headersOf(request: FastifyRequest, names: readonly string[]): WebRequest['headers'] {
  return names.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [{ name, value }] : []
  })
}

/** Sends the answer of a service. */
export function answerWith(
  reply: FastifyReply,
  { status, headers, body = null }: Omit<WebResponse, 'body'> & { body?: WebResponse['body'] },
  bytes?: Buffer,
): FastifyReply {
  reply.code(status)
  for (const { name, value } of headers) reply.header(name, value ?? '')
  return reply.send(bytes ?? body ?? '')
}
