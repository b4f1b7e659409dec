import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** A request, which is sent exactly as it is. */
export interface HttpRequest {
  method: string
  url: string
  /** Names and values in turn, in this order. A name may come twice. */
  headers?: readonly string[]
  body?: string | Uint8Array | undefined
}

/** An answer to a request. */
export interface HttpAnswer {
  status: number
  headers: IncomingHttpHeaders
  /** The beginning of an answer beyond the kept size. */
  text: string
  isWhole: boolean
}

/** Idle connections are closed long before a gateway may do so, which would look like a lost request. */
const IDLE_MS = 20_000

const agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: IDLE_MS })

interface SendOptions {
  timeoutMs: number
  signal?: AbortSignal
  /** How much of the body to keep. */
  keptBytes?: number
}

/**
 * Sends a request over kept connections and reads the answer. Rejects when the connection breaks before the answer is complete, after `timeoutMs`,
 * and when `signal` is aborted.
 */
export function sendRequest(
  { method, url, headers = [], body }: HttpRequest,
  { timeoutMs, signal, keptBytes = Number.POSITIVE_INFINITY }: SendOptions,
): Promise<HttpAnswer> {
  const { host, hostname, port } = new URL(url)
  // Not the path of the parsed URL, which would be normalized.
  const path = url.slice(url.indexOf(host) + host.length)
  const bytes = Buffer.from(body ?? '')
  const isNamed = headers.some((name, n) => n % 2 === 0 && name === 'host')
  const all = [
    ...(isNamed ? [] : ['host', host]),
    ...headers,
    ...(bytes.length > 0 ? ['content-length', String(bytes.length)] : []),
  ]
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, agent, method, path, headers: all }, (answer) => {
      const chunks: Buffer[] = []
      let size = 0
      const end = (): void =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(chunks).toString(),
          isWhole: size <= keptBytes,
        })
      // A feed does not end, and whatever follows the head of the other is no answer.
      if (answer.headers['content-type']?.startsWith('text/event-stream') || method === 'HEAD') {
        end()
        answer.destroy()
        return
      }
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= keptBytes) chunks.push(chunk)
      })
      answer.on('end', end).on('error', reject)
    })
    const giveUp = (): void => void sent.destroy(new Error(`no answer after ${timeoutMs} ms`))
    const late = setTimeout(giveUp, timeoutMs)
    signal?.addEventListener('abort', giveUp)
    sent.on('error', reject)
    sent.on('close', () => {
      clearTimeout(late)
      signal?.removeEventListener('abort', giveUp)
      // An interrupted answer has no `end`, and not always an `error`.
      reject(new Error('the connection was closed'))
    })
    sent.end(bytes)
  })
}
