import { expect, inject, onTestFinished, test } from 'vitest'
import { record } from '../declaring/fields.ts'
import { resource } from '../declaring/resource.ts'
import { makeLog } from '../process/log.ts'
import { connectBus } from './bus.ts'
import { serveResource } from './serving.ts'

/* What a service refuses before a handler is called, whoever asks over the bus. */

const things = resource('test.things', 'thing', {
  read: { route: 'GET things/:id', reply: record({}) },
  upload: {
    route: 'PUT things/:id',
    unaudited: 'A test',
    upload: { types: ['text/csv'], maxBytes: 9 },
    reply: record({}),
  },
})

test.each([
  ['without a parameter of its path', 'read', { params: { other: 'x' } }, 'malformed'],
  ['without parameters', 'read', {}, 'malformed'],
  ['with a file of another media type', 'upload', { params: { id: 'x' }, content_type: 'text/html' }, 'unsupported'],
  ['with a file without a media type', 'upload', { params: { id: 'x' } }, 'unsupported'],
  ['as declared', 'read', { params: { id: 'x' } }, undefined],
  ['with a declared file', 'upload', { params: { id: 'x' }, content_type: 'Text/CSV; header=present' }, undefined],
])('a request %s', async (_what, action, meta, code) => {
  const bus = await connectBus({
    servers: inject('natsUrl'),
    namespace: `serving-${crypto.randomUUID()}`,
    name: 'test',
    log: makeLog('', 'silent'),
  })
  onTestFinished(() => bus.stop())
  serveResource(bus, things, { read: async () => ({}), upload: async () => ({}) })
  await bus.flush()
  const answered = bus.call(`test.things.${action}`, meta)
  await (code === undefined
    ? expect(answered).resolves.toBeDefined()
    : expect(answered).rejects.toMatchObject({ code }))
})
