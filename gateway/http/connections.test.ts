import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type ConnectionLimits,
  connectionsOf,
  distrustConnection,
  drainSlowly,
  finishUnreadBody,
  limitConnections,
  limitPipelining,
  MAX_PIPELINED,
  trustConnection,
} from './connections.ts'
import { MAX_LINGERING } from './lingering.ts'
import { refuseUnreadable } from './unreadable.ts'

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

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a.example\r\n\r\n`
const GET = request('/')
const OK = 'HTTP/1.1 200 OK'

/**
 * Starts a server with these limits: `/token/NAME` brings a valid token, `/wrong` one that is not, and a POST is refused before its body is read.
 * What it opens stays open.
 */
async function limited(limits: ConnectionLimits) {
  const server = createServer((request, response) => {
    const [, what, holder] = request.url?.split('/') ?? []
    if (what === 'token') trustConnection(request, holder ?? '')
    if (what === 'wrong') distrustConnection(request)
    drainSlowly(request)
    response.once('finish', () => finishUnreadBody(request))
    response.end('{}')
  })
  limitConnections(server, limits)
  server.on('clientError', refuseUnreadable(HEADERS))
  const port = await listening(server)
  const from = async (count: number, address?: string, path = '/'): Promise<Client[]> => {
    const clients = Array.from({ length: count }, () => open(port, request(path), address))
    for (const client of clients) expect(await client.answer()).toBe(OK)
    return clients
  }
  return { server, port, from }
}

/** Which connections are still open: these alone get an answer. */
async function areOpen(clients: Client[]): Promise<boolean[]> {
  return Promise.all(
    clients.map(async ({ socket, text }) => {
      const before = text().length
      socket.write(GET)
      await expect.poll(() => socket.closed || text().length > before, { interval: 5 }).toBe(true)
      return text().length > before
    }),
  )
}

const all = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

describe('connections are limited by address, even below the total', () => {
  const limits = { total: 100, perAddress: 10 }

  test('a new one closes the oldest of its address', async () => {
    const { from } = await limited(limits)
    const [first, ...others] = await from(10)
    const elsewhere = await from(10, '127.0.0.2')
    const added = await from(1)
    expect(await areOpen([first as Client])).toEqual([false])
    expect(await areOpen([...others, ...elsewhere, ...added])).toEqual(all(20, true))
  })

  test('those that carried a valid token are not closed, and count no longer', async () => {
    const { from } = await limited(limits)
    const doors = [...(await from(8, undefined, '/token/a')), ...(await from(8, undefined, '/token/b'))]
    const strangers = await from(10)
    await from(10)
    expect(await areOpen(strangers)).toEqual(all(10, false))
    expect(await areOpen(doors)).toEqual(all(16, true))
  })

  test('of one token as many are not closed as an address may have: nobody fills all places with a stolen one', async () => {
    const { server, from } = await limited(limits)
    const thief = await from(15, undefined, '/token/stolen')
    expect(connectionsOf(server)).toMatchObject({ strangers: 5, trusted: 10 })
    // The same token elsewhere, and another one here.
    const doors = [...(await from(5, '127.0.0.2', '/token/stolen')), ...(await from(10, undefined, '/token/own'))]
    await from(10)
    expect(await areOpen(thief)).toEqual([...all(5, false), ...all(10, true)])
    expect(await areOpen(doors)).toEqual(all(15, true))
  })

  test('one whose token is no longer valid counts again', async () => {
    const { from } = await limited(limits)
    const [door, other] = await from(2, undefined, '/token/a')
    door?.socket.write(request('/wrong'))
    await expect.poll(() => door?.text().match(/200 OK/g)?.length).toBe(2)
    await from(10)
    expect(await areOpen([door as Client, other as Client])).toEqual([false, true])
  })

  test('those of refused requests count no longer; they are bounded, and forgotten as soon as they are closed', async () => {
    const { server, port, from } = await limited({ total: 1_000, perAddress: 200 })
    const idle = await from(10)
    const refused = Array.from({ length: MAX_LINGERING + 20 }, (_, n) =>
      open(port, n % 2 ? 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\nx' : 'GARBAGE\r\n\r\n'),
    )
    for (const client of refused) await client.answer()
    const { strangers, lingering } = connectionsOf(server) ?? {}
    expect([strangers, Number(lingering) <= MAX_LINGERING]).toEqual([10, true])
    for (const { socket } of [...idle, ...refused]) socket.destroy()
    await expect.poll(() => connectionsOf(server)).toEqual({ strangers: 0, trusted: 0, lingering: 0 })
  })

  test('one whose refused body has been read counts again', async () => {
    const { server, port, from } = await limited(limits)
    const { socket, answer } = open(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\nx')
    await answer()
    expect(connectionsOf(server)).toEqual({ strangers: 0, trusted: 0, lingering: 1 })
    socket.write('x'.repeat(199_999))
    await expect.poll(() => connectionsOf(server)).toEqual({ strangers: 1, trusted: 0, lingering: 0 })
    await from(10)
    await expect.poll(() => socket.closed).toBe(true)
  })
})

test('connections are limited in total; eight of each address always get in, up to twice the total', async () => {
  const { server, from } = await limited({ total: 12, perAddress: 100 })
  const crowd = await from(12)
  const [door] = await from(1, undefined, '/token/a')
  const [added] = await from(1)
  expect(await areOpen(crowd)).toEqual([...all(2, false), ...all(10, true)])
  // A new address gets eight connections through the crowd; with a ninth it closes its own oldest.
  const [first, ...others] = await from(9, '127.0.0.2')
  expect(await areOpen([first as Client, ...others])).toEqual([false, ...all(8, true)])
  // At twice the total the oldest of all goes.
  await from(4, '127.0.0.3')
  expect(await areOpen([crowd[2] as Client, door as Client, added as Client])).toEqual([true, true, true])
  await from(1, '127.0.0.4')
  expect(await areOpen([crowd[2] as Client, crowd[3] as Client, door as Client])).toEqual([false, true, true])
  expect(connectionsOf(server)).toEqual({ strangers: 23, trusted: 1, lingering: 0 })
})

/** Starts a server that refuses what it cannot read. Returns its port. */
async function refusing(options: ServerOptions, listener: RequestListener): Promise<number> {
  const server = createServer(options, listener)
  server.on('clientError', refuseUnreadable(HEADERS))
  return listening(server)
}

test('a request that is not complete in time is 408', async () => {
  const port = await refusing({ requestTimeout: 20, headersTimeout: 20, connectionsCheckingInterval: 10 }, () => {})
  const client = open(port, 'GET / HTTP/1.1\r\nHo')
  await once(client.socket, 'close')
  expect(client.text()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(client.text()).toMatch(/\r\n\r\n\{"error":"The request was not complete in time"\}$/)
})

test('garbage after a request ends the connection, and its refusal never gets into an answer that has begun', async () => {
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
])('headers that are too large are 431, without a body for HEAD: %s', async (_what, packets, body) => {
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

test('requests that a client sends without waiting are answered in order, some at once; more close the connection', async () => {
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
