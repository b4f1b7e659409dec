import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'

/*
 * The floor of everything that is answered when it is stored: Fastify, and a file. What came while the last write was under way is written
 * over the next pages of the file, as PostgreSQL writes over its log, and answered once the disk has it. No database, no index, nothing read.
 */

const PAGE = 8_192
const PAGES = 8_192

interface Waiting {
  body: string
  done: () => void
  failed: (error: Error) => void
}

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-file-'))
const file = await open(join(folder, 'log'), 'w')
await file.writeFile(Buffer.alloc(PAGE * PAGES))
await file.datasync()
let page = 0
let waiting: Waiting[] = []
let flushing = false

const app = fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
  done(null, JSON.parse(body as string)),
)
app.post('/check-ins', async (request, reply) => {
  const body = JSON.stringify(request.body)
  await stored(body)
  return reply.code(201).type('application/json; charset=utf-8').send(body)
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ msg: 'ready', url }))
process.once('SIGTERM', async () => {
  await rm(folder, { recursive: true })
  process.exit(0)
})

function stored(body: string): Promise<void> {
  return new Promise((done, failed) => {
    waiting.push({ body, done, failed })
    if (flushing) return
    flushing = true
    setImmediate(() => void flushAll())
  })
}

async function flushAll(): Promise<void> {
  while (waiting.length > 0) {
    const batch = waiting
    waiting = []
    try {
      await flush(batch.map(({ body }) => body).join('\n'))
      for (const { done } of batch) done()
    } catch (error) {
      for (const { failed } of batch) failed(error as Error)
    }
  }
  flushing = false
}

async function flush(text: string): Promise<void> {
  const pages = Math.ceil(Buffer.byteLength(text) / PAGE)
  if (page + pages > PAGES) page = 0
  const bytes = Buffer.alloc(pages * PAGE)
  bytes.write(text)
  await file.write(bytes, 0, bytes.length, page * PAGE)
  await file.datasync()
  page += pages
}
