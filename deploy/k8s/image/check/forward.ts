import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream'

/** Lets containers reach a server of this machine's loopback interface: at the same port of their network's address. */
export async function forward(address: string, port: number): Promise<{ stop(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket.setNoDelay())
      socket.once('close', () => sockets.delete(socket))
    }
    pipeline(near, far, near, () => {})
  })
  server.listen(port, address)
  await once(server, 'listening')
  return {
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
