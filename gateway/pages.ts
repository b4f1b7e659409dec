import { faultStatuses, toFault } from '@gatehouse/proto/declaring/faults.ts'
import type { WebRequest, WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readText } from './bodies.ts'
import { BodyBudget, PAGE_BODIES } from './body-budget.ts'
import type { Limiter } from './limits.ts'
import { traceparentOf } from './request.ts'

/** Bytes of a body: forms and token requests are small. */
const BODY_LIMIT = 65_536

/** The page which people see while no process of the service answers; apps get the gateway's own answer. */
const AWAY = {
  status: faultStatuses.unavailable,
  headers: [
    { name: 'content-type', value: 'text/html; charset=utf-8' },
    { name: 'content-security-policy', value: "default-src 'none'; frame-ancestors 'none'" },
    { name: 'x-frame-options', value: 'DENY' },
    { name: 'cache-control', value: 'no-store' },
    { name: 'retry-after', value: '1' },
  ],
  body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Please try again</title>
<h1>We can not answer right now</h1><p>Please load this page again in a moment.</p></html>`,
}

interface Pages {
  limiter: Limiter
  /** The headers which the service gets. */
  headers: readonly string[]
  /** Asks the service. */
  handle(call: { body: WebRequest; traceparent: string | undefined }): Promise<WebResponse>
  /** Whether an answer says that the client has guessed a secret; by default 404. */
  isGuess?(answer: WebResponse, request: FastifyRequest): boolean
}

/** The handler of pages which a service answers. Guesses count against the client's address. */
export function pageHandler({ limiter, headers, handle, isGuess = ({ status }) => status === 404 }: Pages) {
  const budget = new BodyBudget(PAGE_BODIES)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // The original URL still has its suffix.
    const body = await webRequestOf(request, { url: request.originalUrl, headers, budget })
    const traceparent = traceparentOf(request.headers.traceparent)
    return limiter.guessing(request, () => answerWith(request, reply, ask()))

    async function ask(): Promise<WebResponse> {
      const answer = await handle({ body, traceparent })
      if (isGuess(answer, request)) limiter.guessed(request, reply)
      return answer
    }
  }
}

/** A request for pages as services get it, with those of its headers which are named. */
export async function webRequestOf(
  request: FastifyRequest,
  { url, headers, budget }: { url: string; headers: readonly string[]; budget: BodyBudget },
): Promise<WebRequest> {
  const address = networkOf(request.ip)
  const share = budget.share({ address, holder: address })
  const text = await readText(request, BODY_LIMIT, () => share).finally(() => share.release())
  return {
    method: request.method,
    url,
    headers: headersOf(request, headers),
    body: text === '' ? null : text,
    address: request.ip,
  }
}

/** Those headers of a request which are named, as services get them. */
export function headersOf(request: FastifyRequest, names: readonly string[]): WebRequest['headers'] {
  return names.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [{ name, value }] : []
  })
}

/** Sends the answer of a service. */
export async function answerWith(
  request: FastifyRequest,
  reply: FastifyReply,
  asking: Promise<WebResponse>,
): Promise<FastifyReply> {
  const answer = await asking.catch((error: unknown) => {
    const isPage = request.headers.accept?.includes('text/html') ?? false
    if (isPage && toFault(error).code === 'unavailable') return AWAY
    throw error
  })
  reply.code(answer.status)
  for (const { name, value } of answer.headers) reply.header(name, value ?? '')
  return reply.send(answer.body ?? '')
}
