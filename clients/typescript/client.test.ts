import { faultStatuses } from '@gatehouse/proto/declaring/faults.ts'
import {
  type Answering,
  type Asked,
  answer,
  hangUp,
  hangUpWithin,
  silence,
  stall,
  startAnswering,
} from '@gatehouse/test/harness/answering-server.ts'
import { keepCollectingGarbage } from '@gatehouse/test/harness/garbage.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterEach, describe, expect, test } from 'vitest'
import document from '../../gateway/openapi/openapi.json' with { type: 'json' }
import { connect, GatehouseError, type Options } from './client.ts'
import { errorCodes } from './error.ts'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A client of a server that gives these answers in turn, the last one again and again, and what the server was asked. */
async function clientOf(answers: Answering[], options: Partial<Options> = {}) {
  const { url, asked, close } = await startAnswering(answers)
  stops.push(close)
  return { asked, client: connect({ url, token: 'gh_secret', ...options }) }
}

const unavailable = answer(503, { error: 'The service cannot answer now, try again' })

const errorOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => expect.fail('was answered'),
    (error) => error,
  )

describe('retries', () => {
  test.each([
    ['503', unavailable],
    ['429', answer(429, { error: 'Too many requests' })],
    ['502 of a proxy', answer(502)],
    [
      '409 of an earlier try',
      answer(409, { error: 'A request with this key is still running' }, { 'retry-after': '0' }),
    ],
    ['a broken connection', hangUp],
    ['a connection that breaks within an answer', hangUpWithin],
  ])('a read and a POST are sent again after %s', async (_name, refused) => {
    const reads = await clientOf([refused, refused, answer(200, [])])
    expect((await reads.client.GET('/api/v1/events.json')).data).toEqual([])
    expect(reads.asked).toHaveLength(3)

    const writes = await clientOf([refused, refused, answer(201, { _id: 'e1' })])
    const { data } = await writes.client.POST('/api/v1/events.json', { body: { title: 'Fair', account_id: 'a1' } })
    expect(data._id).toBe('e1')
    const keys = writes.asked.map(({ headers }) => headers['idempotency-key'])
    expect([keys.length, new Set(keys).size, keys[0]]).toEqual([3, 1, expect.stringMatching(/^[0-9a-f-]{36}$/)])
    expect(writes.asked.map(({ body }) => body)).toEqual(Array(3).fill('{"title":"Fair","account_id":"a1"}'))
  })

  test('each POST has a key of its own, unless the caller gives one', async () => {
    const { client, asked } = await clientOf([answer(201, {})])
    const body = { title: 'Fair', account_id: 'a1' }
    for (let n = 0; n < 2; n++) await client.POST('/api/v1/events.json', { body })
    await client.POST('/api/v1/events.json', { body, params: { header: { 'Idempotency-Key': 'mine' } } })
    const keys = asked.map(({ headers }) => headers['idempotency-key'])
    expect([new Set(keys).size, keys[2]]).toEqual([3, 'mine'])
  })

  test('PUT and DELETE are sent once, without a key', async () => {
    const { client, asked } = await clientOf([unavailable])
    const path = { event_id: 'e1', id: 'g1' }
    const put = client.PUT('/api/v1/events/{event_id}/guests/{id}.json', { params: { path }, body: {} })
    expect(await errorOf(put)).toMatchObject({ status: 503 })
    const gone = client.DELETE('/api/v1/events/{event_id}/guests/{id}.json', { params: { path } })
    expect(await errorOf(gone)).toMatchObject({ status: 503 })
    expect(asked.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined])
  })

  test('a client of routes that know no keys sends a POST once, without one', async () => {
    const { client, asked } = await clientOf([unavailable], { keyed: false })
    expect(await errorOf(client.POST('/api/v1/events.json', { body: { title: 'A', account_id: 'a' } }))).toMatchObject({
      status: 503,
    })
    expect(asked.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined])
  })

  test.each([400, 401, 403, 404, 406, 409, 413, 415, 422])('%i is final', async (status) => {
    const { client, asked } = await clientOf([answer(status, { error: 'No' })])
    expect(await errorOf(client.POST('/api/v1/webhook_secret.json'))).toMatchObject({ status, message: 'No' })
    expect(asked).toHaveLength(1)
  })

  test('Retry-After is waited for', slow, async () => {
    const { client, asked } = await clientOf([answer(503, {}, { 'retry-after': '1' }), answer(200, [])])
    await client.GET('/api/v1/events.json')
    const [first, second] = asked as [Asked, Asked]
    expect(second.at - first.at).toBeGreaterThanOrEqual(1_000)
  })

  test('no try begins behind the deadline, and the last refusal is thrown', async () => {
    const { client, asked } = await clientOf([unavailable, answer(429, { error: 'No' }, { 'retry-after': '60' })], {
      deadlineMs: 5_000,
    })
    expect(await errorOf(client.GET('/api/v1/events.json'))).toMatchObject({ status: 429, retryAfter: 60 })
    expect(asked).toHaveLength(2)
  })

  test.each([
    ['no answer', silence],
    ['an answer that stops', stall],
  ])('a request with %s ends at the deadline', slow, async (_name, answers) => {
    keepCollectingGarbage()
    const { client } = await clientOf([answers], { deadlineMs: 100 })
    const error = await errorOf(client.GET('/api/v1/events.json'))
    expect(error).toBeInstanceOf(GatehouseError)
    expect(error).toMatchObject({ status: 0, code: 'unanswered', cause: { name: 'TimeoutError' } })
  })

  test.each([
    ['a request', silence],
    ['a pause', answer(503, {}, { 'retry-after': '30' })],
  ])('the signal of a call ends it within %s', async (_name, answers) => {
    keepCollectingGarbage()
    const { client, asked } = await clientOf([answers])
    const stop = new AbortController()
    const error = errorOf(client.GET('/api/v1/events.json', { signal: stop.signal }))
    await expect.poll(() => asked.length).toBe(1)
    stop.abort()
    expect(await error).toMatchObject({ name: 'AbortError' })
  })
})

describe('errors', () => {
  test('have the codes of the refusals', () => {
    expect(Object.fromEntries(Object.entries(errorCodes).map(([status, code]) => [code, Number(status)]))).toEqual(
      faultStatuses,
    )
  })

  test('name the wrong fields, in their message too', async () => {
    const errors = { last_name: ["can't be blank"], uid: ['is taken', 'is too long'] }
    const { client } = await clientOf([answer(422, { errors })])
    const error = await errorOf(client.POST('/api/v1/webhook_secret.json'))
    expect(error).toMatchObject({
      name: 'GatehouseError',
      code: 'invalid',
      errors,
      message: "last_name can't be blank, uid is taken and is too long",
      retryAfter: undefined,
    })
  })

  test('have the code and values of each error, and of what stands in the way', async () => {
    const codes = { name: [{ code: 'too_long', values: { limit: 255 } }] }
    const problem = {
      status: 422,
      code: 'invalid',
      detail: 'The request is not valid',
      errors: { name: ['is too long'] },
    }
    const invalid = await clientOf([answer(422, { ...problem, codes })])
    expect(await errorOf(invalid.client.POST('/api/v1/webhook_secret.json'))).toMatchObject({
      codes,
      reason: undefined,
    })
    expect(invalid.asked[0]?.headers.accept).toContain('application/problem+json')
    const { client } = await clientOf([
      answer(409, { status: 409, code: 'category_has_guests', detail: 'The guest category has guests' }),
    ])
    expect(await errorOf(client.GET('/api/v1/events.json'))).toMatchObject({
      code: 'conflict',
      reason: { code: 'category_has_guests' },
      message: 'The guest category has guests',
    })
  })

  test('of something between are unknown', async () => {
    const { client } = await clientOf([(response) => response.writeHead(418).end('<p>no JSON</p>')])
    expect(await errorOf(client.GET('/api/v1/events.json'))).toMatchObject({
      status: 418,
      code: 'unknown',
      message: 'The answer is 418',
    })
  })

  test('a batch with refused items is an answer, with its status', async () => {
    const { client } = await clientOf([answer(422, [{ _id: 'c1' }, { errors: { guest_uid: ["can't be blank"] } }])])
    const { data, response } = await client.POST('/api/v1/events/{event_id}/access_controls/batch_create.json', {
      params: { path: { event_id: 'e1' } },
      body: [],
    })
    expect([response.status, data.map((item) => 'errors' in item)]).toEqual([422, [false, true]])
  })
})

test('the token is a header, and never part of an address', async () => {
  const { client, asked } = await clientOf([answer(200, [])])
  const params = { path: { event_id: 'e1' }, query: { search: 'Ada & co', 'category[]': ['c1', 'c2'], page: 2 } }
  await client.GET('/api/v1/events/{event_id}/guests.json', { params })
  expect(asked[0]).toMatchObject({
    url: '/api/v1/events/e1/guests.json?search=Ada%20%26%20co&category[]=c1&category[]=c2&page=2',
    headers: { authorization: 'Bearer gh_secret' },
  })
})

test('a client without a token sends none, and what is given as fetch sends its requests', async () => {
  const sent: Request[] = []
  const client = connect({
    url: 'http://gatehouse.invalid/prefix/',
    fetch: async (request) => {
      sent.push(request)
      return Response.json({})
    },
  })
  await client.GET('/api/v1/partners/{partner_access_token}/campaign.json', {
    params: { path: { partner_access_token: 'gh_partner' } },
  })
  expect(sent.map(({ url, headers }) => [url, headers.get('authorization')])).toEqual([
    ['http://gatehouse.invalid/prefix/api/v1/partners/gh_partner/campaign.json', null],
  ])
})

test('an Idempotency-Key belongs to every POST of the API, and to nothing else', () => {
  type Operation = { tags?: string[]; parameters?: { $ref?: string }[] }
  const operations = Object.values(document.paths as unknown as Record<string, Record<string, Operation>>)
    .flatMap((methods) => Object.entries(methods))
    .filter(([method, { tags }]) => method !== 'parameters' && !tags?.includes('single sign-on'))
  expect(operations.length).toBeGreaterThan(100)
  for (const [method, { parameters = [] }] of operations)
    expect(parameters.some(({ $ref }) => $ref?.endsWith('/idempotency_key'))).toBe(method === 'post')
})
