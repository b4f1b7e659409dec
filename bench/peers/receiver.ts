import { createServer } from 'node:http'
import { listen } from '@gatehouse/test/harness/listening.ts'
import { ready } from './ready.ts'

/* A receiver of webhooks that counts deliveries by path: POST delivers one, GET gives the number of different ones. */
const deliveries = new Map<string, Set<string>>()
const server = createServer((request, response) => {
  const path = request.url ?? ''
  if (request.method === 'GET') return response.end(String(deliveries.get(path)?.size ?? 0))
  const ids = deliveries.get(path) ?? new Set()
  deliveries.set(path, ids.add(String(request.headers['webhook-id'])))
  request.resume().once('end', () => response.writeHead(204).end())
})
const { host } = await listen(server)
ready(`http://${host}`)
