import { connect, type Socket } from 'node:net'

/** A connection that is kept open. */
export interface Connection {
  socket: Socket
  /** Sends a request and returns the status of its answer. Only one request may be under way. */
  ask(bytes: Buffer): Promise<number>
}

const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Opens a connection, which reads only the status and the length of an answer. It writes prepared bytes to a plain socket, because the load generator
 * takes its CPU from the processes that it measures.
 */
export function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    let answered: (status: number) => void = () => {}
    let failed: (error: Error) => void = reject
    let held: Buffer[] = []
    let length = 0
    let needed = Number.POSITIVE_INFINITY
    let status = 0
    const fail = (error: Error): void => failed(error)
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('the server closed the connection')))
    socket.on('data', (chunk: Buffer) => {
      held.push(chunk)
      length += chunk.length
      if (needed === Number.POSITIVE_INFINITY) {
        const bytes = held.length === 1 ? chunk : Buffer.concat(held)
        const end = bytes.indexOf(HEAD_END)
        if (end < 0) return
        const head = bytes.toString('latin1', 0, end)
        status = Number(head.slice(9, 12))
        needed = end + HEAD_END.length + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      }
      if (length < needed) return
      held = []
      length = 0
      needed = Number.POSITIVE_INFINITY
      answered(status)
    })
    socket.on('connect', () =>
      resolve({
        socket,
        ask: (bytes) =>
          new Promise((done, refuse) => {
            answered = done
            failed = refuse
            socket.write(bytes)
          }),
      }),
    )
  })
}
