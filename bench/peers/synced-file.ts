import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import { jsonApp, serve } from './json-app.ts'

/*
 * The floor of all requests that are answered after they are stored: Fastify and a file. Requests that arrive during a write are then written
 * over the next pages of the file, as PostgreSQL writes its log, and answered once the disk has them. No database, no index, no reads.
 */

const PAGE = 8_192
const PAGES = 8_192

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-file-'))
const file = await open(join(folder, 'log'), 'w')
// The open file stays usable; nothing is left behind, however this process ends.
await rm(folder, { recursive: true })
await file.writeFile(Buffer.alloc(PAGE * PAGES))
await file.datasync()
let page = 0

const store = coalesced(async (bodies: string[]) => {
  await write(bodies.join('\n'))
  return bodies
}, 1)

const app = jsonApp()
app.post('/check-ins', async (request, reply) => {
  const body = await store(JSON.stringify(request.body))
  return reply.code(201).type('application/json; charset=utf-8').send(body)
})
await serve(app)

async function write(text: string): Promise<void> {
  const pages = Math.ceil(Buffer.byteLength(text) / PAGE)
  if (page + pages > PAGES) page = 0
  const bytes = Buffer.alloc(pages * PAGE)
  bytes.write(text)
  await file.write(bytes, 0, bytes.length, page * PAGE)
  await file.datasync()
  page += pages
}
