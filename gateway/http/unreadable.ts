import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { faultStatuses } from '@gatehouse/proto/declaring/faults.ts'
import { contentTypes, reasonPhrase } from './answers.ts'
import { endConnection } from './connections.ts'

/** Headers of an answer by their names. */
type Headers = Record<string, string>

/** What Node says about bytes that are no request, and the packet at whose end they are. */
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

/** Bytes that a client may still send after its refusal; the rest waits until the connection is closed. */
const MAX_AFTERWARDS = 256 * 1024

/** The listener for `clientError` of a server: answers what Node cannot read as a request, and closes the connection. */
export function refuseUnreadable(headers: Headers): (error: Unreadable, socket: Socket) => void {
  return ({ code = '', rawPacket }, socket) => {
    // What follows a refusal is discarded.
    if (socket.writableEnded) {
      if (socket.bytesRead > MAX_AFTERWARDS) socket.pause()
      return
    }
    if (!socket.writable || hasBegunToAnswer(socket)) {
      socket.destroy()
      return
    }
    const [status, sentence] = unreadable[code] ?? [faultStatuses.malformed, 'The request is not valid HTTP']
    endConnection(socket, answerOf(status, mayBeHead(code, rawPacket) ? undefined : sentence, headers))
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
