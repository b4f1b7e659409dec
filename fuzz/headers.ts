import fc from 'fast-check'
import { placeholder } from './case.ts'

/** A character that HTTP allows in a header's value. */
const visible = fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f)
const anyValue = fc.oneof(
  fc.array(visible, { maxLength: 40 }).map((codes) => String.fromCharCode(...codes)),
  fc
    .tuple(fc.constantFrom('x', 'é', ',', ';', '"', '=', 'a=b; '), fc.integer({ min: 1, max: 2_500 }))
    .map(([unit, times]) => unit.repeat(times)),
)

/** Odd values of headers that something in the system reads. */
const ODD: Record<string, readonly string[]> = {
  accept: ['*/*', 'text/html', 'application/problem+json', 'application/xml;q=2', ',,,', 'text/html;;;'],
  'accept-encoding': ['gzip', 'gzip;q=0', '*', 'br, gzip;q=x', 'identity;q=0'],
  'accept-language': ['de', 'ja,en;q=0.1', '*', 'x-klingon;q=9', 'de;q=', '-', 'en-'.repeat(500)],
  authorization: [
    ...['Bearer', 'Bearer  ', 'Basic Og==', 'Basic %', 'bearer gh_x', 'Digest x'],
    `Bearer ${placeholder('auth_token')}`,
  ],
  'content-encoding': ['gzip', 'br', 'x'],
  'content-type': [
    ...['application/json', 'application/json;charset=utf-16', 'APPLICATION/JSON ; x="', 'application/xml'],
    ...['text/xml;charset=latin1', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary='],
    ...['multipart/form-data; boundary=x', 'text/csv', 'application/pdf', 'application/octet-stream', '/', ';', ''],
  ],
  cookie: [
    `gatehouse_partner=${placeholder('partner_access_token')}`,
    ...['gatehouse_partner=x', '=;=', 'a', '_session=x; _session.sig=y', '__proto__=1; constructor=2'],
  ],
  expect: ['100-continue', 'the-best'],
  forwarded: ['for=x'],
  host: ['a.example', '[::1]:0', 'a b', '..', 'localhost:99999', 'x'.repeat(300)],
  'idempotency-key': ['', 'a', 'same', ' ', 'é', 'x'.repeat(255), 'x'.repeat(256), '{"a":1}', '$ne'],
  'if-match': ['*', '"x"', 'W/"x"', '"'],
  'if-none-match': ['*', '"x"', 'W/"x", "y"', '"'],
  'if-modified-since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'yesterday'],
  'last-event-id': ['0', '1.1', '-1', '999999999999999', 'x', '1.1.1'],
  origin: ['null', 'https://evil.example', 'x'],
  prefer: ['return=representation', 'return=minimal', 'wait=-1', 'return=representation;;;, x="'],
  range: ['bytes=0-', 'bytes=-1', 'bytes=9-1', 'x'],
  referer: ['https://evil.example', 'x'],
  'sec-fetch-site': ['cross-site', 'none', 'x'],
  traceparent: [
    ...[`00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`, `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
    ...[`ff-${'a'.repeat(32)}-${'b'.repeat(16)}-ff`, 'x', '00-'],
  ],
  tracestate: ['a=b', ',,,', `${'a=b,'.repeat(600)}`],
  upgrade: ['websocket', 'h2c'],
  'x-forwarded-for': ['1.2.3.4', '::', 'x', ',', '1.2.3.4, 5.6.7.8', '1,'.repeat(1_000)],
  'x-forwarded-host': ['evil.example'],
  'x-forwarded-proto': ['https', 'x'],
  'x-http-method-override': ['DELETE'],
}

const names = fc.constantFrom(...Object.keys(ODD))
const oddHeader = names.chain((name) =>
  fc
    .oneof({ arbitrary: fc.constantFrom(...(ODD[name] ?? [])), weight: 2 }, anyValue)
    .map((value): [string, string] => [name, value]),
)
const UNKNOWN = [
  'x-gatehouse',
  '__proto__',
  'constructor',
  'nats-service-error',
  'gatehouse-status',
  'a'.repeat(500),
  '0',
]
const unknownHeader = fc.tuple(fc.constantFrom(...UNKNOWN), anyValue)

/** Headers of which few are as they should be; their values have at most some thousand characters in all. */
export function oddHeaders(maxLength: number): fc.Arbitrary<[name: string, value: string][]> {
  return fc.array(fc.oneof({ arbitrary: oddHeader, weight: 6 }, unknownHeader), { maxLength })
}
