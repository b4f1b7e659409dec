// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { execute } from '@gatehouse/local/execute'
import { findTool } from '@gatehouse/local/test-tools'
import {
  type Answering,
  answer,
  hangUp,
  hangUpWithin,
  silence,
  stall,
  startAnswering,
} from '@gatehouse/test/harness/answering-server.ts'
import { startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterEach, describe, expect, test } from 'vitest'
import document from '../../gateway/openapi/openapi-client.json' with { type: 'json' }
import { errorCodes } from '../typescript/error.ts'
import { apiOf } from './document.ts'
import { packClients } from './pack.ts'

const system = await sharedSystem()

/** A call by names: resource, action, arguments. */
type Call = [string, string, object?]
interface Given {
  url?: string
  token?: string
  options?: { deadline: number }
  calls?: Call[]
  webhook?: { secret: string; headers: object; body: string }[]
}

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const unavailable = answer(503, { error: 'The service cannot answer now, try again' })
const create: Call = ['events', 'create', { body: { title: 'Fair', account_id: 'a1' } }]

describe.each(['python', 'php'] as const)('the client in %s', (language) => {
  /** Runs calls in the language. Returns what each returned, or its error. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  async function run({ calls = [], ...given }: Given): Promise<any[]> {
    const { path, env } = await findTool(language, console.log)
    const program = join(import.meta.dirname, '..', language, `test/calls.${language === 'php' ? 'php' : 'py'}`)
    const child = spawn(path, [program], { env, stdio: ['pipe', 'pipe', 'pipe'] })
    const named = calls.map(([resource, action, args = {}]) => [resource, action, args])
    child.stdin.end(JSON.stringify({ ...given, calls: named }))
    const [printed, wrong] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    expect(wrong).toBe('')
    return JSON.parse(printed)
  }

  /** What calls return of a server that gives these answers in turn, and what it was asked. */
  async function answered(answers: Answering[], calls: Call[], options = { deadline: 60 }) {
    const { url, asked, close } = await startAnswering(answers)
    stops.push(close)
    return { results: await run({ url, token: 'gh_secret', options, calls }), asked }
  }

  test.each([
    ['503', unavailable],
    ['429', answer(429, { error: 'Too many requests' })],
    ['502 of a proxy', answer(502)],
    ['409 of an earlier try', answer(409, { error: 'Still running' }, { 'retry-after': '0' })],
    ['a broken connection', hangUp],
    ['a connection that breaks within an answer', hangUpWithin],
  ])('sends a read and a POST again after %s', async (_name, refused) => {
    const reads = await answered([refused, refused, answer(200, [])], [['events', 'list']])
    expect([reads.results, reads.asked.length]).toEqual([[[]], 3])
    const { results, asked } = await answered([refused, refused, answer(201, { _id: 'e1' })], [create, create])
    expect(results).toEqual([{ _id: 'e1' }, { _id: 'e1' }])
    const keys = asked.map(({ headers }) => headers['idempotency-key'])
    expect([keys.length, new Set(keys.slice(0, 3)).size, new Set(keys).size]).toEqual([4, 1, 2])
    expect(asked.map(({ body }) => JSON.parse(body))).toEqual(Array(4).fill({ title: 'Fair', account_id: 'a1' }))
  })

  test('sends a PUT and a DELETE once, without a key, and asks for the object', async () => {
    const where = { event_id: 'e1', id: 'g/1' }
    const { results, asked } = await answered(
      [unavailable],
      [
        ['guests', 'update', { ...where, body: {} }],
        ['guests', 'delete', where],
      ],
    )
    expect(results.map(({ status, code }) => [status, code])).toEqual(Array(2).fill([503, 'unavailable']))
    expect(
      asked.map(({ method, url, body, headers }) => [method, url, body, headers['idempotency-key'], headers.prefer]),
    ).toEqual([
      ['PUT', '/api/v1/events/e1/guests/g%2F1.json', '{}', undefined, 'return=representation'],
      ['DELETE', '/api/v1/events/e1/guests/g%2F1.json', '', undefined, 'return=representation'],
    ])
  })

  test('waits for Retry-After, and begins no try behind the deadline', async () => {
    const waits = await answered([answer(503, {}, { 'retry-after': '1' }), answer(200, [])], [['events', 'list']])
    expect((waits.asked[1]?.at ?? 0) - (waits.asked[0]?.at ?? 0)).toBeGreaterThanOrEqual(1_000)
    const refusals = [unavailable, answer(429, { error: 'No' }, { 'retry-after': '60' })]
    const { results, asked } = await answered(refusals, [['events', 'list']], { deadline: 5 })
    expect([results[0].status, results[0].retry_after, asked.length]).toEqual([429, 60, 2])
  })

  test.each([
    ['no answer', silence],
    ['an answer that stops', stall],
  ])('ends a request with %s at the deadline', async (_name, answers) => {
    const { results } = await answered([answers], [['events', 'list']], { deadline: 0.3 })
    expect(results).toMatchObject([{ status: 0, code: 'unanswered' }])
  })

  test('names the kinds of refusals as the TypeScript client does, and sends them once', async () => {
    const final = Object.entries(errorCodes).filter(([status]) => status !== '429' && status !== '503')
    const answers = [...final.map(([status]) => answer(Number(status), { error: 'No' })), answer(418, '<p>')]
    const { results, asked } = await answered(answers, Array(answers.length).fill(create))
    const kinds = final.map(([status, code]) => ({ status: Number(status), code, message: 'No' }))
    expect(results).toMatchObject([...kinds, { status: 418, code: 'unknown', message: 'The answer is 418' }])
    expect(asked.length).toBe(answers.length)
  })

  test('has the sentences, codes and values of an error, and what stands in the way', async () => {
    const errors = { last_name: ["can't be blank"], uid: ['is taken', 'is too long'] }
    const codes = { uid: [{ code: 'taken' }, { code: 'too_long', values: { limit: 255 } }] }
    const { results, asked } = await answered(
      [
        answer(422, { status: 422, code: 'invalid', detail: 'The request is not valid', errors, codes }),
        answer(409, { code: 'category_has_guests', detail: 'The guest category has guests' }),
      ],
      [create, create],
    )
    expect(results).toMatchObject([
      { errors, codes, reason: null, message: "last_name can't be blank, uid is taken and is too long" },
      { code: 'conflict', reason: { code: 'category_has_guests' }, message: 'The guest category has guests' },
    ])
    expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer gh_secret' })
  })

  test('returns a batch with refused items', async () => {
    const items = [{ _id: 'c1' }, { errors: { guest_uid: ["can't be blank"] } }]
    const batch: Call = ['access_controls', 'batch_create', { event_id: 'e1', body: [] }]
    const { results, asked } = await answered([answer(422, items)], [batch])
    expect([results, asked[0]?.body]).toEqual([[items], '[]'])
  })

  test('writes a query as the API reads it, and follows no redirect', async () => {
    const query = { event_id: 'e1', search: 'Ada & co', category: ['c1', 'c2'], checked_in: true, page: 2 }
    const away = answer(302, {}, { location: 'http://127.0.0.1:9/' })
    const { results, asked } = await answered([away], [['guests', 'list', query]])
    const { pathname, searchParams } = new URL(asked[0]?.url ?? '', 'http://gatehouse')
    expect([pathname, [...searchParams].sort()]).toEqual([
      '/api/v1/events/e1/guests.json',
      [
        ['category[]', 'c1'],
        ['category[]', 'c2'],
        ['checked_in', 'true'],
        ['page', '2'],
        ['search', 'Ada & co'],
      ],
    ])
    expect(results).toMatchObject([{ status: 302, code: 'unknown' }])
  })

  test('checks a guest in at a running system, reads an error, a list by its pages and a file', async () => {
    const event = await TestEvent.open(system)
    const { url, auth_token: token } = system
    const event_id = event.id
    const [category, door] = [await event.category(), await event.point()]
    await event.link(category, door)
    const guest = (last_name: string, uid: string) => ({ guest_category_id: category, last_name, uid })
    const scan = (guest_uid: string) => ({ event_id, body: { accesspoint_id: door, guest_uid } })
    const key = `${language}-scan-17`
    const results = await run({
      url,
      token,
      calls: [
        ['guests', 'create', { event_id, body: guest('Lovelace', 'ada1815') }],
        ['guests', 'create', { event_id, body: guest('Hopper', 'grace1906') }],
        ['guests', 'create', { event_id, body: guest('Noether', 'emmy1882') }],
        ['access_controls', 'create', { ...scan('ada1815'), idempotency_key: key }],
        ['access_controls', 'create', { ...scan('ada1815'), idempotency_key: key }],
        ['access_controls', 'create', { event_id, body: { guest_uid: 'ada1815' } }],
        ['guests', 'read', { event_id, id: 'ffffffffffffffffffffffff' }],
        ['guests', 'each', { event_id, per_page: 2, sort: 'last_name' }],
        ['guest_categories', 'update', { event_id, id: category, body: { name: 'Speakers' } }],
        ['audit_records', 'list_file', {}],
        ['areas', 'create', { event_id, body: {} }],
      ],
    })
    const [, , , first, again, blank, missing, guests, renamed, file, empty] = results
    expect(first).toMatchObject({ guest_uid: 'ada1815', access_status: 0 })
    expect(again).toEqual(first)
    expect(blank).toMatchObject({ status: 422, codes: { accesspoint_id: [{ code: 'blank' }] } })
    expect(missing).toMatchObject({ status: 404, code: 'not_found', message: 'Not found' })
    expect(guests.map(({ last_name }: { last_name: string }) => last_name)).toEqual(['Hopper', 'Lovelace', 'Noether'])
    expect(renamed.name).toBe('Speakers')
    expect(file).toMatch(/^\d+ bytes$/)
    expect(empty).toMatchObject({ status: 422, code: 'invalid' })
  })

  test('knows genuine requests of webhooks', async () => {
    const receiver = await startReceiver()
    stops.push(() => void receiver.close())
    await system.api('POST', 'webhooks.json', { url: receiver.url, event_types: ['guest.created'] })
    const event = await TestEvent.open(system)
    await event.guest(await event.category(), 'ada1815')
    // Guests of earlier tests may still be told.
    const isAda = ({ body }: { body: string }) => body.includes('ada1815')
    const received = await receiver.until((all) => all.some(isAda))
    const { headers, body } = received.find(isAda) ?? expect.fail()
    const { secret } = (await system.api('GET', 'webhook_secret.json')).body
    const signature = headers['webhook-signature']
    const other = `v1,${Buffer.alloc(32).toString('base64')}`
    const results = await run({
      webhook: [
        { secret, headers, body },
        { secret, headers: { ...headers, 'webhook-signature': `${other} ${signature}` }, body },
        { secret, headers, body: body.replace('ada1815', 'ada1816') },
        { secret, headers: { ...headers, 'webhook-timestamp': '1' }, body },
        { secret, headers: { ...headers, 'webhook-timestamp': 'now' }, body },
        { secret, headers: { ...headers, 'webhook-signature': other }, body },
        { secret, headers: { host: 'a' }, body },
        { secret: 'whsec_b3RoZXI=', headers, body },
      ],
    })
    expect(results).toEqual([true, true, false, false, false, false, false, false])
  })
})

test('clients have every operation once, by its names', () => {
  const operations = apiOf(document).resources.flatMap(({ name, operations }) =>
    operations.map(({ action }) => `${name}_${action}`),
  )
  expect(operations.length).toBeGreaterThan(180)
  expect(new Set(operations).size).toBe(operations.length)
})

test('the archives hold what users need, and no tests', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clients-'))
  const packed = (await packClients(folder)).filter((path) => path.endsWith('.gz'))
  const lists = await Promise.all(packed.map((path) => execute('tar', ['-tzf', path])))
  const [python = [], php = []] = lists.map((list) => list.trim().split('\n'))
  expect(python.filter((path) => /test|__pycache__/.test(path))).toEqual([])
  expect(php.filter((path) => /test/i.test(path))).toEqual(['gatehouse-client/src/Resources/TestSendsResource.php'])
  for (const name of ['pyproject.toml', 'README.md', 'LICENSE', 'gatehouse/resources.py', 'gatehouse/py.typed'])
    expect(python).toContainEqual(expect.stringMatching(new RegExp(`^gatehouse_client-[^/]+/${name}$`)))
  for (const name of ['composer.json', 'README.md', 'LICENSE', 'src/Types.php', 'src/Resources/GuestsResource.php'])
    expect(php).toContain(`gatehouse-client/${name}`)
  await rm(folder, { recursive: true })
})
