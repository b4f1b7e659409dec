import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Counts } from '@gatehouse/proto/concurrency/counts.ts'
import { faultStatuses } from '@gatehouse/proto/declaring/faults.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import { contentTypes, reasonPhrase } from './answers.ts'

/** Connections open at once. */
export interface ConnectionLimits {
  total: number
  /** Of one address; Infinity behind a proxy, from which all connections come. */
  perAddress: number
}

/** Connections which an address may have even beyond the total: probes and new clients get through a crowd. */
const ALWAYS = 8

/** Requests of one connection which may wait for their answers. Browsers and proxies send the next one after the answer; HTTP lets others not wait. */
export const MAX_PIPELINED = 32

/** Headers of an answer by their names. */
type Headers = Record<string, string>

/** What Node says about bytes which are no request, and the packet at whose end they are. */
interface Unreadable {
  code?: string
  rawPacket?: unknown
}

const HEADERS_TOO_LARGE = 'HPE_HEADER_OVERFLOW'
/** Methods whose answers may have a body. */
const METHODS_WITH_BODY = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Refusals of what never becomes a request, and so has no fault: status and sentence by Node's error code. */
const unreadable: Record<string, [status: number, sentence: string]> = {
  [HEADERS_TOO_LARGE]: [431, 'The headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [faultStatuses.too_large, 'The chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not complete in time'],
}

/** How long a refused connection stays open, in ms: a client which still sends when it closes never sees the answer. */
const LINGER_MS = 1_000

type Listener = (socket: Socket) => void

/** Limits the connections of a server, in total and by address. Nothing is read from a refused one. */
export function limitConnections(server: Server, { total, perAddress }: ConnectionLimits, headers: Headers): void {
  const refusal = answerOf(faultStatuses.unavailable, 'Too many connections', { ...headers, 'retry-after': '1' })
  const accept = server.listeners('connection') as Listener[]
  const byAddress = new Counts()
  let open = 0
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '')
    const own = byAddress.add(address, 1)
    open++
    socket.once('close', () => {
      open--
      byAddress.add(address, -1)
    })
    if (own > perAddress || open > 2 * total || (open > total && own > ALWAYS)) {
      endWith(socket, refusal)
      return
    }
    for (const listener of accept) listener.call(server, socket)
  })
}

/**
 * Closes connections whose clients send many requests without waiting for answers: thousands fit into one packet, and each would be at work at
 * once. Answers come in order, so one which is never complete would keep all behind it.
 */
export function limitPipelining(server: Server): void {
  const handle = server.listeners('request') as RequestListener[]
  const waiting = new WeakMap<Socket, number>()
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    // The rest of a packet still comes when its connection is closed.
    if (socket.destroyed) return
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    if (count > MAX_PIPELINED) {
      socket.destroy()
      return
    }
    response.once('finish', () => waiting.set(socket, (waiting.get(socket) ?? 0) - 1))
    for (const listener of handle) listener.call(server, request, response)
  })
}

/** The listener for `clientError` of a server: answers what Node cannot read as a request, and closes the connection. */
export function refuseUnreadable(headers: Headers): (error: Unreadable, socket: Socket) => void {
  return ({ code = '', rawPacket }, socket) => {
    // What follows a refusal is discarded.
    if (socket.writableEnded) return
    if (!socket.writable || hasBegunToAnswer(socket)) {
      socket.destroy()
      return
    }
    const [status, sentence] = unreadable[code] ?? [faultStatuses.malformed, 'The request is not valid HTTP']
    endWith(socket, answerOf(status, mayBeHead(code, rawPacket) ? undefined : sentence, headers))
  }
}

/**
 * Whether an answer may have no body (RFC 9110, section 9.3.2), since its request is a HEAD request. Large headers come in several packets, of which
 * only the first one names the method.
 */
function mayBeHead(code: string, rawPacket: unknown): boolean {
  const [method = ''] = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 8).split(' ', 1) : []
  return method === 'HEAD' || (code === HEADERS_TOO_LARGE && !METHODS_WITH_BODY.has(method))
}

/** Whether an answer to an earlier request has begun: a second one would end up inside it. Node itself looks there too. */
function hasBegunToAnswer(socket: Socket): boolean {
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null }
  return answer?.headersSent ?? false
}

/** An answer as text, without a body if there is no error: without a request there is no framework to write it. */
function answerOf(status: number, error: string | undefined, headers: Headers): string {
  const body = error === undefined ? '' : JSON.stringify({ error })
  const all = {
    ...headers,
    connection: 'close',
    ...(body && { 'content-type': contentTypes.json, 'content-length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${reasonPhrase(status)}\r\n${lines.join('')}\r\n${body}`
}

function endWith(socket: Socket, answer: string): void {
  socket.on('error', () => {}).resume()
  socket.end(answer)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
