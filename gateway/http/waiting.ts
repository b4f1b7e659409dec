import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import { contentTypes } from './answers.ts'

/** A gateway that starts faster never answers by this server. */
const AFTER_MS = 1_000
/** Whoever asks meanwhile is answered at once, and the connection is closed. */
const MAX_CONNECTIONS = 1_000

/** Answers at the gateway's address for as long as it waits for NATS: it lives, is not ready, and can do nothing yet (503). */
export async function answeringMeanwhile<T>(
  at: { host: string; port: number },
  log: Log,
  start: Promise<T>,
): Promise<T> {
  const server = createServer(answer)
  server.maxConnections = MAX_CONNECTIONS
  // The gateway itself says so when it listens.
  server.on('error', ({ message }) => log.warn({ reason: message }, 'probes cannot be answered'))
  const timer = setTimeout(() => server.listen(at), AFTER_MS)
  try {
    return await start
  } finally {
    clearTimeout(timer)
    if (server.listening) {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  }
}

function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const [path] = url.split('?', 1)
  const isAlive = path === '/livez'
  const { message } = unavailable()
  const body = isAlive
    ? { status: 'ok' }
    : path === '/readyz'
      ? { status: 'unavailable', services: {} }
      : { error: message }
  response
    .writeHead(isAlive ? 200 : 503, {
      'content-type': contentTypes.json,
      'cache-control': 'no-store',
      connection: 'close',
      ...(!isAlive && { 'retry-after': '1' }),
    })
    .end(JSON.stringify(body))
}
