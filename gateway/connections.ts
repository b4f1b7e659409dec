import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '@gatehouse/proto/network.ts'

/** Connections open at once. */
export interface ConnectionLimits {
  total: number
  /** Of one address; Infinity behind a proxy, from which all of them come. */
  perAddress: number
}

/** Connections that an address may have whatever others hold: probes and newcomers get through a crowd. */
const ALWAYS = 8

/** How long a refused connection stays, in ms: what closes while a client sends never shows it the answer. */
const LINGER_MS = 1_000

const REFUSAL =
  'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n' +
  'Content-Length: 32\r\n\r\n{"error":"Too many connections"}'

type Listener = (socket: Socket) => void

/** Bounds the connections of a server: in total, and by the address that they come from. What is refused is never read. */
export function limitConnections(server: Server, { total, perAddress }: ConnectionLimits): void {
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
      socket.on('error', () => {}).resume()
      socket.end(REFUSAL)
      setTimeout(() => socket.destroy(), LINGER_MS).unref()
      return
    }
    for (const listener of accept) listener.call(server, socket)
  })
}
