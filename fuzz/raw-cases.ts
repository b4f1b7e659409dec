import fc from 'fast-check'
import { placeholder, type RawCase } from './case.ts'
import { damaged, damages } from './values.ts'

/* Bytes that are not quite HTTP, and requests that come together on one connection. */

const LINES = [
  'GET /livez HTTP/1.1',
  `GET /api/v1/events.json?auth_token=${placeholder('auth_token')} HTTP/1.1`,
  'POST /oauth/token HTTP/1.1',
  `POST /api/v1/contact_fields.json?auth_token=${placeholder('auth_token')} HTTP/1.1`,
  'GET http://a.example/livez HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'CONNECT a.example:443 HTTP/1.1',
  'GET /livez HTTP/1.0',
  'GET /livez HTTP/9.9',
  'GET /livez',
  'PRI * HTTP/2.0',
  'GET\t/livez\tHTTP/1.1',
  'GET /liv\xc3\xa9.json HTTP/1.1',
  'HEAD /\xff HTTP/1.1',
  'GET /live\0z HTTP/1.1',
  '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
]
const HEADERS = [
  'Content-Length: 0',
  'Content-Length: 2',
  'Content-Length: 2, 2',
  'Content-Length: -1',
  'Content-Length: +2',
  'Content-Length: 99999999999999999999',
  'Content-Length: 0x2',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: identity',
  'Connection: close',
  'Connection: upgrade',
  'Connection: content-length, host',
  'Upgrade: h2c',
  'Upgrade: websocket',
  'Expect: 100-continue',
  'Content-Type: application/json',
  ' folded: x',
  'x\0y: z',
  'x: a\0b',
  `X: ${'x'.repeat(9_000)}`,
]
const BODIES = [
  '',
  '{}',
  '2\r\n{}\r\n0\r\n\r\n',
  '2;x=y\r\n{}\r\n0\r\nTrailer: x\r\n\r\n',
  'ffffffffffffffff\r\n',
  '-1\r\n\r\n',
  '0\r\n\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n',
]

const request = fc
  .record({
    line: fc.oneof(fc.constantFrom(...LINES.slice(0, 4)), fc.constantFrom(...LINES)),
    host: fc.constantFrom('Host: a.example\r\n', 'Host: a.example\r\n', '', 'Host: a\r\nHost: b\r\n'),
    headers: fc.array(fc.constantFrom(...HEADERS), { maxLength: 2 }),
    end: fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r'),
    body: fc.constantFrom(...BODIES),
  })
  .map(
    ({ line, host, headers, end, body }) =>
      `${line}${end}${host}${headers.map((header) => header + end).join('')}${end}${body}`,
  )

/** One or several requests on one connection, and what noise makes of them. */
export const rawRequests: fc.Arbitrary<RawCase> = fc
  .tuple(fc.array(request, { minLength: 1, maxLength: 4 }), damages)
  .map(([requests, damage]) => ({ kind: 'raw', bytes: damaged(requests.join(''), damage) }))
