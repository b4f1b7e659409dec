import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { natsUrlOf } from './harness/nats-urls.ts'
import { type Process, startProcess } from './harness/process.ts'
import { startSystem } from './harness/system.ts'
import { TestEvent } from './harness/test-event.ts'
import { slow } from './rounds.ts'

/* Requests of strangers and tokens that could slow a gateway or a service down. Takes about ten seconds: one system and one gateway process. */

const MIB = 2 ** 20
const TYPES = {
  json: 'application/json',
  xml: 'application/xml',
  form: 'application/x-www-form-urlencoded',
}

// Bodies that are held are not cut off, however slow the machine is.
const system = await startSystem({ with: ['leads'], gateway: { request_timeout_ms: 600_000 } })
const testEvent = await TestEvent.open(system)
afterAll(() => system.stop())

interface Started {
  socket: Socket
  /** All that has been received so far. */
  text(): string
  /** Waits for the status. 0: the connection was closed, and a machine too busy to read the answer in time lost it. */
  status(): Promise<number>
}

/** Begins a request with a body of `length` bytes, and sends only `part` of it. */
function begin(
  path: string,
  type: string,
  length: number,
  part: string,
  { base = system.url, method = 'POST' } = {},
): Started {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${part}`,
  )
  onTestFinished(() => {
    socket.destroy()
  })
  return {
    socket,
    text: () => text,
    status: async () => {
      await expect.poll(() => socket.closed || /^HTTP\/1\.1 \d{3}/.test(text)).toBe(true)
      return Number(text.slice(9, 12))
    },
  }
}

const batchOf = (what: string, token = system.auth_token): string =>
  `/api/v1/events/${testEvent.id}/${what}/batch_create.json?auth_token=${token}`
const leadsOf = (secret: string): string => `/api/v1/devices/${secret}/connections/batch_create.json`

describe('requests are authenticated before their body is read', () => {
  test.each([
    ['no token', 'POST', () => `/api/v1/events/${testEvent.id}/access_controls/batch_create.json`, 403],
    ['an invalid token', 'POST', () => batchOf('access_controls', 'gh_wrong'), 403],
    ['an unknown secret in the path', 'POST', () => leadsOf('junk'), 401],
    [
      'a licence for an unknown secret',
      'PUT',
      () => `/api/v1/events/${testEvent.id}/exhibitors/junk/activate_license.json`,
      401,
    ],
  ])('%s', slow, async (_what, method, path, status) => {
    expect(await begin(path(), TYPES.xml, 10 * MIB, '<a>', { method }).status()).toBe(status)
  })

  test('the connection of an unread body is closed after the answer had time to arrive', slow, async () => {
    const started = begin(leadsOf('junk'), TYPES.json, 100 * MIB, ' '.repeat(60 * MIB))
    const closed = new Promise((resolve) => started.socket.once('close', resolve))
    expect(await started.status()).toBe(401)
    // The rest is read slowly, if at all: reading it at full speed costs more than refusing it.
    const left = new Promise<number>((resolve) => setTimeout(() => resolve(started.socket.writableLength), 1_000))
    expect(await left).toBeGreaterThan(20 * MIB)
    await closed
  })

  test.each([
    ['no path', '/nothing', 404],
    ['an unreadable path', '/%zz', 400],
    ['a path with too long a parameter', `/partner/${'x'.repeat(2_000)}`, 404],
  ])('the connection of an unread body is free for the next request: %s', async (_what, path, status) => {
    const started = begin(path, TYPES.json, 240_000, ' '.repeat(240_000))
    expect(await started.status()).toBe(status)
    started.socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(started.text).toContain('HTTP/1.1 200 OK')
  })
})

describe('a body that cannot become valid is refused before it is complete', () => {
  test.each([
    ['millions of elements', 'xml', `<a>${'<a/>'.repeat(MIB / 2)}`, 413],
    ['millions of entities', 'xml', `<a><b>${'&lt;'.repeat(MIB)}`, 413],
    ['millions of comments', 'xml', `<a>${'<!---->'.repeat(MIB / 2)}`, 413],
    ['too many pairs', 'form', 'a0[][b]=1&'.repeat(11_000), 413],
    ['millions of values', 'json', `[${'1,'.repeat(MIB)}`, 413],
    ['objects in objects', 'json', '{"a":'.repeat(2_000), 400],
    ['lists in lists', 'json', `{"a":"[","b":${'['.repeat(6_000)}`, 400],
    ['elements in elements', 'xml', '<a>'.repeat(2_000), 413],
    ['thousands of attributes', 'xml', `<r><a ${Array.from({ length: 5_000 }, (_, n) => `a${n}=""`).join(' ')}`, 400],
    ['an item of thousands of elements', 'xml', `<r><i>${'<a/>'.repeat(5_000)}`, 413],
    ['an item of thousands of entities', 'xml', `<r><i>${'&lt;'.repeat(30_000)}`, 413],
    ['an item of megabytes of text', 'xml', `<r><i>${'x'.repeat(4.5 * MIB)}`, 413],
    ['an object of thousands of members', 'json', `[{${Array.from({ length: 5_000 }, (_, n) => `"k${n}":1`)}`, 413],
  ] as const)('%s (%s)', async (_what, type, part, status) => {
    const length = type === 'form' ? MIB : 10 * MIB
    expect(part.length).toBeLessThan(length / 2)
    const started = begin(batchOf('access_controls'), TYPES[type], length, part)
    expect(await started.status(), started.text()).toBe(status)
  })

  test('brackets, commas and quotes within texts do not count', async () => {
    const text = `${'[{'.repeat(1_000)}\\"${','.repeat(3_000)}`
    const category = await testEvent.category()
    const body = `{"guest_category_id":"${category}","last_name":"A","message":"${text}"}`
    expect(body.length).toBeGreaterThan(4_096)
    const answer = await testEvent.api('POST', 'guests.json', body)
    expect(answer.status, answer.text.slice(0, 200)).toBe(201)
    expect(answer.body.message).toBe(text.replace('\\"', '"'))
  })
})

describe('a large batch', () => {
  const uid = (n: number): string => `unknown-${n}-${'x'.repeat(60)}`
  const numbers = Array.from({ length: 1_500 }, (_, n) => n)

  test('is read the same in JSON, wrapped or not, and in XML; the answer is the same in both', slow, async () => {
    const point = await testEvent.point()
    const item = (n: number) => ({ accesspoint_id: point, guest_uid: uid(n), access_stamp: '2026-11-24T10:00:00.000Z' })
    const json = JSON.stringify(numbers.map(item))
    const xml = numbers
      .map(
        (n) =>
          `<a><accesspoint-id>${point}</accesspoint-id><guest-uid>${uid(n)}</guest-uid><access-stamp>2026-11-24T10:00:00Z</access-stamp></a>`,
      )
      .join('\n')
    expect(Math.min(json.length, xml.length)).toBeGreaterThan(64 * 1024)
    const first = await testEvent.api('POST', 'access_controls/batch_create.json', json)
    expect([first.status, first.body.length]).toEqual([201, 1_500])
    expect(first.body.map(({ guest_uid }: { guest_uid: string }) => guest_uid)).toEqual(numbers.map(uid))
    // The scans are the same, so the stored ones are answered.
    const wrapped = await testEvent.api('POST', 'access_controls/batch_create.json', ` {"access_controls" : ${json} } `)
    expect([wrapped.status, wrapped.body]).toEqual([201, first.body])
    const fromXml = await testEvent.xml(
      'POST',
      'access_controls/batch_create.json',
      `<access-controls type="array">${xml}</access-controls>`,
    )
    expect([fromXml.status, fromXml.body]).toEqual([201, first.body])
    const toXml = await testEvent.api('POST', 'access_controls/batch_create.xml', json)
    expect(toXml.status).toBe(201)
    const uids = [...toXml.text.matchAll(/<guest-uid>([^<]+)<\/guest-uid>/g)].map(([, found]) => found)
    expect(uids).toEqual(numbers.map(uid))
    expect(toXml.text).toMatch(
      /<access-controls type="array"><access-control>[\s\S]*<\/access-control><\/access-controls>$/,
    )
  })

  test('with one item that is not JSON is 400, and nothing is stored', async () => {
    const before = await testEvent.read('signatures.json')
    const filler = `{"guest_uid":"${'x'.repeat(200)}"}`
    const items = Array.from({ length: 600 }, () => filler).join(',')
    for (const wrong of ['{"a":}', '', '"open', '1 2', '}{']) {
      const answer = await testEvent.api('POST', 'signatures/batch_create.json', `[${items},${wrong},${filler}]`)
      expect([answer.status, answer.body], wrong).toEqual([400, { error: 'The body is not valid JSON' }])
    }
    for (const end of ['', ',', ']]', '] x', ']}']) {
      const answer = await testEvent.api('POST', 'signatures/batch_create.json', `[${items}${end}`)
      expect(answer.status, end).toBe(400)
    }
    expect(await testEvent.read('signatures.json')).toEqual(before)
  })

  test('may be any member of the object around it; other members are ignored', slow, async () => {
    const point = await testEvent.point()
    const item = { accesspoint_id: point, guest_uid: uid(1), access_stamp: '2026-11-24T11:00:00.000Z' }
    const list = JSON.stringify(Array.from({ length: 800 }, () => item))
    for (const body of [
      `{"utf8":"✓","a":{"access_controls":[1]},"access_controls":${list}}`,
      `{"access\\u005fcontrols":${list},"commit":"Save"}`,
    ]) {
      const answer = await testEvent.api('POST', 'access_controls/batch_create.json', body)
      expect([answer.status, answer.body.length], answer.text.slice(0, 200)).toEqual([201, 800])
    }
    const twice = await testEvent.api(
      'POST',
      'access_controls/batch_create.json',
      `{"access_controls":${list},"access_controls":[]}`,
    )
    expect(twice.status).toBe(400)
  })

  test('of items with more values than fields is 413', async () => {
    const keys = Array.from({ length: 1_500 }, (_, n) => `"k${n}":1`).join(',')
    const items = Array.from({ length: 10 }, () => `{${keys}}`).join(',')
    const answer = await testEvent.api('POST', 'access_controls/batch_create.json', `[${items}]`)
    expect([answer.status, answer.body]).toEqual([413, { error: 'A batch item has too many values' }])
  })

  test('which is not a list is refused with that reason', async () => {
    const answer = await testEvent.api('POST', 'signatures/batch_create.json', `{"text":"${'x'.repeat(3 * MIB)}"}`)
    expect([answer.status, answer.body]).toEqual([422, { errors: { base: ['is not a list'] } }])
  })

  test('with one item that is too large is 413', slow, async () => {
    const answer = await testEvent.api('POST', 'signatures/batch_create.json', `[{"x":"${'x'.repeat(3 * MIB)}"}]`)
    expect([answer.status, answer.body]).toEqual([413, { error: 'A batch item has too many values' }])
  })

  test('does not block other requests while it is read', slow, async () => {
    const lines = '{"x1":"1","y1":"2","x2":"3","y2":"4"},'.repeat(4_000).slice(0, -1)
    const items = Array.from({ length: 60 }, () => `{"guest_uid":"a","points":{"lines":[${lines}]}}`).join(',')
    const slices = vi.spyOn(timeSlicer, 'run')
    onTestFinished(() => slices.mockRestore())
    /** How many slices of items were read so far; those of chunks that arrive have a number of bytes. */
    const itemSlices = (): number => slices.mock.calls.filter(([, bytes]) => bytes === undefined).length
    let isAnswered = false
    const large = testEvent.api('POST', 'signatures/batch_create.json', `[${items}]`).finally(() => {
      isAnswered = true
    })
    const seen = new Set<number>()
    while (!isAnswered) {
      expect((await fetch(`${system.url}/livez`)).status).toBe(200)
      seen.add(itemSlices())
    }
    expect((await large).status).toBe(422)
    // Read in one piece, the items would show two numbers: none and all.
    expect(seen.size).toBeGreaterThan(5)
  })
})

describe('a gateway process', () => {
  let gateway: Process
  const connections = 40

  beforeAll(async () => {
    gateway = await startProcess('gateway/main.ts', {
      nats_url: natsUrlOf('gateway'),
      namespace: system.namespace,
      host: '127.0.0.1',
      port: 0,
      max_connections_per_address: connections,
    })
  })
  afterAll(() => gateway?.stop())

  const megabytes = (): number => {
    const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  }

  test('keeps no bodies of strangers in memory', slow, async () => {
    await fetch(`${gateway.url}/livez`)
    const before = megabytes()
    const part = 'x'.repeat(MIB)
    const path = `/api/v1/events/${testEvent.id}/access_controls/batch_create.json`
    const started = Array.from({ length: connections + 5 }, () =>
      begin(path, TYPES.json, 10 * MIB, part, { base: gateway.url }),
    )
    const statuses = await Promise.all(started.map(({ status }) => status()))
    // Those that came first may have been closed by the last.
    expect(statuses.filter((status) => status === 403).length).toBeGreaterThan(connections / 2)
    expect(statuses.filter((status) => ![403, 0].includes(status))).toEqual([])
    expect(megabytes() - before).toBeLessThan(100)
    for (const { socket } of started) socket.destroy()
    await expect
      .poll(() =>
        fetch(`${gateway.url}/livez`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)
  })
})
