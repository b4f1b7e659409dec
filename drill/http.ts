import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 256 })

/** The answer to a request. */
export interface Response {
  status: number
  text: string
  retryAfter: string | undefined
}

/** Sends an HTTP request; undefined without a complete answer: connection refused or closed, timeout, or `signal` aborted. */
export function send(
  method: string,
  url: string,
  headers: { [name: string]: string },
  body: string | undefined,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Response | undefined> {
  const { promise, resolve } = Promise.withResolvers<Response | undefined>()
  const asked = request(url, { method, headers, agent }, (response) => {
    const parts: Buffer[] = []
    response.on('data', (part: Buffer) => parts.push(part))
    response.on('error', () => resolve(undefined))
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        text: Buffer.concat(parts).toString(),
        retryAfter: response.headers['retry-after'],
      }),
    )
  })
  asked.on('error', () => resolve(undefined))
  // An interrupted answer has no `end`, and not always an `error`.
  asked.on('close', () => resolve(undefined))
  const giveUp = (): void => void asked.destroy()
  const late = setTimeout(giveUp, timeoutMs)
  signal.addEventListener('abort', giveUp)
  asked.end(body)
  return promise.finally(() => {
    clearTimeout(late)
    signal.removeEventListener('abort', giveUp)
  })
}
