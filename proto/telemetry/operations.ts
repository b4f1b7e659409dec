import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// An import of the module would load all of fetch, a sixth of the start of a process.
const { createServer } = process.getBuiltinModule('node:http')

export interface OperationsOptions {
  host: string
  port: number
  /** The metrics in the text format of Prometheus. */
  metrics: () => Promise<string>
  /** Throws while the process cannot do its work. */
  check: () => Promise<void>
}

/** The operations port of a process. */
export interface Operations {
  url: string
  stop(): Promise<void>
}

/** How long a check may take; probes of Kubernetes wait longer. */
const CHECK_WITHIN_MS = 900

interface OperationsPage {
  status: number
  type: string
  text: string
}

/**
 * Opens the port for those who run the system: `/metrics`, `/livez` and `/readyz` of this very process. It knows no tokens, so it must not be
 * reachable from outside.
 */
export async function openOperations({ host, port, metrics, check }: OperationsOptions): Promise<Operations> {
  const pages: Record<string, () => Promise<OperationsPage>> = {
    '/livez': async () => health(true),
    '/readyz': async () => health(await isReady(check)),
    '/metrics': async () => ({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', text: await metrics() }),
  }
  const server = createServer((request, response) => void answer(pages, request, response))
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
  pages: Record<string, () => Promise<OperationsPage>>,
  { url = '', method = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const page = Object.hasOwn(pages, url) ? pages[url] : undefined
  const { status, type, text } = !page
    ? { status: 404, type: 'text/plain', text: '' }
    : method !== 'GET' && method !== 'HEAD'
      ? { status: 405, type: 'text/plain', text: '' }
      : await page().catch(() => ({ status: 500, type: 'text/plain', text: '' }))
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(method === 'HEAD' ? '' : text)
}

function health(isWell: boolean): OperationsPage {
  const text = JSON.stringify({ status: isWell ? 'ok' : 'unavailable' })
  return { status: isWell ? 200 : 503, type: 'application/json; charset=utf-8', text }
}

async function isReady(check: () => Promise<void>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), CHECK_WITHIN_MS)
  const checked = check().then(
    () => true,
    () => false,
  )
  return Promise.race([checked, late.promise]).finally(() => clearTimeout(timer))
}
