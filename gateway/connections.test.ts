import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import {
  type ConnectionLimits,
  limitConnections,
  limitPipelining,
  MAX_PIPELINED,
  refuseUnreadable,
} from './connections.ts'

const HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

interface Client {
  socket: Socket
  /** What has arrived so far. */
  text(): string
  /** The first line of the answer, as soon as it has arrived. */
  answer(): Promise<string | undefined>
}

/** Opens a connection from one of this machine's addresses. */
function open(port: number, text: string, from = '127.0.0.1'): Client {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  let received = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.write(text)
  onTestFinished(() => {
    socket.destroy()
  })
  return {
    socket,
    text: () => received,
    answer: async () => {
      await expect.poll(() => received, { interval: 5 }).toContain('\r\n')
      return received.split('\r\n', 1)[0]
    },
  }
}

const GET = 'GET / HTTP/1.1\r\nHost: a.example\r\n\r\n'
const OK = 'HTTP/1.1 200 OK'
const REFUSED = 'HTTP/1.1 503 Service Unavailable'

/** Starts a server with these limits. Gives a function which opens connections from an address; they stay open. */
async function limited(limits: ConnectionLimits) {
  const server = createServer((_request, response) => void response.end('{}'))
  limitConnections(server, limits, HEADERS)
  const port = await listening(server)
  return async (count: number, from?: string) => {
    const clients = Array.from({ length: count }, () => open(port, GET, from))
    return { clients, answers: await Promise.all(clients.map((client) => client.answer())) }
  }
}

const all = (count: number, answer: string): string[] => Array.from({ length: count }, () => answer)

test('connections are limited by address, even below the total', async () => {
  const from = await limited({ total: 100, perAddress: 10 })
  const { clients, answers } = await from(10)
  expect(answers).toEqual(all(10, OK))
  expect((await from(1)).answers).toEqual([REFUSED])
  expect((await from(2, '127.0.0.2')).answers).toEqual(all(2, OK))
  clients[0]?.socket.destroy()
  await expect.poll(async () => (await from(1)).answers).toEqual([OK])
})

test('connections are limited in total; eight of each address always get in, up to twice the total', async () => {
  const from = await limited({ total: 12, perAddress: 100 })
  const { clients, answers } = await from(12)
  expect(answers).toEqual(all(12, OK))
  const refused = await from(1)
  expect(refused.answers).toEqual([REFUSED])
  const [head = '', body] = refused.clients[0]?.text().split('\r\n\r\n') ?? []
  expect(head.toLowerCase().split('\r\n').slice(1).toSorted()).toEqual([
    'cache-control: no-store',
    'connection: close',
    'content-length: 32',
    'content-type: application/json; charset=utf-8',
    'retry-after: 1',
    'x-content-type-options: nosniff',
  ])
  expect(body).toBe('{"error":"Too many connections"}')
  // A new address gets eight connections through the crowd and no more.
  expect((await from(8, '127.0.0.2')).answers).toEqual(all(8, OK))
  expect((await from(1, '127.0.0.2')).answers).toEqual([REFUSED])
  // A refused connection counts until it is closed.
  for (let n = 0; n < 4; n++) await expect.poll(async () => (await from(1, '127.0.0.3')).answers).toEqual([OK])
  expect((await from(1, '127.0.0.4')).answers).toEqual([REFUSED])
  for (const { socket } of clients) socket.destroy()
  await expect.poll(async () => (await from(1, '127.0.0.4')).answers).toEqual([OK])
})

/** Starts a server which refuses what it cannot read. Gives its port. */
async function refusing(options: ServerOptions, listener: RequestListener): Promise<number> {
  const server = createServer(options, listener)
  server.on('clientError', refuseUnreadable(HEADERS))
  return listening(server)
}

test('a request which is not complete in time is 408', async () => {
  const port = await refusing({ requestTimeout: 20, headersTimeout: 20, connectionsCheckingInterval: 10 }, () => {})
  const client = open(port, 'GET / HTTP/1.1\r\nHo')
  await once(client.socket, 'close')
  expect(client.text()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(client.text()).toMatch(/\r\n\r\n\{"error":"The request was not complete in time"\}$/)
})

test('garbage after a request ends the connection, and its refusal never gets into an answer which has begun', async () => {
  const client = open(await refusing({}, (_request, response) => void response.writeHead(200).write('begun')), GET)
  const closed = once(client.socket, 'close')
  await expect.poll(client.text).toContain('begun')
  client.socket.write('GARBAGE\r\n\r\n')
  await closed
  expect(client.text()).toMatch(/^HTTP\/1\.1 200 OK/)
  expect(client.text().match(/HTTP\/1\.1/g)).toHaveLength(1)
})

test.each([
  ['HEAD', ['HEAD / HTTP/1.1\r\nHost: a.example\r\nX: '], ''],
  ['HEAD in several packets', ['HEAD / HTTP/1.1\r\n', 'Host: a.example\r\nX: '], ''],
  ['GET', ['GET / HTTP/1.1\r\nHost: a.example\r\nX: '], '{"error":"The headers are too large"}'],
])('headers which are too large are 431, without a body for HEAD: %s', async (_what, packets, body) => {
  const server = createServer()
  server.on('clientError', refuseUnreadable(HEADERS))
  const client = open(await listening(server), '')
  client.socket.setNoDelay()
  const closed = once(client.socket, 'close')
  const [accepted] = (await once(server, 'connection')) as [Socket]
  for (const [index, packet] of packets.entries()) {
    const before = accepted.bytesRead
    client.socket.write(index === packets.length - 1 ? `${packet}${'x'.repeat(40_000)}\r\n\r\n` : packet)
    await expect.poll(() => accepted.bytesRead, { interval: 5 }).toBeGreaterThan(before)
  }
  await closed
  expect(client.text()).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
  expect(client.text().split('\r\n\r\n')).toEqual([expect.not.stringContaining('content-length: 0'), body])
})

test('requests which a client sends without waiting are answered in order, some at once; more close the connection', async () => {
  const answers: (() => void)[] = []
  const server = createServer((request, response) => {
    answers.push(() => response.end(request.url))
  })
  limitPipelining(server)
  const port = await listening(server)
  const requests = (count: number): string =>
    Array.from({ length: count }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')
  const patient = open(port, requests(MAX_PIPELINED))
  // As many again after the answers.
  for (let round = 1; round <= 2; round++) {
    await expect.poll(() => answers.length).toBe(MAX_PIPELINED)
    for (const answer of answers.splice(0).reverse()) answer()
    await expect.poll(() => patient.text().match(/HTTP\/1\.1 200/g)?.length).toBe(round * MAX_PIPELINED)
    const paths = [...patient.text().matchAll(/\r\n\r\n\/(\d+)/g)].map(([, n]) => Number(n))
    expect(paths.slice(-MAX_PIPELINED)).toEqual(Array.from({ length: MAX_PIPELINED }, (_, n) => n))
    if (round === 1) patient.socket.write(requests(MAX_PIPELINED))
  }
  const impatient = open(port, requests(2_000))
  await once(impatient.socket, 'close')
  expect(impatient.text()).toBe('')
  expect(answers.length).toBe(MAX_PIPELINED)
})
