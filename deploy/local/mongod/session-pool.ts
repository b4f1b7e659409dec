import { once } from 'node:events'
import { chmod, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A session of PostgreSQL that outlives the connections it serves. */
interface Session {
  socket: Socket
  /** What PostgreSQL sent until it was first ready: its parameters and the key for cancellations. */
  greeting: Buffer[]
  greeted: boolean
  openedAt: number
}

/** Sessions that wait for a connection, at most. */
const MAX_IDLE = 4
/** A session's caches grow with each collection that it uses. */
const MAX_AGE_MS = 300_000

/** A startup message has no type before its length. */
const UNTYPED = 0
const TYPED = 1
const TERMINATE = 'X'.charCodeAt(0)
const READY_FOR_QUERY = 'Z'.charCodeAt(0)
const OUTSIDE_TRANSACTION = 'I'.charCodeAt(0)
const RESET = Buffer.from('Q\0\0\0\x10DISCARD ALL\0')

/**
 * Serves, at the socket `path`, the connections that DocumentDB opens to its own database: for each write that violates a unique index, one that asks for
 * the name of the index. A new session costs PostgreSQL 30 ms of CPU, and four times that with thousands of collections. So a connection takes over the
 * session that an earlier one with the same startup message left, as with PgBouncer's session pooling. `postgres` is the path of PostgreSQL's socket.
 */
export async function poolSessions(path: string, postgres: string): Promise<Server> {
  const idle = new Map<string, Session[]>()
  await rm(path, { force: true })
  const server = createServer((client) => {
    const startup = new MessageSplitter(UNTYPED)
    client.on('error', () => {})
    client.on('data', function open(chunk: Buffer) {
      const [message] = startup.read(chunk)
      if (!message) return
      client.off('data', open)
      const key = message.toString('latin1')
      const waiting = idle.get(key) ?? []
      idle.set(key, waiting)
      relay(client, waiting.pop() ?? openSession(postgres, message), (session) => {
        if (waiting.length >= MAX_IDLE || Date.now() - session.openedAt > MAX_AGE_MS) session.socket.destroy()
        else waiting.push(session)
        session.socket.once('close', () => {
          const index = waiting.indexOf(session)
          if (index >= 0) waiting.splice(index, 1)
        })
      })
    })
  })
  server.listen(path)
  await once(server, 'listening')
  // Only PostgreSQL's user may enter the folder; this process may be another one's.
  await chmod(path, 0o666)
  return server
}

function openSession(postgres: string, startup: Buffer): Session {
  const socket = connect(postgres).on('error', () => {})
  socket.write(startup)
  return { socket, greeting: [], greeted: false, openedAt: Date.now() }
}

/** Connects a client with a session, and releases the session when the client leaves it outside a transaction. */
function relay(client: Socket, session: Session, release: (session: Session) => void): void {
  const { socket } = session
  const [requests, replies] = [new MessageSplitter(TYPED), new MessageSplitter(TYPED)]
  let isReady = session.greeted
  let left = false
  const abandon = (): void => void client.destroy()
  const leave = (): void => {
    if (left) return
    left = true
    client.destroy()
    if (isReady) socket.write(RESET)
    else socket.destroy()
  }
  function reply(chunk: Buffer): void {
    for (const message of replies.read(chunk)) {
      if (!session.greeted) session.greeting.push(message)
      if (!left) client.write(message)
      if (message[0] !== READY_FOR_QUERY) continue
      session.greeted = true
      isReady = message[5] === OUTSIDE_TRANSACTION
      if (!left) continue
      socket.off('data', reply).off('close', abandon).resume()
      release(session)
    }
  }
  socket.on('data', reply).once('close', abandon)
  client.once('close', leave)
  if (session.greeted) client.write(Buffer.concat(session.greeting))
  client.on('data', (chunk: Buffer) => {
    for (const message of requests.read(chunk)) {
      if (message[0] === TERMINATE) return leave()
      isReady = false
      socket.write(message)
    }
  })
}

/** Assembles the messages of PostgreSQL's protocol from the chunks of a socket. */
class MessageSplitter {
  readonly #prefix: number
  #rest: Buffer = Buffer.alloc(0)

  /** `prefix` is the number of bytes before the length of a message, which counts itself but not them. */
  constructor(prefix: number) {
    this.#prefix = prefix
  }

  /** Adds a chunk and returns the messages that it completes. */
  read(chunk: Buffer): Buffer[] {
    const messages: Buffer[] = []
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    while (this.#rest.length >= this.#prefix + 4) {
      const end = this.#prefix + this.#rest.readInt32BE(this.#prefix)
      if (this.#rest.length < end) break
      messages.push(this.#rest.subarray(0, end))
      this.#rest = this.#rest.subarray(end)
    }
    return messages
  }
}
