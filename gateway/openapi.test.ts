import { flag, integer, list, record, text } from '@gatehouse/proto/fields.ts'
import { resource } from '@gatehouse/proto/resource.ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { resources } from './gateway.ts'
import committed from './openapi.json' with { type: 'json' }
import { openApiDocument } from './openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
const documentOf = (...declared: Parameters<typeof openApiDocument>[0]): any => openApiDocument(declared)

const things = resource('test.things', 'thing', {
  create: {
    route: 'POST events/:event_id/things',
    also: ['events/:event_id/thing'],
    body: record({
      long_name: text(),
      is_open: flag({ default: true, formerly: [{ name: 'opened' }] }),
      all_tags: list(text(), 'tag', { default: [] }),
    }),
    reply: record({ long_name: text(), is_open: flag({ default: true }), seats: list(integer(), 'seat') }),
    status: 201,
  },
  delete: { route: 'DELETE events/:event_id/things/:id', reply: record({ long_name: text() }), status: 204 },
  inner: { reads: true, reply: record({ long_name: text() }) },
})

test('the committed document is the one that the declarations give; if not, run: npm run openapi', () => {
  expect(committed).toEqual(openApiDocument(resources))
})

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(committed))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe('3.1')
})

test('the validator sees what is wrong', async () => {
  const { valid } = await new Validator().validate({ ...structuredClone(committed), paths: { events: { get: {} } } })
  expect(valid).toBe(false)
})

test('every reference leads somewhere', () => {
  const found = [...JSON.stringify(committed).matchAll(/"\$ref":"#\/([^"]+)"/g)]
  expect(found.length).toBeGreaterThan(100)
  for (const [, path = ''] of found) {
    const target = path.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], committed)
    expect(target, path).toBeDefined()
  }
})

const LIVE = '/api/v1/events/{event_id}/live'

test('every action with a route is told, with both formats, and the live feed; no other', () => {
  const told = Object.values(committed.paths).flatMap((path) =>
    Object.values(path as object).flatMap(({ operationId }) => operationId ?? []),
  )
  const routed = resources.flatMap(({ many, actions }) =>
    Object.entries(actions).flatMap(([name, { route }]) => (route ? [`${many}_${name}`] : [])),
  )
  expect(told.toSorted()).toEqual([...routed, 'events_live'].toSorted())
  expect(new Set(told).size).toBe(told.length)
  for (const path of Object.keys(committed.paths)) if (path !== LIVE) expect(path).toMatch(/\.\{format\}$/)
  expect(documentOf(things).paths).not.toHaveProperty('inner')
})

test('the live feed is told, as events', () => {
  const { get } = documentOf(things).paths[LIVE]
  expect(Object.keys(get.responses[200].content)).toEqual(['text/event-stream'])
  expect(Object.keys(get.responses)).toEqual(['200', '403', '404', '422', '429', '503'])
})

test('a field with a default need not be sent, and is always answered', () => {
  const { ThingCreate, Thing } = documentOf(things).components.schemas
  expect(ThingCreate.required).toEqual(['long_name'])
  expect(Thing.required).toEqual(['long_name', 'is_open', 'seats'])
})

test('an old name is told as a deprecated alias', () => {
  const { ThingCreate } = documentOf(things).components.schemas
  expect(ThingCreate.properties.is_open.description).toContain('Deprecated alias: `opened`')
})

test('XML names are told: hyphens, the list around its items, the root', () => {
  const { ThingCreate } = documentOf(things).components.schemas
  expect(ThingCreate.xml).toEqual({ name: 'thing' })
  expect(ThingCreate.properties.long_name.xml).toEqual({ name: 'long-name' })
  expect(ThingCreate.properties.all_tags.xml).toEqual({ name: 'all-tags', wrapped: true })
  expect(ThingCreate.properties.all_tags.items.xml).toEqual({ name: 'tag' })
})

test('the root key, the other paths and the scopes are told', () => {
  const { post } = documentOf(things).paths['/api/v1/events/{event_id}/things.{format}']
  expect(post.description).toContain('wrapped in `thing`')
  expect(post.description).toContain('`/api/v1/{event_id}/things.{format}`')
  expect(post.description).toContain('`/api/v1/events/{event_id}/thing.{format}`')
  expect(post.description).toContain('scope `admin`.')
})

test('what a request can be refused with is told', () => {
  const { paths } = documentOf(things)
  const { post } = paths['/api/v1/events/{event_id}/things.{format}']
  expect(Object.keys(post.responses)).toEqual([
    '201',
    '400',
    '403',
    '404',
    '406',
    '409',
    '413',
    '415',
    '422',
    '429',
    '503',
  ])
  const { delete: removal } = paths['/api/v1/events/{event_id}/things/{id}.{format}']
  expect(Object.keys(removal.responses)).toEqual(['200', '204', '403', '404', '406', '409', '429', '503'])
})
