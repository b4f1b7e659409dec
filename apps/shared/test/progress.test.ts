// @module-tag slow
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepCollectingGarbage } from '@gatehouse/test/harness/garbage.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { whileItComes } from '../src/server/progress.ts'

const PART_MS = 100
const PARTS = 20
const IDLE_TIMEOUT_MS = 1_000

let server: Server
let url: string
/** How many parts of the last answer were sent; its connection was given up if it is closed. */
let sent = 0
let closed: Promise<unknown>

beforeAll(async () => {
  // Node closes a connection after five seconds without a request: a slow machine would send the next one into it.
  server = createServer({ keepAliveTimeout: 600_000 }, async ({ url: path }, answer) => {
    sent = 0
    closed = once(answer, 'close')
    if (path === '/silent') return
    if (path === '/unchanged') return void answer.writeHead(304, { etag: '"1"' }).end()
    answer.writeHead(path === '/refused' ? 422 : 200, { 'content-type': 'text/plain' })
    for (; sent < PARTS; sent++) {
      if (path === '/stalls' && sent === 2) return
      answer.write(String(sent))
      await sleep(PART_MS)
    }
    answer.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const ask = (path: string, signal?: AbortSignal) =>
  whileItComes(fetch, IDLE_TIMEOUT_MS)(new Request(`${url}${path}`), signal && { signal })

test('an answer that takes longer than any one pause of it is there as a whole, with its status and headers', async () => {
  const whole = Array.from({ length: PARTS }, (_, n) => n).join('')
  for (const [path, status] of [
    ['/', 200],
    ['/refused', 422],
  ] as const) {
    const answer = await ask(path)
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      status,
      'text/plain',
      whole,
    ])
  }
  const unchanged = await ask('/unchanged')
  expect([unchanged.status, unchanged.headers.get('etag'), unchanged.body]).toEqual([304, '"1"', null])
})

test('one of which nothing comes any more, or nothing at all, is given up', async () => {
  keepCollectingGarbage()
  for (const path of ['/stalls', '/silent']) {
    await expect(ask(path)).rejects.toThrow('The response stalled')
    await closed
  }
})

test('one that nobody wants any more ends at once', async () => {
  keepCollectingGarbage()
  const unwanted = new AbortController()
  const asked = ask('/', unwanted.signal)
  await expect.poll(() => sent).toBeGreaterThan(0)
  unwanted.abort(new Error('Not wanted'))
  await expect(asked).rejects.toThrow('Not wanted')
  await closed
  expect(sent).toBeLessThan(PARTS)
})
