import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from './listening.ts'

/** A proxy to a server that a test can freeze (connections stay open, but nothing passes), slow down or cut. */
export interface TcpProxy {
  /** Host and port of the proxy. */
  host: string
  /** The address of the server, with host and port of the proxy. */
  url: string
  freeze(): void
  thaw(): void
  /** Delays each chunk by `ms`. */
  slow(ms: number): void
  /** Breaks all connections and accepts no others until `mend`. */
  cut(): void
  mend(): void
  /** Leads connections from now on to another server. */
  leadTo(address: string): void
  /** Calls `look` with each chunk from the server before it is passed on; if it gives false, the chunk is dropped. */
  watch(look: (chunk: Buffer) => boolean): void
  close(): Promise<void>
}

/** Starts a proxy to the server of an address like `nats://host:port`. */
export async function proxyTo(address: string): Promise<TcpProxy> {
  let to = new URL(address)
  const sockets = new Set<Socket>()
  const state = { frozen: false, cut: false, slowBy: 0, look: (_chunk: Buffer): boolean => true }
  const server = createServer((near) => {
    if (state.cut) return near.destroy()
    const far = connect(Number(to.port), to.hostname)
    for (const [from, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      let before: Promise<unknown> = Promise.resolve()
      from.on('data', (bytes: Buffer) => {
        if (from === far && !state.look(bytes)) return
        before = before.then(() => (state.slowBy > 0 ? sleep(state.slowBy) : undefined)).then(() => other.write(bytes))
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        other.destroy()
      })
      if (state.frozen) from.pause()
    }
  })
  const { host, drop, close } = await listen(server)
  return {
    host,
    url: address.replace(new URL(address).host, host),
    freeze: () => {
      state.frozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw: () => {
      state.frozen = false
      for (const socket of sockets) socket.resume()
    },
    slow: (ms) => {
      state.slowBy = ms
    },
    cut: () => {
      state.cut = true
      drop()
    },
    mend: () => {
      state.cut = false
    },
    leadTo: (other) => {
      to = new URL(other)
    },
    watch: (look) => {
      state.look = look
    },
    close,
  }
}
