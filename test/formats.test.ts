import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sharedSystem } from './harness/shared-system.ts'
import { startSystem } from './harness/system.ts'
import { TestEvent } from './harness/test-event.ts'
import { slow } from './rounds.ts'

const system = await sharedSystem()

const JSON_TYPE = 'application/json; charset=utf-8'
const XML_TYPE = 'application/xml; charset=utf-8'

const testEvent = await TestEvent.open(system)

/** Sends a request with exactly this path and these headers. */
function raw(method: string, path: string, headers: Record<string, string> = {}, body?: string | Buffer) {
  return new Promise<{ status: number; type: string | undefined; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(system.url)
    const request = httpRequest({ hostname, port, method, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'], text }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

const authorized = (path: string): string => `/api/v1/${path}?auth_token=${system.auth_token}`

describe('a body', () => {
  const guest = { first_name: 'Zoë', last_name: 'Ünal' }
  const form = 'guest[first_name]=Zo%C3%AB&guest[last_name]=%C3%9Cnal&guest[guest_category_id]='
  const xml = (category: string): string =>
    `<guest><first-name>Zoë</first-name><last-name>Ünal</last-name><guest-category-id>${category}</guest-category-id></guest>`
  const json = (category: string): string => JSON.stringify({ guest: { ...guest, guest_category_id: category } })

  test.each([
    ['application/json', json],
    ['application/json; charset=utf-8', json],
    ['APPLICATION/JSON;charset=UTF-8', json],
    ['application/xml', xml],
    ['application/xml; charset=utf-8', xml],
    ['text/xml', xml],
    ['text/xml; charset="utf-8"', xml],
    ['application/x-www-form-urlencoded', (category: string) => form + category],
    ['application/x-www-form-urlencoded; charset=UTF-8', (category: string) => form + category],
  ])('of %s is accepted, with an answer in either format', async (type, make) => {
    const category = await testEvent.category()
    for (const suffix of ['json', 'xml']) {
      const headers = { 'content-type': type }
      const answer = await testEvent.api('POST', `guests.${suffix}`, make(category), { headers })
      expect(answer.status, answer.text).toBe(201)
      expect(answer.headers.get('content-type')).toBe(suffix === 'json' ? JSON_TYPE : XML_TYPE)
      expect(answer.text).toContain('Zoë')
      expect(answer.text).toContain('Ünal')
    }
  })

  test('with bytes that are not UTF-8 is 400 in JSON and XML, and nothing is stored', async () => {
    const before = await testEvent.read('accesspoints.json')
    const path = `events/${testEvent.id}/accesspoints`
    for (const [type, text] of [
      [JSON_TYPE, '{"name":"Zo\xeb"}'],
      [XML_TYPE, '<accesspoint><name>Zo\xeb</name></accesspoint>'],
    ] as const) {
      const body = Buffer.from(text, 'latin1')
      const answer = await raw('POST', authorized(`${path}.json`), { 'content-type': type }, body)
      expect(answer.status, answer.text).toBe(400)
    }
    expect(await testEvent.read('accesspoints.json')).toEqual(before)
  })

  test('which is missing counts as empty: 422 with the missing fields', async () => {
    for (const headers of [{}, { 'content-type': JSON_TYPE }, { 'content-type': XML_TYPE }]) {
      const answer = await raw('POST', authorized(`events/${testEvent.id}/accesspoints.json`), headers)
      expect([answer.status, answer.text], JSON.stringify(headers)).toEqual([
        422,
        '{"errors":{"name":["can\'t be blank"]}}',
      ])
    }
  })

  test('is ignored where none is expected', async () => {
    const headers = { 'content-type': JSON_TYPE, 'content-length': '1' }
    expect((await raw('GET', authorized('events.json'), headers, '{')).status).toBe(200)
    const point = await testEvent.point()
    const path = authorized(`events/${testEvent.id}/accesspoints/${point}.json`)
    expect((await raw('DELETE', path, headers, '{')).status).toBe(204)
  })
})

describe('XML input', () => {
  test('type attributes are optional, and any element is an item of a list', async () => {
    const [category, point] = [await testEvent.category(), await testEvent.point()]
    const list = (name: string, item: string): string =>
      `<access-privileges-attributes type="array"><${item}><accesspoint-id>${point}</accesspoint-id><access-once${name}>1</access-once></${item}></access-privileges-attributes>`
    for (const [attribute, item] of [
      ['', 'access-privilege'],
      [' type="boolean"', 'access-privileges-attribute'],
      [' type="string"', 'anything'],
    ] as const) {
      const document = `<guest><last-name>A</last-name><guest-category-id>${category}</guest-category-id>${list(attribute, item)}</guest>`
      const answer = await testEvent.xml('POST', 'guests.json', document)
      expect(answer.status, answer.text).toBe(201)
      expect(answer.body.access_privileges).toEqual([{ access_once: true, accesspoint_id: point }])
    }
  })

  test('names are read with hyphens and with underscores', async () => {
    const category = await testEvent.category()
    for (const name of ['guest-category-id', 'guest_category_id']) {
      const answer = await testEvent.xml(
        'POST',
        'guests.xml',
        `<guest><uid>${name}</uid><${name}>${category}</${name}></guest>`,
      )
      expect(answer.status, answer.text).toBe(201)
      expect(answer.text).toContain(`<guest-category-id>${category}</guest-category-id>`)
    }
  })

  test('date-times are written with type datetime, in UTC, with milliseconds and Z', async () => {
    const document =
      '<event><start-date type="datetime">2026-05-01T10:00:00+02:00</start-date><end-date type="dateTime">2026-05-01T10:00:00.5Z</end-date></event>'
    const answer = await system.api('PUT', `events/${testEvent.id}.xml`, document, {
      headers: { 'content-type': XML_TYPE, prefer: 'return=representation' },
    })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).toContain('<start-date type="datetime">2026-05-01T08:00:00.000Z</start-date>')
    expect(answer.text).toContain('<end-date type="datetime">2026-05-01T10:00:00.500Z</end-date>')
    const { start_date, end_date } = (await system.api('GET', `events/${testEvent.id}.json`)).body
    expect([start_date, end_date]).toEqual(['2026-05-01T08:00:00.000Z', '2026-05-01T10:00:00.500Z'])
  })
})

describe('every answer', () => {
  test.each([
    ['of the API', () => authorized('events.json'), 200],
    ['to a refused request', () => '/api/v1/events.json', 403],
    ['to an unknown path', () => '/nothing.json', 404],
    ['about health', () => '/livez', 200],
    ['to an unreadable path', () => '/%zz', 400],
  ])('%s may not be cached, and forbids sniffing its type', async (_what, path, status) => {
    const answer = await fetch(system.url + path())
    expect(answer.status).toBe(status)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('strict-transport-security')).toBeNull()
  })

  test('requires HTTPS if so configured', slow, async () => {
    const other = await startSystem({ checkins: 0, guests: 0, gateway: { hsts_max_age: 3_600 } })
    onTestFinished(() => other.stop())
    for (const path of ['/livez', '/%zz']) {
      const answer = await fetch(other.url + path)
      expect([path, answer.headers.get('strict-transport-security')]).toEqual([path, 'max-age=3600'])
    }
    expect(await answerTo(GARBAGE, other.url)).toContain('\r\nstrict-transport-security: max-age=3600\r\n')
  })
})

test('a request that is not complete within REQUEST_TIMEOUT_MS, or twice as long, is 408', slow, async () => {
  const other = await startSystem({ checkins: 0, guests: 0, gateway: { request_timeout_ms: 1_000 } })
  onTestFinished(() => other.stop())
  const path = `/api/v1/tokens.json?auth_token=${other.auth_token}`
  const body = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{`
  const answers = await Promise.all([answerTo('GET / HTTP/1.1\r\nHo', other.url), answerTo(body, other.url)])
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

/** Sends raw bytes and returns all that comes back until the connection ends. */
function answerTo(bytes: string, base = system.url): Promise<string> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    // The server may close the connection while the test still sends.
    socket.on('error', () => {})
    socket.once('close', () => resolve(text))
  })
}

const GARBAGE = 'GARBAGE\r\n\r\n'
const CHUNKED = 'POST /oauth/token HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n'
const livez = (headers: string): string => `GET /livez HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`

describe('a raw request', () => {
  test.each([
    ['two Host headers', livez('Host: a.example\r\nHost: b.example\r\n'), 400, 'Send exactly one Host header'],
    ['the same Host twice', livez('host: a.example\r\nHOST: a.example\r\n'), 400, 'Send exactly one Host header'],
    ['no Host header', livez(''), 400, 'Send exactly one Host header'],
    ['bytes that are not HTTP', GARBAGE, 400, 'The request is not valid HTTP'],
    ['a header without a name', livez('Host: a.example\r\n: x\r\n'), 400, 'The request is not valid HTTP'],
    ['a chunk without a length', `${CHUNKED}x\r\n`, 400, 'The request is not valid HTTP'],
    ['chunk extensions', `${CHUNKED}2;${'x'.repeat(20_000)}`, 413, 'The chunk extensions are too large'],
    ['headers of 20 kB', livez(`Host: a.example\r\nX: ${'x'.repeat(20_000)}\r\n`), 431, 'The headers are too large'],
    ['headers of 2 MB', livez(`Host: a.example\r\nX: ${'x'.repeat(2e6)}\r\n`), 431, 'The headers are too large'],
  ])('with %s is refused', async (_what, bytes, status, error) => {
    const [head = '', body, ...more] = (await answerTo(bytes)).split('\r\n\r\n')
    const [first, ...headers] = head.toLowerCase().split('\r\n')
    expect(first).toMatch(new RegExp(`^http/1\\.1 ${status} [a-z ]+$`))
    expect([JSON.parse(body ?? ''), more]).toEqual([{ error }, []])
    expect(headers).toEqual(
      expect.arrayContaining([
        'cache-control: no-store',
        'x-content-type-options: nosniff',
        'content-type: application/json; charset=utf-8',
        'connection: close',
      ]),
    )
  })

  test.each([
    ['one Host header', livez('Host: a.example\r\n')],
    ['no Host header in HTTP/1.0', 'GET /livez HTTP/1.0\r\n\r\n'],
    ['an unknown expectation', livez('Host: a.example\r\nExpect: the-best\r\n')],
  ])('with %s is answered', async (_what, bytes) => {
    expect(await answerTo(bytes)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]+\{"status":"ok"\}$/)
  })
})

describe('Prefer', () => {
  test.each([
    ['return=representation', 200],
    ['respond-async, return=representation', 200],
    ['return=minimal', 204],
    ['wait=10', 204],
  ])('%s on an update: %i', async (prefer, status) => {
    const point = await testEvent.point()
    for (const suffix of ['json', 'xml']) {
      const path = `accesspoints/${point}.${suffix}`
      const answer = await testEvent.api('PUT', path, { name: 'Gate' }, { headers: { prefer } })
      expect(answer.status).toBe(status)
      if (status === 204) expect(answer.text).toBe('')
      else expect(answer.text).toContain('Gate')
    }
  })
})

describe('a refusal', () => {
  const missing = (): string => `events/${'f'.repeat(24)}`

  test.each([
    ['forbidden', 403, 'The auth_token is missing', () => 'events.SUFFIX?auth_token='],
    ['not found', 404, 'Not found', () => `${missing()}.SUFFIX`],
    ['invalid', 422, "can't be blank", () => 'events.SUFFIX'],
  ])('%s: in JSON, in XML, and as a problem', async (_what, status, words, path) => {
    const [method, body] = status === 422 ? ['POST', { account_id: system.account_id }] : ['GET', undefined]
    const init = status === 403 ? { token: '' } : {}
    const at = (suffix: string): string => path().replace('SUFFIX', suffix)

    const json = await system.api(method, at('json'), body, init)
    expect([json.status, json.headers.get('content-type')]).toEqual([status, JSON_TYPE])
    expect(Object.keys(json.body)).toEqual([status === 422 ? 'errors' : 'error'])
    expect(json.text).toContain(words)

    const xml = await system.api(method, at('xml'), body, init)
    expect([xml.status, xml.headers.get('content-type')]).toEqual([status, XML_TYPE])
    expect(xml.text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<errors>(<error>[^<]+<\/error>)+<\/errors>$/)
    expect(xml.text).toContain(words)

    for (const suffix of ['json', 'xml']) {
      const problem = await system.api(method, at(suffix), body, {
        ...init,
        headers: { accept: 'application/problem+json' },
      })
      expect(problem.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
      expect(problem.body).toMatchObject({ type: 'about:blank', status })
      if (status === 422) expect(problem.body.errors).toEqual({ title: ["can't be blank"] })
    }
  })

  test('of 403 says whether the token is missing, invalid, or lacks a right, and which right', async () => {
    const refused = async (path: string, token: string, method = 'GET', body?: object): Promise<string> => {
      const answer = await system.api(method, path, body, { token })
      expect(answer.status, answer.text).toBe(403)
      return answer.body.error
    }
    const tokenOf = async (fields: object): Promise<string> =>
      (await system.api('POST', 'tokens.json', { name: 'a', ...fields })).body.token
    const [read, door] = [await tokenOf({ scope: 'read' }), await tokenOf({ scope: 'door' })]
    const bound = await tokenOf({ scope: 'admin', event_id: testEvent.id })
    const other = (await TestEvent.open(system)).id
    const path = `events/${testEvent.id}`
    expect(await refused('events.json', '')).toBe('The auth_token is missing')
    expect(await refused('events.json', 'gh_wrong')).toBe('The auth_token is not valid')
    expect(await refused(`${path}/guests.json`, read, 'POST', {})).toBe(
      'The auth_token has the scope read: this needs admin',
    )
    expect(await refused(`${path}/exhibitors.json`, door)).toBe(
      'The auth_token has the scope door: this needs admin or read',
    )
    expect(await refused(`events/${other}/guests.json`, bound)).toBe('The auth_token is bound to another event')
    expect(await refused('tokens.json', bound)).toBe(
      'The auth_token is limited to one event; use an account-wide token',
    )
  })

  test('of an unknown path is 404 in its format, with or without a token', async () => {
    for (const token of [system.auth_token, '']) {
      const json = await system.api('GET', 'nothing.json', undefined, { token })
      expect([json.status, json.body]).toEqual([404, { error: 'There is no such path for GET' }])
      const xml = await system.api('GET', `events/${testEvent.id}/nothing.xml`, undefined, { token })
      expect([xml.status, xml.headers.get('content-type')]).toEqual([404, XML_TYPE])
      expect(xml.text).toContain('<errors><error>There is no such path for GET</error></errors>')
      expect((await system.api('GET', 'nothing', undefined, { token })).status).toBe(404)
    }
  })

  test('of an unknown path is a page for people, in their language, unless it is one of the API', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'de-CH' }
    const page = await fetch(`${system.url}/no/such/path`, { headers })
    const text = await page.text()
    expect([page.status, page.headers.get('content-language')]).toEqual([404, 'de'])
    expect(text).toContain('<h1>Diese Seite gibt es nicht</h1>')
    for (const [path, given] of [
      ['/no/such/path', {}],
      ['/api/v1/nothing.json', headers],
    ] as const) {
      const answer = await fetch(system.url + path, { headers: given })
      expect([answer.status, await answer.json()]).toEqual([404, { error: 'There is no such path for GET' }])
    }
  })

  test('of a method that the path does not have is 404', async () => {
    for (const [method, path] of [
      ['PATCH', 'events.json'],
      ['PUT', `events/${testEvent.id}/access_controls/${'f'.repeat(24)}.json`],
      ['DELETE', `events/${testEvent.id}/guest_fields/${'f'.repeat(24)}.json`],
    ] as const) {
      const answer = await system.api(method, path)
      expect([answer.status, answer.body], `${method} ${path}`).toEqual([
        404,
        { error: `There is no such path for ${method}` },
      ])
    }
  })

  test.each([
    ['a percent sign alone', '%'],
    ['a percent sign before no digits', '%ZZ'],
    ['half a character', '%E0%A4%A'],
    ['NUL', '%00'],
    ['two thousand letters', 'x'.repeat(2_000)],
    ['the folder above', '..%2f..%2f'],
    ['braces', '{}'],
    ['a quote', '"'],
    ['a tag', '<a>'],
  ])('of an unreadable path is in its format and never contains the token: %s', async (_what, part) => {
    for (const suffix of ['json', 'xml']) {
      const answer = await raw('GET', authorized(`events/${part}/guests.${suffix}`))
      expect([400, 404], answer.text).toContain(answer.status)
      expect(answer.text).not.toContain(system.auth_token)
      expect(answer.type).toBe(suffix === 'json' ? JSON_TYPE : XML_TYPE)
      if (suffix === 'json') expect(Object.keys(JSON.parse(answer.text))).toEqual(['error'])
      else expect(answer.text).toMatch(/<errors><error>[^<]+<\/error><\/errors>$/)
    }
  })
})
