import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// An import of the module would load all of fetch, a sixth of the start of a process.
const { createServer } = process.getBuiltinModule('node:http')

interface OperationsOptions {
  host: string
  port: number
  /** The metrics in the text format of Prometheus. */
  metrics: () => Promise<string>
  /** Throws while the process cannot do its work. */
  check: () => Promise<void>
}

type Answer = [status: number, type: string, text: string]

/** How long a check may take; probes of Kubernetes wait longer. */
const CHECK_WITHIN_MS = 900

/**
 * Opens the port for those who run the system: `/metrics`, `/livez` and `/readyz` of this very process. It knows no tokens, so it must not be
 * reachable from outside.
 */
export async function openOperations({ host, port, metrics, check }: OperationsOptions) {
  const pages = new Map<string | undefined, () => Promise<Answer>>([
    ['/livez', async () => health(true)],
    ['/readyz', async () => health(await isReady(check))],
    ['/metrics', async () => [200, 'text/plain; version=0.0.4; charset=utf-8', await metrics()]],
  ])
  const server = createServer((request, response) => void answer(pages.get(request.url), request, response))
  server.listen(port, host)
  await once(server, 'listening').catch((error: Error) => {
    throw new Error(`OPERATIONS_PORT ${port} cannot be used: ${error.message}`)
  })
  // It ends with the process.
  server.unref()
  const { port: own } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${own}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function answer(
  page: (() => Promise<Answer>) | undefined,
  { method }: IncomingMessage,
  response: ServerResponse,
) {
  const empty = (status: number): Answer => [status, 'text/plain', '']
  const isRead = method === 'GET' || method === 'HEAD'
  const [status, type, text] = !page ? empty(404) : isRead ? await page().catch(() => empty(500)) : empty(405)
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
}

function health(isWell: boolean): Answer {
  const text = JSON.stringify({ status: isWell ? 'ok' : 'unavailable' })
  return [isWell ? 200 : 503, 'application/json; charset=utf-8', text]
}

async function isReady(check: () => Promise<void>): Promise<boolean> {
  const checked = check().then(() => true)
  return Promise.race([checked, sleep(CHECK_WITHIN_MS, false, { ref: false })]).catch(() => false)
}
