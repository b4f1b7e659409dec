import { createServer, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from './listening.ts'

/** A request that a receiver got. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  json: any
}

/** An answer of a receiver: its status, an optional delay, and an optional redirect. */
interface ReceiverAnswer {
  status: number
  afterMs?: number
  location?: string
}

/** A web server of a test that receives webhooks. */
export interface Receiver {
  /** `http://127.0.0.1:port`. */
  url: string
  /** The requests so far, in order. */
  received: Received[]
  /** The largest number of simultaneous requests so far. */
  mostAtOnce: number
  /** Waits until `holds` is true of the requests. Throws with their bodies after `timeoutMs`, two minutes by default. */
  until(holds: (received: Received[]) => boolean, timeoutMs?: number): Promise<Received[]>
  close(): Promise<void>
}

const TIMEOUT_MS = 120_000

/** Starts a receiver. `answer` gives the answer to each request, 204 by default. */
export async function startReceiver(
  answer: (request: Received, nth: number) => ReceiverAnswer | Promise<ReceiverAnswer> = () => ({ status: 204 }),
): Promise<Receiver> {
  const received: Received[] = []
  let atOnce = 0
  const server = createServer(async (request, response) => {
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, ++atOnce)
    response.on('close', () => atOnce--)
    // A sender that gives up meanwhile does not count.
    const body = await request.toArray().then(
      (pieces) => pieces.join(''),
      () => undefined,
    )
    if (body === undefined) return
    const got: Received = {
      path: request.url ?? '',
      headers: request.headers,
      body,
      json: request.headers['content-type']?.includes('xml') ? undefined : JSON.parse(body),
    }
    const { status, afterMs, location } = await answer(got, received.push(got))
    if (afterMs) await sleep(afterMs)
    response.writeHead(status, location ? { location } : {}).end()
  })
  const { host, close } = await listen(server)
  const receiver: Receiver = {
    url: `http://${host}`,
    received,
    mostAtOnce: 0,
    until: async (holds, timeoutMs = TIMEOUT_MS) => {
      const end = performance.now() + timeoutMs
      while (!holds(received)) {
        if (performance.now() > end) {
          throw new Error(`the receiver got only ${JSON.stringify(received.map(({ json }) => json)).slice(0, 2_000)}`)
        }
        await sleep(20)
      }
      return received
    },
    close,
  }
  return receiver
}
