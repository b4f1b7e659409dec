import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import type { HttpCase, RawCase } from './case.ts'

/** An answer of the gateway. */
export interface HttpAnswer {
  status: number
  type: string
  /** The beginning of a long one. */
  text: string
  /** Whether that is all of it, and not compressed. */
  isText: boolean
}

/** After so long without a byte nothing more is expected on a connection, in ms. */
const QUIET_MS = 300
/** Bytes of an answer that are kept. */
const KEPT = 100_000

/** A client of the gateway at `url`, which sends requests exactly as they are. */
export class HttpClient {
  readonly #host: string
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 })

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.#host = hostname
    this.#port = Number(port)
  }

  /** The answer to a request. Rejects without one, or after `deadlineMs`. */
  async send(sent: HttpCase, deadlineMs: number): Promise<HttpAnswer> {
    const signal = AbortSignal.timeout(deadlineMs)
    try {
      return await this.#attempt(sent, signal)
    } catch (error) {
      // The gateway may have closed an idle connection at the very moment, as after a body that it refused unread.
      if (signal.aborted || !['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      return this.#attempt({ ...sent, headers: [...sent.headers, ['connection', 'close']] }, signal)
    }
  }

  #attempt({ method, path, headers, body }: HttpCase, signal: AbortSignal): Promise<HttpAnswer> {
    const bytes = Buffer.from(body)
    const named = headers.some(([name]) => name === 'host') ? [] : ['host', `${this.#host}:${this.#port}`]
    const all = [
      ...named,
      ...headers.flatMap(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
      ...(bytes.length > 0 ? ['content-length', String(bytes.length)] : []),
    ]
    return new Promise((resolve, reject) => {
      const asking = request(
        { host: this.#host, port: this.#port, agent: this.#agent, method, path: wirePath(path), headers: all, signal },
        (answer) => {
          const { statusCode = 0, headers: said } = answer
          const type = said['content-type'] ?? ''
          const chunks: Buffer[] = []
          let size = 0
          const end = (): void =>
            resolve({
              status: statusCode,
              type,
              text: Buffer.concat(chunks).toString(),
              isText: size <= KEPT && said['content-encoding'] === undefined,
            })
          // A feed does not end, and whatever follows the head of this is no answer.
          if (type.startsWith('text/event-stream') || method === 'HEAD') {
            end()
            answer.destroy()
            return
          }
          answer.on('data', (chunk: Buffer) => {
            size += chunk.length
            if (size <= KEPT) chunks.push(chunk)
          })
          answer.on('end', end).on('error', reject)
        },
      )
      asking.on('error', reject)
      asking.end(bytes)
    })
  }

  /** All that is answered to bytes until the gateway closes the connection. Rejects if it does not within `deadlineMs`. */
  sendRaw({ bytes }: RawCase, deadlineMs: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#port, this.#host)
      const late = setTimeout(
        () => socket.destroy(new Error(`The connection stays open after ${deadlineMs} ms`)),
        deadlineMs,
      )
      let text = ''
      // Node answers nothing more to a client that has ended its side.
      const quiet = setTimeout(() => socket.end(), QUIET_MS)
      socket.on('data', (chunk) => {
        quiet.refresh()
        if (text.length < KEPT) text += chunk.toString('latin1')
      })
      socket.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === undefined) reject(error)
      })
      socket.on('close', () => {
        clearTimeout(late)
        clearTimeout(quiet)
        resolve(text)
      })
      socket.write(Buffer.from(bytes, 'latin1'))
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** A path as HTTP allows it: other bytes are escaped, which only raw cases send as they are. */
function wirePath(path: string): string {
  const bytes = Buffer.from(path.startsWith('/') ? path : `/${path}`).toString('latin1')
  return bytes.replaceAll(/[^\x21-\x7e]/g, (each) => `%${each.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
