import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'

/*
 * Preloaded into the processes of a bench (`--import`): notes when bytes come from a socket or go to one, by a clock that all processes share, and
 * writes that to a file when the process ends.
 */

/** What a process notes of bytes at one of its sockets. */
export interface SocketEvent {
  /** Microseconds. */
  at: number
  way: 'in' | 'out'
  /** The port that the socket was connected to; its own, if it was accepted. 0 for one of the machine's own kind. */
  port: number
}

/** The file of a process. */
export interface ProbeFile {
  main: string
  pid: number
  events: SocketEvent[]
}

interface NetInternals {
  push(this: Socket, chunk: unknown): boolean
  _writeGeneric(this: Socket & { server?: unknown }, ...given: unknown[]): void
}

const events: SocketEvent[] = []
const note = (way: SocketEvent['way'], socket: Socket & { server?: unknown }): void => {
  const port = (socket.server ? socket.localPort : socket.remotePort) ?? 0
  events.push({ at: Number(process.hrtime.bigint()) / 1_000, way, port })
}

const sockets = Socket.prototype as unknown as NetInternals
const { push, _writeGeneric } = sockets
sockets.push = function (chunk) {
  if (chunk) note('in', this)
  return push.call(this, chunk)
}
sockets._writeGeneric = function (...given) {
  note('out', this)
  _writeGeneric.apply(this, given)
}
// Node's HTTP server reads from its sockets without their streams.
subscribe('http.server.request.start', (message) => note('in', (message as { socket: Socket }).socket))

process.once('exit', () => {
  const file: ProbeFile = { main: process.argv[1] ?? '', pid: process.pid, events }
  writeFileSync(join(process.env.HOPS ?? '', `${process.pid}.json`), JSON.stringify(file))
})
