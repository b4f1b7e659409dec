// @module-tag slow
import { randomUUID } from 'node:crypto'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { Fault, notFound, notYet } from '@gatehouse/proto/declaring/faults.ts'
import { record, text } from '@gatehouse/proto/declaring/fields.ts'
import { type Resource, resource } from '@gatehouse/proto/declaring/resource.ts'
import { withDefaults } from '@gatehouse/proto/process/config.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { IdempotencyStore } from '@gatehouse/proto/serving/idempotency.ts'
import { serveResource } from '@gatehouse/proto/serving/serving.ts'
import { openStore, type Store } from '@gatehouse/proto/storage/mongo.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { buildApp } from '../app.ts'
import { appOptionsOf, settings } from '../gateway.ts'
import { openApiDocument } from '../openapi/document.ts'

// What a declaration may contain besides fields: secrets instead of tokens, files in and out, paths without /api/v1.

const PNG = 'image/png'
const note = record({ text: text({ example: 'Doors open at six' }) })
const notes = resource('declared.notes', 'note', {
  read: {
    route: 'GET doors/:key/notes/:id',
    secret: 'key',
    bare: true,
    reply: note,
    produces: { txt: 'text/plain; charset=utf-8' },
  },
  create: { route: 'POST doors/:key/notes', secret: 'key', body: note, reply: note, status: 201 },
  drawing: { route: 'GET doors/:key/drawing', secret: 'key', produces: { png: PNG } },
  draw: { route: 'PUT doors/:key/drawing', secret: 'key', upload: { types: [PNG], maxBytes: 2_000_000 }, reply: note },
  moved: { route: 'GET doors/:key/moved', secret: 'key', produces: { png: PNG }, status: 302 },
  wait: { route: 'GET doors/:key/wait', secret: 'key', reply: note, longestMs: 20_000, replyName: 'long_wait' },
  tarry: { route: 'GET doors/:key/tarry', secret: 'key', reply: note },
})

let bus: Bus
let store: Store
let app: FastifyInstance
let url: string
let made = 0
let drawing = new Uint8Array()

/** The deadline of an impatient gateway. */
const SHORT_MS = 1_000
const longer = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1.5 * SHORT_MS))

const namespace = `test-${randomUUID().slice(0, 8)}`
const log = makeLog('declared', 'silent')
const connect = (options: { deadlineMs?: number } = {}): Promise<Bus> =>
  connectBus({ servers: inject('natsUrl'), namespace, name: 'declared', log, ...options })

/** A gateway of the resource that is declared here. */
const gateway = (bus: Bus): Promise<FastifyInstance> =>
  buildApp({
    bus,
    log,
    resources: [notes as unknown as Resource],
    health: { check: async () => ({}) } as never,
    ...appOptionsOf(withDefaults(settings, { rate_limit_per_token: 1_000, rate_limit_per_stranger: 20 })),
  })

beforeAll(async () => {
  bus = await connect()
  store = await openStore(inject('mongodbUrl'), namespace, 'declared')
  const checked = (key: string): void => {
    if (!key.startsWith('right')) throw new Fault('unauthorized')
  }
  const retries = new IdempotencyStore(store.db)
  serveResource(
    bus,
    notes,
    {
      read: async ({ params: { key, id }, format }) => {
        checked(key)
        if (id === 'none') throw notFound()
        if (format === 'txt') return { bytes: Buffer.from(`note ${id}`), filename: 'höhe "1".txt', max_age: 60 }
        return { text: id }
      },
      create: async ({ params: { key }, body }) => {
        checked(key)
        made++
        return body
      },
      drawing: async ({ params: { key } }) => {
        checked(key)
        return { bytes: drawing }
      },
      draw: async ({ params: { key }, upload }) => {
        checked(key)
        drawing = Uint8Array.from(upload.bytes)
        return { text: `${upload.content_type} ${drawing.length}` }
      },
      moved: async ({ params: { key } }) => {
        checked(key)
        if (key === 'right-soon') throw notYet(7)
        return { location: 'https://example.org/a%20b.png?c=1' }
      },
      wait: async () => {
        await longer()
        return { text: 'done' }
      },
      tarry: async () => {
        await longer()
        return { text: 'done' }
      },
    },
    { retries },
  )
  app = await gateway(bus)
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(async () => {
  await app?.close()
  await bus?.stop()
  await store?.db.dropDatabase()
  await store?.close()
})

const put = (body: Buffer, type: string): Promise<Response> =>
  fetch(`${url}/api/v1/doors/right/drawing.json`, { method: 'PUT', headers: { 'content-type': type }, body })

test('a secret in the path replaces a token, with and without /api/v1, in JSON and XML', async () => {
  for (const start of ['/api/v1', '']) {
    const json = await fetch(`${url}${start}/doors/right/notes/a.json`)
    expect([json.status, await json.json()]).toEqual([200, { text: 'a' }])
    expect(await (await fetch(`${url}${start}/doors/right/notes/a.xml`)).text()).toContain(
      '<note><text>a</text></note>',
    )
    expect((await fetch(`${url}${start}/doors/wrong/notes/a.json`)).status).toBe(401)
  }
})

test('a declared suffix gives a file, which is offered for download under its name and never runs as a page of this site', async () => {
  const file = await fetch(`${url}/doors/right/notes/a.txt`)
  expect(await file.text()).toBe('note a')
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': "attachment; filename*=UTF-8''h%C3%B6he%20%221%22.txt",
    'cache-control': 'private, max-age=60',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  })
  expect((await fetch(`${url}/doors/right/notes/a.csv`)).status).toBe(406)
  for (const suffix of ['json', 'txt'])
    expect((await fetch(`${url}/api/v1/doors/right/drawing.${suffix}`)).status).toBe(406)
})

test('the refusal of an unknown suffix names those that the path has', async () => {
  const refused = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`)
    expect(answer.status).toBe(406)
    return answer.json()
  }
  expect(await refused('/doors/right/notes/a.csv')).toEqual({ error: 'The path must end in .json, .xml or .txt' })
  expect(await refused('/api/v1/doors/right/drawing.json')).toEqual({ error: 'The path must end in .png' })
})

test('a file of many messages is stored and served unchanged', async () => {
  const bytes = Buffer.from(Array.from({ length: 1_900_000 }, (_, n) => (n * 31) % 256))
  const answer = await put(bytes, PNG)
  expect([answer.status, await answer.json()]).toEqual([200, { text: `${PNG} ${bytes.length}` }])
  const back = await fetch(`${url}/api/v1/doors/right/drawing.png`)
  expect(back.headers.get('content-type')).toBe(PNG)
  expect(Buffer.from(await back.arrayBuffer()).equals(bytes)).toBe(true)
})

test('a file of another type is 415, a file that is too large 413, an empty one 422', async () => {
  expect((await put(Buffer.from('x'), 'image/svg+xml')).status).toBe(415)
  expect((await put(Buffer.from('{}'), 'application/json')).status).toBe(415)
  expect((await put(Buffer.alloc(2_000_001), PNG)).status).toBe(413)
  const none = await put(Buffer.alloc(0), PNG)
  expect([none.status, await none.json()]).toEqual([422, { errors: { file: ["can't be blank"] } }])
})

test('only an action that declares it may take longer than the deadline; its answer may have a name of its own', async () => {
  const impatient = await connect({ deadlineMs: SHORT_MS })
  const hurried = await gateway(impatient)
  const base = await hurried.listen({ host: '127.0.0.1', port: 0 })
  const [waited, tarried] = await Promise.all(
    ['wait.xml', 'tarry.xml'].map((path) => fetch(`${base}/api/v1/doors/right/${path}`)),
  )
  expect([waited?.status, await waited?.text()]).toEqual([
    200,
    expect.stringContaining('<long-wait><text>done</text></long-wait>'),
  ])
  expect(tarried?.status).toBe(503)
  await hurried.close()
  await impatient.stop()
})

test('an Idempotency-Key belongs to the secret with which it was sent', async () => {
  const create = (key: string): Promise<Response> =>
    fetch(`${url}/api/v1/doors/${key}/notes.json`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'one' },
      body: '{"text":"b"}',
    })
  const [first, again, other] = [await create('right-1'), await create('right-1'), await create('right-2')]
  expect([first.status, again.status, other.status]).toEqual([201, 201, 201])
  expect([again, other].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(['true', null])
  expect(made).toBe(2)
})

test('an answer can redirect, and a 404 can say when to try again', async () => {
  const moved = await fetch(`${url}/api/v1/doors/right/moved.png`, { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location'), await moved.text()]).toEqual([
    302,
    'https://example.org/a%20b.png?c=1',
    '',
  ])
  const soon = await fetch(`${url}/api/v1/doors/right-soon/moved.png`, { redirect: 'manual' })
  expect([soon.status, soon.headers.get('retry-after')]).toEqual([404, '7'])
})

test('the API document shows which actions take a secret, take a file or answer with one', () => {
  const { paths } = openApiDocument([notes as unknown as Resource]) as { paths: Record<string, Record<string, never>> }
  const read = paths['/api/v1/doors/{key}/notes/{id}.{format}'] as never as Record<string, object>
  expect(read.get).toMatchObject({
    security: [],
    responses: { 200: { content: { 'application/json': {}, 'text/plain; charset=utf-8': {} } }, 401: {} },
  })
  expect((read.get as { parameters: object[] }).parameters).toContainEqual(
    expect.objectContaining({ schema: { type: 'string', enum: ['json', 'xml', 'txt'] } }),
  )
  expect(paths['/api/v1/doors/{key}/drawing.{format}']).toMatchObject({
    put: { requestBody: { content: { [PNG]: {} } } },
  })
  expect(paths['/api/v1/doors/{key}/moved.{format}']).toMatchObject({ get: { responses: { 302: {}, 401: {} } } })
})

test('after too many guesses an address gets 429 for a while, but a valid secret from there still works', async () => {
  const statuses: number[] = []
  for (let guess = 0; guess < 100 && statuses.at(-1) !== 429; guess++)
    statuses.push((await fetch(`${url}/doors/wrong-${guess}/notes/a.json`)).status)
  expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401))
  expect(statuses.at(-1)).toBe(429)
  const refused = await fetch(`${url}/doors/wrong/notes/a.json`)
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect((await fetch(`${url}/doors/right/notes/a.json`)).status).toBe(200)
})
