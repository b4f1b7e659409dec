import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'

const system = await sharedSystem()
const { host, hostname, port } = new URL(system.url)

/** Sends the head of a request, without a body, on a connection of its own. Returns the status and the body of the answer. */
function answerTo(line: string, headers: Record<string, string> = {}): Promise<[status: number, body: string]> {
  const all = Object.entries({ host, connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`${line} HTTP/1.1\r\n${all.join('')}\r\n`))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('error', reject)
    socket.once('close', () => resolve([Number(text.slice(9, 12)), text.slice(text.indexOf('\r\n\r\n') + 4)]))
  })
}

describe('a target that is a whole URL', () => {
  test.each(['/livez', '/console/session.json', `/sso/${system.slug}/.well-known/openid-configuration`, '/oauth/keys'])(
    'is answered as its path: %s',
    async (path) => {
      expect(await answerTo(`GET http://${host}${path}`)).toEqual(await answerTo(`GET ${path}`))
    },
  )

  test('without a path is that of the root', async () => {
    expect(await answerTo(`GET http://${host}`)).toEqual([302, ''])
  })

  test('of another host than the header is 400', async () => {
    const body = '{"error":"Send exactly one Host header"}'
    expect(await answerTo('GET http://evil.example/livez')).toEqual([400, body])
  })
})

test.each(['/console/sign-out', '/%63onsole/sign-out', '/console/passkeys/x', '/con%73ole/welcome/x', 'whole'])(
  'what changes something below /console/ comes from a page of the console, however the path is spelled: %s',
  async (spelled) => {
    const path = spelled === 'whole' ? `http://${host}/console/sign-out` : spelled
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }] as object[])
      expect(await answerTo(`POST ${path}`, { 'content-length': '0', ...headers })).toEqual([
        403,
        '{"error":"The request does not come from the console"}',
      ])
  },
)

test('a compressed body is 415, and never unpacked', slow, async () => {
  for (const [path, type] of [
    ['tokens.json', 'application/json'],
    ['contacts/import.json', 'text/csv'],
  ] as const) {
    const headers = { 'content-type': type, 'content-encoding': 'gzip' }
    const url = `${system.url}/api/v1/${path}?auth_token=${system.auth_token}`
    const answer = await fetch(url, { method: 'POST', headers, body: gzipSync(Buffer.alloc(10_000_000, 32)) })
    expect([answer.status, await answer.json()]).toEqual([415, { error: 'Compressed bodies are not accepted' }])
  }
})

describe('a file of the documentation', () => {
  const get = (headers: Record<string, string>) => fetch(`${system.url}/openapi.json`, { headers })

  test('is 304 for a client that has it, also among others, or any', slow, async () => {
    const etag = (await get({})).headers.get('etag') as string
    const statusOf = async (known: string) => (await get({ 'if-none-match': known })).status
    const known = [etag, etag.replace('W/', ''), `"x", ${etag}`, '*', '"x"']
    expect(await Promise.all(known.map(statusOf))).toEqual([304, 304, 304, 304, 200])
  })

  test.each([
    ['gzip', 'gzip'],
    ['br, gzip;q=0.5', 'gzip'],
    ['gzip;q=0', null],
    ['gzip; q=0.000', null],
    ['identity', null],
  ])('is compressed as Accept-Encoding says: %s', async (accepted, encoding) => {
    expect((await get({ 'accept-encoding': accepted })).headers.get('content-encoding')).toBe(encoding)
  })
})
