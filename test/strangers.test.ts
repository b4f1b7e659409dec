// @module-tag slow
import { guests } from '@gatehouse/guests/resources'
import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { MAX_BATCH } from '@gatehouse/proto/declaring/resource.ts'
import { hookUrlError } from '@gatehouse/proto/declaring/webhook-urls.ts'
import { deciphered } from '@gatehouse/proto/formats/ciphered-codes.ts'
import { itemsOf, parseItem } from '@gatehouse/proto/formats/json-items.ts'
import { parseJson, readDateTime, readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import { readList } from '@gatehouse/proto/formats/lists/list.ts'
import { languageOf } from '@gatehouse/proto/pages/languages.ts'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { type BodyConverter, FormConverter, XmlConverter } from '../gateway/forwarding/body-converters.ts'
import { type BodyMeter, formMeter, jsonMeter, xmlMeter } from '../gateway/forwarding/body-meters.ts'
import { accepts, charsetOf, hasAlready, mediaTypeOf, takeSuffix } from '../gateway/http/request.ts'
import { readSearch } from '../services/guests/guests/search.ts'
import { htmlOf, readMessage, textOf, unknownLinks } from '../services/partners/delivery/invitation-types/markup.ts'
import { unknownPlaceholders } from '../services/partners/delivery/invitation-types/placeholders.ts'
import { mailServerAdapter } from '../services/partners/feedback/mail-feedback/mail-server.ts'
import { sesAdapter } from '../services/partners/feedback/mail-feedback/ses.ts'
import { tokenOfCookie } from '../services/partners/pages/partner-pages/resource.ts'
import { readUploadForm } from '../services/partners/pages/partner-pages/uploads/multipart.ts'
import { readUpload } from '../services/partners/pages/partner-pages/uploads/reading.ts'
import { readForm } from '../services/partners/pages/registrations/form.ts'
import { cookieIn } from '../services/sso/console/resource.ts'
import { basicNameOf, readForm as readTokenForm } from '../services/sso/oidc/token-request.ts'
import { isDeep } from './rounds.ts'

/*
 * Parsers of strangers' texts, each with the inputs that are worst for it, of the largest size that it gets: a process has one event loop, and while
 * it parses, nobody else is answered. Takes some ten seconds of CPU time.
 */

const KIB = 1024
const MIB = KIB * KIB
/** What Node takes of all headers of a request. */
const HEADERS = 16 * KIB
/** The largest batch and upload; `npm test` tries a part of it, since these are read in slices. */
const FILE = isDeep ? 10 * MIB : MIB / 2
/** How many units of work a parser may take at once. One whose work grows faster than its input takes hundreds. */
const UNITS = 40

type Parser = [name: string, inputs: readonly string[], read: (text: string, bytes: Buffer) => unknown]

/** Inputs of a size, each of a part that is repeated between a head and a tail. */
function each(bytes: number, parts: readonly string[], head = '', tail = ''): string[] {
  const room = bytes - head.length - tail.length
  return parts.map((part) => head + part.repeat(Math.max(0, Math.floor(room / part.length))) + tail)
}

const nestedLists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

/** An object of as many members as fit. */
function members(bytes: number): string {
  const names = Array.from({ length: Math.floor(bytes / 12) }, (_, index) => `"${index.toString(36)}":1`)
  return `{${names.join(',')}}`
}

const SECRET = 'secret-of-the-mail-server'
const DAEMON = 'From: MAILER-DAEMON@x.example\nSubject: failure notice\n'
const REPORT = `${DAEMON}Content-Type: multipart/report; boundary=b\n\n`
const STATUS = `${REPORT}--b\nContent-Type: message/delivery-status\n\n`
const ANSWER = `${STATUS}Action: failed\nDiagnostic-Code: `
const nestedParts = Array.from(
  { length: 18_000 },
  (_, index) => `--b${index}\nContent-Type: multipart/mixed; boundary=b${index + 1}\n\n`,
)
const mails = [
  `${DAEMON}Content-Type: multipart/report; boundary=b0\n\n${nestedParts.join('')}`.slice(0, MIB),
  ...each(MIB, ['\n', '\r', 'a: b\n', 'a', ' ']),
  ...each(MIB, ['a:', 'a@b,', '<'], 'To: '),
  ...each(MIB, [' \n x'], 'a: b'),
  ...each(MIB, [' boundary', ';  ', '"'], 'Content-Type: multipart/report;'),
  ...each(MIB, ['\n', 'a@b.c: no\n', '<a@b\n', 'to: ', 'user ', 'final-recipient:', '<a <'], `${DAEMON}\n`),
  ...each(MIB, ['\n--', '\n--b', '\n--b\n\n', '--b\n'], REPORT),
  ...each(MIB, ['=41', '=  '], `${DAEMON}Content-Transfer-Encoding: quoted-printable\n\n`),
  ...each(MIB, ['QUFB'], `${DAEMON}Content-Transfer-Encoding: base64\n\n`),
  ...each(MIB, ['\x1b$B'], `${DAEMON}Content-Type: text/plain; charset=iso-2022-jp\n\n`),
  ...each(MIB, ['Final-Recipient: rfc822; a@b\nAction: failed\n\n', 'Action: failed\n'], STATUS),
  ...each(MIB, ['user ', 'a.', '5.1.', 'sender ', 'a@'], ANSWER),
  ...each(MIB, ['To: a@b,\n '], `${REPORT}--b\nContent-Type: message/rfc822\n\n`),
]

const readReport = mailServerAdapter(SECRET)
const readSns = sesAdapter('arn:aws:sns:eu-west-1:123456789012:bounces', () => Promise.reject(new Error('asked')))
const callOf = (body: string) => ({
  headers: new Map([['authorization', `Bearer ${SECRET}`]]),
  recipient: '+'.repeat(1_000),
  body: Buffer.from(body, 'latin1'),
})

const actions = guests.actions as unknown as Record<'create' | 'create_many', { body: SchemaNode }>
const [guest, batch] = [actions.create.body, actions.create_many.body]

/** Takes a body in as the gateway does. */
async function takeIn(bytes: Buffer, meter: BodyMeter, converter?: BodyConverter): Promise<Buffer> {
  for (let at = 0; at < bytes.length; at += 64 * KIB) {
    const chunk = bytes.subarray(at, at + 64 * KIB)
    await timeSlicer.run(() => meter(chunk))
    await converter?.write(chunk)
  }
  return (await converter?.end()) ?? bytes
}

/** As many items as a batch may have. */
function* firstOf<T>(items: Iterable<T>): Generator<T> {
  let count = 0
  for (const item of items) {
    if (count++ === MAX_BATCH) return
    yield item
  }
}

function readHeaders(text: string): unknown[] {
  const headers = { 'accept-encoding': text, 'content-type': text, 'if-none-match': text }
  const request = { headers } as unknown as FastifyRequest
  return [
    [accepts(request, 'gzip'), charsetOf(request), mediaTypeOf(request), hasAlready(request, text)],
    [takeSuffix({ url: `/${text}` } as never), basicNameOf(`Basic ${text}`)],
    [cookieIn(text, 'a'), tokenOfCookie(text), languageOf([text], text, text)],
  ]
}

function readInvitation(text: string): unknown[] {
  const dots = '.a'.repeat(120)
  const values = {
    first_name: dots,
    last_name: '',
    email: '',
    event_title: dots,
    partner_name: '',
    link: 'https://x.example',
  }
  const message = readMessage(text)
  return [unknownLinks(text), unknownPlaceholders(text), textOf(message, values), htmlOf(message, values)]
}

const UPLOAD = '--b\r\nContent-Disposition: form-data; name="addresses"\r\n\r\n'
const NOBODY = { first_name: null, last_name: null, guest_metadata: [] } as never
const CIPHER = { enabled: true, key: `${'A'.repeat(43)}=`, iv: `${'A'.repeat(22)}==` } as never
const CSV_LIMITS = { rows: 10_000, columns: 120, rowCharacters: 262_144, unpackedBytes: 64 * 1024 * 1024 }
const HEADER_PARTS = [
  ' ',
  ';',
  ' ;',
  ',',
  'a,',
  ';q=',
  'a=;',
  'a=',
  'gzip ;',
  'charset',
  '; charset=',
  'W/,',
  '.',
  '/.',
]
const ROWS = [
  '\n',
  '\r',
  '"',
  ',',
  ';',
  '\t',
  ' ',
  'a',
  'a,b\n',
  '"a"\n',
  '"\n',
  '=\n',
  'a@b.example\n',
  'a@b ',
  '<',
  '@,',
]
const MARKS = [
  '*',
  '**',
  '[',
  '[a',
  '[a](',
  '[a]({{link}})',
  '{{',
  '{{a}}',
  '- \n',
  '\n\n',
  '\\',
  '*a **b ',
  '- *a\n',
  'a.b',
]
const TAGS = ['<a>', '<a/>', '&amp;', '<!---->', '<', ' ', '<![CDATA[', '<a b="', 'a', '<?a?>', ']]>', '<guest a="1" ']

const parsers: Parser[] = [
  [
    'returned e-mails',
    mails,
    async (text) => {
      for (const { event } of await readReport(callOf(text))) if (typeof event === 'function') event('x@example.org')
    },
  ],
  [
    'messages of SNS',
    [
      nestedLists(MIB / 2),
      members(MIB),
      ...each(MIB, ['[],', '1,', '{"a":1},'], '[', '0]'),
      ...each(MIB, ['\\u0041', '\\"', 'a'], '"', '"'),
      ...each(MIB, ['{"a":', '"a":{']),
    ],
    (text) => readSns(callOf(text)),
  ],
  ['headers', each(HEADERS, HEADER_PARTS), readHeaders],
  ['searches', each(HEADERS, [' ', '"', 'a', 'a:', 'a:"', '" ', 'status:', '-a', 'status:,']), readSearch],
  ['dates', each(64 * KIB, [' ', '2', '2026-01-01T00:00:00']), readDateTime],
  ['URLs of hooks', each(2_000, ['a', '.', 'localhost.', '[', '@'], 'https://'), (text) => hookUrlError(text, false)],
  ['QR codes', each(64 * KIB, ['A', '='], 'E:'), (text) => deciphered(text, CIPHER)],
  ['messages of invitations', each(10_000, MARKS), readInvitation],
  [
    'registrations',
    each(64 * KIB, ['a&', '%', '+', 'first_name=a&', 'x'], 'first_name='),
    (text) => readForm([], NOBODY, new URLSearchParams(text)),
  ],
  [
    'token requests',
    [members(64 * KIB), nestedLists(32 * KIB), ...each(64 * KIB, ['a&', '%', '+'])],
    (text) => ['application/json', 'application/x-www-form-urlencoded'].map((type) => readTokenForm(type, text)),
  ],
  [
    'forms',
    each(MIB, ['a&', 'a=b&', 'a[b][c][d][]=1&', 'a[][b]=1&', '%41', '+', 'x']),
    (_text, bytes) => takeIn(bytes, formMeter(), new FormConverter()),
  ],
  [
    'JSON',
    [
      nestedLists(128 * KIB),
      members(256 * KIB),
      ...each(256 * KIB, ['[],', '{"name":"a","value":1},'], '{"guest_metadata":[', '{}]}'),
      ...each(256 * KIB, [' ', 'a ', '\\u200b', '\\ud800'], '{"last_name":"', '"}'),
    ],
    async (_text, bytes) => readerOf(guest as unknown as TSchema)(parseJson(await takeIn(bytes, jsonMeter(guest)))),
  ],
  [
    'batches in JSON',
    [
      ...each(FILE, ['{},', '"",', '{"last_name":"a"},', '[', ' ', '\\u0041'], '[', '{}]'),
      ...each(FILE, ['a', '\\u0041'], '{"', '":1}'),
      ...each(FILE, [' '], '', '[]'),
    ],
    async (_text, bytes) => {
      const body = await takeIn(bytes, jsonMeter(batch))
      const read = readerOf(batch.items as unknown as TSchema)
      await timeSlicer.map(firstOf(itemsOf(body, ['guests'], { bytes: 256 * KIB, values: 1_000 })), (item) =>
        read(parseItem(item)),
      )
    },
  ],
  [
    'batches in XML',
    each(FILE, TAGS, '<guests>', '</guests>'),
    (_text, bytes) => takeIn(bytes, xmlMeter(batch), new XmlConverter(batch)),
  ],
  ['CSV', each(FILE, ROWS), (_text, bytes) => readList(bytes, { limits: CSV_LIMITS, isKnown: () => false })],
  ['what partners paste', each(FILE, ROWS, 'a@b.example\n'), (_text, bytes) => readUpload(bytes)],
  [
    'forms with a file',
    each(FILE, ['\r\n', '--', '\r\n--b', '\r\n--bb', `\r\n${UPLOAD}`, 'a'], UPLOAD),
    (_text, bytes) => readUploadForm(bytes, 'multipart/form-data; boundary=b'),
  ],
]

/** CPU time of this thread in ms: on a busy machine a parser takes longer without doing more. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The longest that some work occupies the event loop at once, in ms of CPU time. What it rejects with does not matter. */
async function longestBlock(work: () => unknown): Promise<number> {
  let longest = 0
  let isDone = false
  let last = cpuTime()
  const look = (): void => {
    const now = cpuTime()
    longest = Math.max(longest, now - last)
    last = now
    if (!isDone) setImmediate(look)
  }
  setImmediate(look)
  await Promise.resolve()
    .then(work)
    .catch(() => {})
  isDone = true
  look()
  return longest
}

/**
 * What this machine needs for some work of the kind that parsers do, about 2 ms on a fast one: the mean of many, since the kernel counts CPU time in steps of
 * several milliseconds.
 */
function unit(): number {
  const times = 25
  const start = cpuTime()
  for (let time = 0; time < times; time++) {
    const lines = 'Final-Recipient: rfc822; guest@example.org\n'.repeat(6_000).split('\n')
    expect(lines.filter((line) => /^([\w-]{1,60})[ \t]*:(.*)/.test(line))).toHaveLength(6_000)
  }
  return (cpuTime() - start) / times
}

/** The shortest of a few attempts, since a garbage collection may fall into one. */
async function blockOf(work: () => unknown, most: number): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 5 && shortest > most; attempt++) {
    shortest = Math.min(shortest, await longestBlock(work))
  }
  return shortest
}

test.each(parsers)(
  '%s: no input of the largest size occupies the event loop for long',
  async (_name, inputs, read) => {
    // 20 ms are a promise of a machine that is not busy, as in the deep tests; units hold on any.
    const most = isDeep ? 20 : UNITS * unit()
    const found: string[] = []
    for (const text of inputs) {
      const bytes = Buffer.from(text)
      const block = await blockOf(() => read(text, bytes), most)
      if (block > most)
        found.push(`${JSON.stringify(text.slice(0, 60))} … ${JSON.stringify(text.slice(-20))}: ${block} ms of ${most}`)
    }
    expect(found).toEqual([])
  },
  300_000,
)
