import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'

/** A server, of HTTP or TCP, on a free port of the loopback interface. */
export interface Listening {
  /** `127.0.0.1:port`. */
  host: string
  /** Breaks all connections; others are accepted. */
  drop(): void
  /** Breaks all connections, and waits for the end of the server. */
  close(): Promise<void>
}

/** Lets a server listen; resolves when it does. */
export async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    // A client that is killed resets its connection.
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const drop = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    host: `127.0.0.1:${port}`,
    drop,
    close: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      drop()
      await closed
    },
  }
}
