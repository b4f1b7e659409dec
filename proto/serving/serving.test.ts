import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { connectBus } from '../bus/connecting.ts'
import { timeSlicer } from '../concurrency/time-slices.ts'
import { datetime, list, record, text } from '../declaring/fields.ts'
import { resource } from '../declaring/resource.ts'
import { topic } from '../declaring/topic.ts'
import { makeLog } from '../process/log.ts'
import { serveResource } from './serving.ts'

/* What of the bus never reaches a handler or a listener, whoever sends it, and what long work gives way to. */

const things = resource('test.things', 'thing', {
  read: { route: 'GET things/:id', reply: record({}) },
  upload: {
    route: 'PUT things/:id',
    unaudited: 'A test',
    upload: { types: ['text/csv'], maxBytes: 9 },
    reply: record({}),
  },
})

async function ownBus(): Promise<Bus> {
  const bus = await connectBus({
    servers: inject('natsUrl'),
    namespace: `serving-${crypto.randomUUID()}`,
    name: 'test',
    log: makeLog('', 'silent'),
  })
  onTestFinished(() => bus.stop())
  return bus
}

test.each([
  ['without a parameter of its path', 'read', { params: { other: 'x' } }, 'malformed'],
  ['without parameters', 'read', {}, 'malformed'],
  ['with a file of another media type', 'upload', { params: { id: 'x' }, content_type: 'text/html' }, 'unsupported'],
  ['with a file without a media type', 'upload', { params: { id: 'x' } }, 'unsupported'],
  ['as declared', 'read', { params: { id: 'x' } }, undefined],
  ['with a declared file', 'upload', { params: { id: 'x' }, content_type: 'Text/CSV; header=present' }, undefined],
])('a request %s', async (_what, action, meta, code) => {
  const bus = await ownBus()
  serveResource(bus, things, { read: async () => ({}), upload: async () => ({}) })
  await bus.flush()
  const answered = bus.call(`test.things.${action}`, meta)
  await (code === undefined
    ? expect(answered).resolves.toBeDefined()
    : expect(answered).rejects.toMatchObject({ code }))
})

test('announcements that are not as declared', async () => {
  const bus = await ownBus()
  const heard: object[] = []
  bus.listen(topic('things', record({ id: text(), at: datetime() })), (payload) => heard.push(payload))
  const anyText = topic('things')
  await bus.flush()
  for (const each of [
    '',
    '{',
    'null',
    '[]',
    '{}',
    '{"id":"a"}',
    '{"id":1,"at":"x"}',
    '{"id":["a"],"at":"2026-05-01T08:30:00Z"}',
  ])
    bus.announce(anyText, each)
  bus.announce(anyText, '{"id":"a","at":"2026-05-01T08:30:00.250Z","other":1}')
  await expect.poll(() => heard).toEqual([{ id: 'a', at: new Date('2026-05-01T08:30:00.250Z') }])
})

test('long work gives way to a short request, and not to a batch, however short its body', async () => {
  const lists = resource('test.lists', 'list', {
    read: { route: 'GET lists/:id', reply: record({}) },
    batch_create: {
      route: 'PUT lists/batch_create',
      unaudited: 'A test',
      batch: true,
      body: list(record({}), 'list'),
      reply: list(record({}), 'list'),
    },
  })
  const bus = await ownBus()
  serveResource(bus, lists, { read: async () => ({}), batch_create: async ({ body }) => body })
  await bus.flush()
  const givesWayAfter = async (name: string, meta: object, body?: Buffer): Promise<boolean> => {
    while (timeSlicer.servesOthers) await sleep(20)
    await bus.call(`test.lists.${name}`, meta, body)
    return timeSlicer.servesOthers
  }
  // Asked again: another file's system may have had a request at this moment, or an answer took longer than a request is remembered.
  await expect.poll(() => givesWayAfter('batch_create', {}, Buffer.from('[{}]'))).toBe(false)
  await expect.poll(() => givesWayAfter('read', { params: { id: 'x' } })).toBe(true)
})
