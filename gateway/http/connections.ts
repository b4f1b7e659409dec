import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import { Lingering } from './lingering.ts'

/** Connections open at once, besides those of refused requests. */
export interface ConnectionLimits {
  total: number
  /** Of one address; Infinity behind a proxy, from which all connections come. */
  perAddress: number
}

/** Connections that an address may have even beyond the total: probes and new clients get through a crowd. */
const ALWAYS = 8

/** Requests of one connection that may wait for their answers. Browsers and proxies send the next one after the answer; HTTP lets others not wait. */
export const MAX_PIPELINED = 32

/** How long a client may go on sending a refused body, in ms: long enough to read why it was refused. */
const BODY_LINGER_MS = 3_000
/** How long a client may go on sending after what is no request, in ms: one that still sends when the connection closes never sees the answer. */
const LINGER_MS = 1_000

type Listener = (socket: Socket) => void

/** A connection as its limits see it. */
interface Connection {
  readonly socket: Socket
  readonly address: string
  readonly of: Connections
  /** Whose valid token it has carried. */
  holder: string | undefined
}

const CONNECTION = Symbol('connection')

/** What a server knows of one of its connections; a request made by `inject` has none. */
const connectionOf = (socket: Socket): Connection | undefined =>
  (socket as Socket & { [CONNECTION]?: Connection })[CONNECTION]

/** Connections in the order in which they came, in all and by key. */
class Queue {
  readonly all = new Set<Connection>()
  readonly #byKey = new Map<string, Set<Connection>>()

  get size(): number {
    return this.all.size
  }

  /** Adds a connection; returns all of its key. */
  add(key: string, connection: Connection): Set<Connection> {
    this.all.add(connection)
    return this.#byKey.getOrInsertComputed(key, () => new Set()).add(connection)
  }

  delete(key: string, connection: Connection): void {
    if (!this.all.delete(connection)) return
    const own = this.#byKey.get(key)
    own?.delete(connection)
    if (own?.size === 0) this.#byKey.delete(key)
  }
}

/**
 * The connections of a server. None is refused: beyond a limit the oldest of those that never carried a valid token is closed, so that whoever
 * fills an address with connections, or all, keeps no door out. Those that carried one have places of their own, as many for a token at an address
 * as the address has; beyond, the oldest counts as a stranger's again.
 */
class Connections {
  readonly #limits: ConnectionLimits
  readonly #strangers = new Queue()
  readonly #trusted = new Queue()
  /** Connections of refused requests, which take no other places. Those of strangers take none of those that carried a valid token. */
  readonly #lingering = { strangers: new Lingering(), trusted: new Lingering() }

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  get counts(): ConnectionCounts {
    const { strangers, trusted } = this.#lingering
    return { strangers: this.#strangers.size, trusted: this.#trusted.size, lingering: strangers.size + trusted.size }
  }

  add(socket: Socket): void {
    const connection = { socket, address: networkOf(socket.remoteAddress ?? ''), of: this, holder: undefined }
    Object.assign(socket, { [CONNECTION]: connection })
    socket.once('close', () => this.#remove(connection))
    this.#addStranger(connection)
  }

  trust(connection: Connection, holder: string): void {
    this.#strangers.delete(connection.address, connection)
    connection.holder = holder
    const own = this.#trusted.add(keyOf(connection), connection)
    const { total, perAddress } = this.#limits
    if (own.size > perAddress) this.distrust(oldestOf(own))
    else if (this.#trusted.size > total) this.distrust(oldestOf(this.#trusted.all))
  }

  distrust(connection: Connection): void {
    this.#trusted.delete(keyOf(connection), connection)
    connection.holder = undefined
    this.#addStranger(connection)
  }

  /** Keeps the connection of a refused request open for a while. */
  linger(connection: Connection, ms: number, body?: IncomingMessage): void {
    const { socket, address, holder } = connection
    this.#strangers.delete(address, connection)
    const lingering = holder === undefined ? this.#lingering.strangers : this.#lingering.trusted
    const onComplete = (): void => {
      if (connection.holder === undefined) this.#addStranger(connection)
    }
    lingering.add(socket, { body, until: performance.now() + ms, onComplete })
  }

  #addStranger(connection: Connection): void {
    const own = this.#strangers.add(connection.address, connection)
    const { total, perAddress } = this.#limits
    const open = this.#strangers.size + this.#trusted.size
    if (own.size > perAddress || (open > total && own.size > ALWAYS)) this.#close(oldestOf(own))
    else if (open > 2 * total) this.#close(oldestOf(this.#strangers.all))
  }

  #close(connection: Connection): void {
    this.#remove(connection)
    connection.socket.destroy()
  }

  #remove(connection: Connection): void {
    const { socket, address } = connection
    this.#strangers.delete(address, connection)
    this.#trusted.delete(keyOf(connection), connection)
    this.#lingering.strangers.delete(socket)
    this.#lingering.trusted.delete(socket)
  }
}

/** The first of connections in the order in which they came. */
function oldestOf(connections: ReadonlySet<Connection>): Connection {
  return connections.values().next().value as Connection
}

/** Connections of a server by what they count as. */
export interface ConnectionCounts {
  strangers: number
  trusted: number
  lingering: number
}

/** Whose places a trusted connection takes. */
function keyOf({ address, holder }: Connection): string {
  return `${address} ${holder}`
}

const limited = new WeakMap<Server, Connections>()

/** Limits the connections of a server. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const connections = new Connections(limits)
  limited.set(server, connections)
  const accept = server.listeners('connection') as Listener[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    for (const listener of accept) listener.call(server, socket)
  })
}

/** The connections of a server whose connections are limited. */
export function connectionsOf(server: Server): ConnectionCounts | undefined {
  return limited.get(server)?.counts
}

/** Notes that a connection has carried the valid token, or secret, of a holder. */
export function trustConnection({ socket }: IncomingMessage, holder: string): void {
  const connection = connectionOf(socket)
  if (connection && connection.holder === undefined && !socket.destroyed) connection.of.trust(connection, holder)
}

/** Notes that a connection has carried a token that is not valid, or no longer. */
export function distrustConnection({ socket }: IncomingMessage): void {
  const connection = connectionOf(socket)
  if (connection && connection.holder !== undefined && !socket.destroyed) connection.of.distrust(connection)
}

/** Keeps Node from reading the rest of a body at full speed only to discard it after the answer. Call it before the answer. */
export function drainSlowly(raw: IncomingMessage): void {
  // Node checks whether anything has begun to read. `read()` does not always count, since it may find enough in the buffer.
  if (!raw.complete) raw._read(0)
}

/**
 * Goes on reading slowly in a body that was refused, and closes the connection if that takes too long. Call it after each answer: a body that
 * nobody reads holds up the next request of its connection.
 */
export function finishUnreadBody(raw: IncomingMessage): void {
  const { socket } = raw
  if (!raw.complete && !socket.destroyed) linger(socket, BODY_LINGER_MS, raw)
}

/** Answers what is no request, and ends its connection. */
export function endConnection(socket: Socket, answer: string): void {
  socket.on('error', () => {}).resume()
  socket.end(answer)
  linger(socket, LINGER_MS)
}

function linger(socket: Socket, ms: number, body?: IncomingMessage): void {
  const connection = connectionOf(socket)
  connection?.of.linger(connection, ms, body)
}

/**
 * Closes connections whose clients send many requests without waiting for answers: thousands fit into one packet, and each would be at work at
 * once. Answers come in order, so one that is never complete would keep all behind it.
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
