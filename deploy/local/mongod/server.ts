import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { serialize } from 'bson'
import { type Accounts, Authentication } from './authentication.ts'
import { CODES } from './codes.ts'
import { answer, type Context, DELETE_CURSORS, isMonitoring } from './commands.ts'
import { Cursors } from './cursors.ts'
import { Engine, EngineLostError, type EngineOptions } from './engine.ts'
import { type Command, MessageReader, ProtocolError, parseMessage, replyTo } from './messages.ts'

/** Options of the server. */
export interface ServerOptions extends Pick<EngineOptions, 'sessions' | 'statementTimeoutMs'> {
  host: string
  /** 0 for any free port. */
  port: number
  /** The users who may sign in. */
  accounts: Accounts
  /** Unused cursors expire after this. */
  cursorIdleMs: number
  /** Told of each command; for the record of what a run asks. */
  record?: ((command: Command) => void) | undefined
  log: (message: string, fields: Record<string, unknown>) => void
}

/** A running server. */
export interface MongodServer {
  port: number
  stop(): Promise<void>
}

/** Maximum of waiting requests of a connection; beyond it the socket is paused. */
const MAX_WAITING = 16

/**
 * Serves MongoDB's wire protocol while the engine can be reached. Otherwise it behaves like a mongod that is down: connections end and the port is
 * closed. Drivers handle that best: they wait for the server as long as their user allows.
 */
export async function serve(options: ServerOptions): Promise<MongodServer> {
  const { log } = options
  const sockets = new Set<Socket>()
  const engine = new Engine({
    ...options,
    onLost: () => {
      log('the engine is gone; closing until it is back', {})
      cursors.clear()
      server.close()
      for (const socket of sockets) socket.destroy()
    },
    onUp: () => {
      log('the engine is there', {})
      server.listen(port, options.host)
    },
  })
  const cursors = new Cursors(options.cursorIdleMs, (ids) => {
    engine.call('killCursors', DELETE_CURSORS, [ids]).catch(() => {})
  })
  let port = options.port
  let lastConnection = 0

  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    // It was accepted just before the port was closed.
    if (!engine.up) {
      socket.destroy()
      return
    }
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // Errors of disconnected clients; their pending requests finish and the answers are dropped.
    socket.on('error', () => {})
    lastConnection++
    const authentication = new Authentication(options.accounts)
    const { record = () => {} } = options
    const connections = () => sockets.size
    attend(socket, { engine, cursors, authentication, connectionId: lastConnection, connections, record }, log)
  })
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  return {
    port,
    stop: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      cursors.close()
      await engine.close()
    },
  }
}

/** Answers a connection's requests one after the other, since the protocol requires answers in the order of requests. */
function attend(socket: Socket, context: Context, log: ServerOptions['log']): void {
  const reader = new MessageReader()
  const waiting: Buffer[] = []
  let busy = false

  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of reader.read(chunk, context.authentication.maxMessageBytes)) waiting.push(message)
    } catch (error) {
      refuse(error)
      return
    }
    if (waiting.length > MAX_WAITING) socket.pause()
    if (!busy) void work()
  })

  async function work(): Promise<void> {
    busy = true
    try {
      for (let message = waiting.shift(); message && !socket.destroyed; message = waiting.shift()) {
        await reply(parseMessage(message))
        if (waiting.length <= MAX_WAITING / 2 && socket.isPaused()) socket.resume()
      }
    } catch (error) {
      refuse(error)
    } finally {
      busy = false
    }
  }

  async function reply(command: Command): Promise<void> {
    const again = isMonitoring(command)
    let { requestId } = command
    do {
      const body = await answer(command, context).catch((error: unknown) => {
        if (error instanceof EngineLostError) throw error
        log('a command failed unexpectedly', { command: command.name, error: String(error) })
        const { code, codeName } = CODES.internal
        return Buffer.from(serialize({ ok: 0, errmsg: 'internal error', code, codeName }))
      })
      if (command.silent || socket.destroyed) return
      const { id, parts } = replyTo({ requestId, legacy: command.legacy }, body, again)
      socket.cork()
      for (const part of parts) socket.write(part)
      socket.uncork()
      requestId = id
    } while (again)
  }

  function refuse(error: unknown): void {
    if (error instanceof ProtocolError) log('a connection is closed', { reason: error.message })
    else if (!(error instanceof EngineLostError)) log('a connection failed', { error: String(error) })
    socket.destroy()
  }
}
