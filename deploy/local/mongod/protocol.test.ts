import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { slow } from '@gatehouse/test/rounds.ts'
import { Binary, type Document, deserialize, serialize } from 'bson'
import { MongoClient } from 'mongodb'
import { afterAll, describe, expect, inject, test } from 'vitest'

const client = await MongoClient.connect(inject('mongodbUrl'))
await client.db('mongod-protocol').dropDatabase()
afterAll(async () => {
  await client.db('mongod-protocol').dropDatabase()
  await client.close()
})

interface Connection {
  socket: Socket
  answers(count: number): Promise<{ to: number; body: Document }[]>
}

const SIGN_IN = -1

/** A bare connection that has signed in, where the server's address has credentials. */
async function open(): Promise<Connection> {
  const connection = await knock()
  const { username, password } = new URL(inject('mongodbUrl'))
  if (!username) return connection
  const { socket, answers } = connection
  const bare = `n=${username},r=${randomBytes(24).toString('base64')}`
  socket.write(message(SIGN_IN, saslStart(`n,,${bare}`)))
  const [first] = await answers(1)
  const said: string = first?.body.payload.toString()
  const {
    r: nonce,
    s: salt,
    i: iterations,
  } = Object.fromEntries(said.split(',').map((part: string) => [part[0], part.slice(2)]))
  const salted = pbkdf2Sync(password, Buffer.from(salt, 'base64'), Number(iterations), 32, 'sha256')
  const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const clientKey = hmac(salted, 'Client Key')
  const withoutProof = `c=biws,r=${nonce}`
  const signature = hmac(createHash('sha256').update(clientKey).digest(), `${bare},${said},${withoutProof}`)
  const proof = Buffer.from(clientKey.map((byte, n) => byte ^ (signature[n] as number))).toString('base64')
  socket.write(message(SIGN_IN, saslContinue(`${withoutProof},p=${proof}`)))
  const [last] = await answers(1)
  // The server proves that it knows the password too.
  const own = hmac(hmac(salted, 'Server Key'), `${bare},${said},${withoutProof}`).toString('base64')
  expect([last?.body.ok, last?.body.done, last?.body.payload.toString()]).toEqual([1, true, `v=${own}`])
  return connection
}

const saslStart = (payload: string, mechanism = 'SCRAM-SHA-256'): Document => ({
  saslStart: 1,
  mechanism,
  payload: new Binary(Buffer.from(payload)),
  options: { skipEmptyExchange: true },
  $db: 'admin',
})
const saslContinue = (payload: string): Document => ({
  saslContinue: 1,
  conversationId: 1,
  payload: new Binary(Buffer.from(payload)),
  $db: 'admin',
})

/** A bare connection: what is written goes out as it is; `answers` gives the next n messages. */
async function knock(): Promise<Connection> {
  const { hostname, port } = new URL(inject('mongodbUrl'))
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let bytes = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    socket.emit('more')
  })
  return {
    socket,
    answers: async (count) => {
      const found: { to: number; body: Document }[] = []
      while (found.length < count) {
        if (bytes.length < 16 || bytes.length < bytes.readInt32LE(0)) {
          await once(socket, 'more', { signal: AbortSignal.timeout(20_000) })
          continue
        }
        const message = bytes.subarray(0, bytes.readInt32LE(0))
        bytes = bytes.subarray(message.length)
        const bodyAt = message.readInt32LE(12) === 1 ? 36 : 21
        found.push({ to: message.readInt32LE(8), body: deserialize(message.subarray(bodyAt)) })
      }
      return found
    },
  }
}

function header(length: number, requestId: number, opcode: number): Buffer {
  const head = Buffer.alloc(16)
  head.writeInt32LE(length, 0)
  head.writeInt32LE(requestId, 4)
  head.writeInt32LE(opcode, 12)
  return head
}

function message(requestId: number, body: Document, sequences: Record<string, Document[]> = {}, flags = 0): Buffer {
  const flagBytes = Buffer.alloc(4)
  flagBytes.writeUInt32LE(flags)
  const parts = [flagBytes, Buffer.from([0]), Buffer.from(serialize(body))]
  for (const [name, documents] of Object.entries(sequences)) {
    const section = Buffer.concat([Buffer.from(`${name}\0`), ...documents.map((document) => serialize(document))])
    const size = Buffer.alloc(4)
    size.writeInt32LE(section.length + 4)
    parts.push(Buffer.from([1]), size, section)
  }
  const content = Buffer.concat(parts)
  return Buffer.concat([header(content.length + 16, requestId, 2013), content])
}

const $db = 'mongod-protocol'

test('requests sent without waiting are answered in their order', async () => {
  const { socket, answers } = await open()
  const slow = { aggregate: 1, pipeline: [{ $documents: [{ a: 1 }] }, { $count: 'n' }], cursor: {}, $db }
  const burst = Array.from({ length: 60 }, (_, n) =>
    n % 3 === 0
      ? message(n, { insert: 'burst', $db }, { documents: [{ _id: n }] })
      : n % 3 === 1
        ? message(n, { ping: 1, $db })
        : message(n, slow),
  )
  socket.write(Buffer.concat(burst))
  expect((await answers(60)).map(({ to }) => to)).toEqual(Array.from({ length: 60 }, (_, n) => n))
  socket.destroy()
  expect(await client.db($db).collection('burst').countDocuments()).toBe(20)
})

test('a message may arrive in any pieces, and with the end of another', async () => {
  const { socket, answers } = await open()
  const documents = Array.from({ length: 50 }, (_, n) => ({ _id: n, text: `é${n}` }))
  const bytes = Buffer.concat([
    message(1, { insert: 'pieces', $db }, { documents }),
    message(2, { count: 'pieces', $db }),
  ])
  for (let at = 0; at < bytes.length; at += 7) {
    socket.write(bytes.subarray(at, at + 7))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await answers(2)).map(({ body }) => body)).toMatchObject([
    { n: 50, ok: 1 },
    { n: 50, ok: 1 },
  ])
  socket.destroy()
})

test('the documents of a write may stand in the body or beside it', async () => {
  const { socket, answers } = await open()
  const updates = [{ q: { _id: 1 }, u: { $set: { a: 1 } } }]
  socket.write(message(1, { insert: 'sections', documents: [{ _id: 1 }, { _id: 2 }], $db }))
  socket.write(message(2, { insert: 'sections', ordered: false, $db }, { documents: [{ _id: 3 }, { _id: 1 }] }))
  socket.write(message(3, { update: 'sections', updates, $db }))
  socket.write(message(4, { update: 'sections', $db }, { updates }))
  socket.write(message(5, { delete: 'sections', $db }, { deletes: [{ q: { _id: 3 }, limit: 1 }] }))
  expect((await answers(5)).map(({ body }) => body)).toMatchObject([
    { n: 2, ok: 1 },
    { n: 1, ok: 1, writeErrors: [{ index: 1, code: 11000 }] },
    { n: 1, nModified: 1 },
    { n: 1, nModified: 0 },
    { n: 1, ok: 1 },
  ])
  socket.destroy()
})

test('a request that wants no answer gets none, and is carried out', async () => {
  const { socket, answers } = await open()
  const moreToCome = 2
  socket.write(message(1, { insert: 'silent', writeConcern: { w: 0 }, $db }, { documents: [{ _id: 1 }] }, moreToCome))
  socket.write(message(2, { count: 'silent', $db }))
  expect(await answers(1)).toMatchObject([{ to: 2, body: { n: 1 } }])
  socket.destroy()
})

test('the legacy hello is answered, as drivers begin with it', async () => {
  const { socket, answers } = await open()
  const body = Buffer.from(serialize({ isMaster: 1, helloOk: true }))
  const query = Buffer.concat([
    Buffer.alloc(4),
    Buffer.from('admin.$cmd\0'),
    Buffer.from([0, 0, 0, 0, 255, 255, 255, 255]),
    body,
  ])
  socket.write(Buffer.concat([header(query.length + 16, 9, 2004), query]))
  expect(await answers(1)).toMatchObject([{ to: 9, body: { ismaster: true, helloOk: true, ok: 1 } }])
  socket.destroy()
})

test.each<[string, () => Buffer]>([
  ['a message of more than 48 MB', () => header(48_000_001, 1, 2013)],
  ['a message shorter than its header', () => header(7, 1, 2013)],
  ['a negative length', () => header(-1, 1, 2013)],
  ['an unknown operation', () => Buffer.concat([header(20, 1, 4711), Buffer.alloc(4)])],
  [
    'a body of another length than it says',
    () => {
      const bytes = message(1, { ping: 1, $db })
      bytes.writeInt32LE(1_000_000, 21)
      return bytes
    },
  ],
  [
    'a section that ends after its message',
    () => {
      const bytes = message(1, { insert: 'x', $db }, { documents: [{ _id: 1 }] })
      bytes.writeInt32LE(1_000, bytes.indexOf('documents') - 4)
      return bytes
    },
  ],
])('%s ends its connection and no other', async (_, bytes) => {
  const { socket } = await open()
  socket.on('error', () => {})
  const closed = once(socket, 'close', { signal: AbortSignal.timeout(10_000) })
  socket.write(bytes())
  await closed
  expect(await client.db($db).command({ ping: 1 })).toMatchObject({ ok: 1 })
})

test("a driver's monitor keeps its one connection, and nothing clears the pool", slow, async () => {
  const monitored = new MongoClient(inject('mongodbUrl'), { heartbeatFrequencyMS: 500 })
  const failures: string[] = []
  monitored.on('serverHeartbeatFailed', ({ failure }) => failures.push(failure.message))
  monitored.on('connectionPoolCleared', () => failures.push('the pool is cleared'))
  let heard = 0
  const heardOften = new Promise<void>((resolve) => {
    monitored.on('serverHeartbeatSucceeded', () => {
      if (++heard === 5) resolve()
    })
  })
  await monitored.connect()
  await heardOften
  await monitored.close()
  expect(failures).toEqual([])
})

test('a client that goes away in the middle leaves the others served', async () => {
  for (let n = 0; n < 20; n++) {
    const { socket } = await open()
    const bytes = message(1, { aggregate: 1, pipeline: [{ $documents: [{ a: 1 }] }], cursor: {}, $db })
    socket.write(bytes.subarray(0, n % 2 ? 30 : bytes.length))
    socket.destroy()
  }
  expect(await client.db($db).command({ ping: 1 })).toMatchObject({ ok: 1 })
})

test.each<[string, Document, number]>([
  ['an unknown command', { frobnicate: 1 }, 59],
  ['an unknown operator in a filter', { find: 'x', filter: { $bad: 1 } }, 2],
  ['an unknown operator in an update', { update: 'x', updates: [{ q: {}, u: { $bad: 1 } }] }, 9],
  ['an unknown pipeline stage', { aggregate: 'x', pipeline: [{ $bad: 1 }], cursor: {} }, 40324],
  ['the indexes of a collection that is not there', { listIndexes: 'nothere' }, 26],
  ['an index that is not there', { dropIndexes: 'sections', index: 'nothere' }, 27],
  ['another _id for a document', { findAndModify: 'sections', query: { _id: 1 }, update: { $set: { _id: 9 } } }, 66],
])('%s answers MongoDB’s code', async (_, command, code) => {
  const db = client.db($db)
  const answer = await db.command(command).catch((error) => error)
  expect(answer.writeErrors?.[0]?.code ?? answer.code).toBe(code)
})

test('hello, buildInfo and the commands of tools are answered', async () => {
  const admin = client.db('admin')
  expect(await admin.command({ hello: 1 })).toMatchObject({
    isWritablePrimary: true,
    maxBsonObjectSize: 16_777_216,
    ok: 1,
  })
  expect(await admin.command({ buildInfo: 1 })).toMatchObject({
    ok: 1,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  })
  const { username } = new URL(inject('mongodbUrl'))
  const authenticatedUsers = username ? [{ user: username, db: 'admin' }] : []
  expect(await admin.command({ connectionStatus: 1 })).toMatchObject({ authInfo: { authenticatedUsers } })
  expect(await admin.command({ serverStatus: 1 })).toMatchObject({
    ok: 1,
    connections: { current: expect.any(Number) },
  })
})

describe.runIf(new URL(inject('mongodbUrl')).username)('before a client has signed in', () => {
  test.each([
    { find: 'tokens' },
    { insert: 'tokens', documents: [{ _id: 1 }] },
    { aggregate: 1, pipeline: [{ $documents: [{ a: 1 }] }], cursor: {} },
    { getMore: 1, collection: 'tokens' },
    { dropDatabase: 1 },
    { listDatabases: 1 },
    { serverStatus: 1 },
    { getCmdLineOpts: 1 },
    { connectionStatus: 1 },
    { frobnicate: 1 },
  ])('%j is refused', async (command) => {
    const { socket, answers } = await knock()
    socket.write(message(1, { ...command, $db }))
    expect((await answers(1))[0]?.body).toMatchObject({ ok: 0, code: 13, codeName: 'Unauthorized' })
    socket.destroy()
  })

  test('hello and ping are answered, with how to sign in', async () => {
    const { socket, answers } = await knock()
    socket.write(message(1, { hello: 1, saslSupportedMechs: 'admin.gatehouse', $db: 'admin' }))
    socket.write(message(2, { ping: 1, $db: 'admin' }))
    const [hello, ping] = await answers(2)
    expect(hello?.body).toMatchObject({ ok: 1, saslSupportedMechs: ['SCRAM-SHA-256'] })
    expect(ping?.body).toEqual({ ok: 1 })
    socket.destroy()
  })

  test('a message of more than 16 KiB ends its connection', async () => {
    const { socket } = await knock()
    socket.on('error', () => {})
    const closed = once(socket, 'close', { signal: AbortSignal.timeout(10_000) })
    socket.write(header(16 * 1024 + 1, 1, 2013))
    await closed
  })

  const proof = Buffer.alloc(32).toString('base64')
  test.each<[string, Document[], number]>([
    ['another mechanism', [saslStart('n,,n=gatehouse,r=abc', 'SCRAM-SHA-1')], 334],
    ['a first message of another form', [saslStart('y,,n=gatehouse,r=abc')], 18],
    ['a proof without a beginning', [saslContinue(`c=biws,r=abc,p=${proof}`)], 18],
    ['a proof for another nonce', [saslStart('n,,n=gatehouse,r=abc'), saslContinue(`c=biws,r=abc,p=${proof}`)], 18],
    ['a proof that is too short', [saslStart('n,,n=gatehouse,r=abc'), saslContinue('c=biws,r=NONCE,p=AA==')], 18],
    ['a wrong proof', [saslStart('n,,n=gatehouse,r=abc'), saslContinue(`c=biws,r=NONCE,p=${proof}`)], 18],
  ])('%s does not sign in', async (_, steps, code) => {
    const { socket, answers } = await knock()
    let answer: Document = {}
    for (const step of steps) {
      const nonce = /r=([^,]+)/.exec(answer.payload?.toString() ?? '')?.[1] ?? ''
      const payload = new Binary(Buffer.from(step.payload.toString().replace('NONCE', nonce)))
      socket.write(message(1, { ...step, payload }))
      answer = (await answers(1))[0]?.body ?? {}
    }
    expect(answer).toMatchObject({ ok: 0, code })
    socket.write(message(2, { listDatabases: 1, $db: 'admin' }))
    expect((await answers(1))[0]?.body).toMatchObject({ ok: 0, code: 13 })
    socket.destroy()
  })
})
