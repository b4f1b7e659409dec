import { once } from 'node:events'
import { createServer } from 'node:http'

/* A receiver of webhooks which counts deliveries by path: POST delivers one, GET gives the number of different ones. */
const deliveries = new Map<string, Set<string>>()
const server = createServer((request, response) => {
  const path = request.url ?? ''
  if (request.method === 'GET') return response.end(String(deliveries.get(path)?.size ?? 0))
  const ids = deliveries.get(path) ?? new Set()
  deliveries.set(path, ids.add(String(request.headers['webhook-id'])))
  request.resume().once('end', () => response.writeHead(204).end())
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const port = typeof address === 'object' ? address?.port : undefined
console.log(JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${port}` }))
process.once('SIGTERM', () => process.exit(0))
