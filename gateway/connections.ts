import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { faultStatuses } from '@gatehouse/proto/declaring/faults.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import { reasonPhrase } from './answers.ts'
import { contentTypes } from './formats.ts'

/** Connections open at once. */
export interface ConnectionLimits {
  total: number
  /** Of one address; Infinity behind a proxy, from which all of them come. */
  perAddress: number
}

/** Connections that an address may have whatever others hold: probes and newcomers get through a crowd. */
const ALWAYS = 8

/** Headers of an answer, by their names. */
type Headers = Record<string, string>

/** What is refused before it is a request, so that no fault stands for it: by Node's code, its status and a sentence. */
const unreadable: Record<string, [status: number, sentence: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [faultStatuses.too_large, 'The chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not complete in time'],
}

/** How long a refused connection stays, in ms: what closes while a client sends never shows it the answer. */
const LINGER_MS = 1_000

type Listener = (socket: Socket) => void

/** Bounds the connections of a server: in total, and by the address that they come from. What is refused is never read. */
export function limitConnections(server: Server, { total, perAddress }: ConnectionLimits, headers: Headers): void {
  const refusal = answerOf(faultStatuses.unavailable, 'Too many connections', { ...headers, 'retry-after': '1' })
  const accept = server.listeners('connection') as Listener[]
  const byAddress = new Map<string, number>()
  let open = 0
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '')
    const own = (byAddress.get(address) ?? 0) + 1
    byAddress.set(address, own)
    open++
    socket.once('close', () => {
      open--
      const left = (byAddress.get(address) ?? 1) - 1
      if (left > 0) byAddress.set(address, left)
      else byAddress.delete(address)
    })
    if (own > perAddress || open > 2 * total || (open > total && own > ALWAYS)) {
      endWith(socket, refusal)
      return
    }
    for (const listener of accept) listener.call(server, socket)
  })
}

/** Answers what Node can not read as a request, and closes its connection: for `clientError` of a server. */
export function refuseUnreadable(headers: Headers): (error: { code?: string }, socket: Socket) => void {
  return ({ code = '' }, socket) => {
    // What follows an answer is read and forgotten.
    if (socket.writableEnded) return
    if (!socket.writable || hasBegunToAnswer(socket)) {
      socket.destroy()
      return
    }
    endWith(
      socket,
      answerOf(...(unreadable[code] ?? [faultStatuses.malformed, 'The request is not valid HTTP']), headers),
    )
  }
}

/** Whether an answer to an earlier request is on its way: Node looks there too, since a second one in its midst would belie it. */
function hasBegunToAnswer(socket: Socket): boolean {
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null }
  return answer?.headersSent ?? false
}

/** An answer where there is no request, and so no framework to write it. */
function answerOf(status: number, error: string, headers: Headers): string {
  const body = JSON.stringify({ error })
  const all = {
    ...headers,
    connection: 'close',
    'content-type': contentTypes.json,
    'content-length': String(Buffer.byteLength(body)),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${reasonPhrase(status)}\r\n${lines.join('')}\r\n${body}`
}

function endWith(socket: Socket, answer: string): void {
  socket.on('error', () => {}).resume()
  socket.end(answer)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
