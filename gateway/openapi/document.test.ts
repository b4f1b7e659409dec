import { readFile } from 'node:fs/promises'
import {
  datetime,
  flag,
  identifier,
  integer,
  list,
  record,
  type SchemaNode,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { eventTypes } from '@gatehouse/proto/events/domain-events.ts'
import { readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import { writerOf } from '@gatehouse/proto/formats/json-writer.ts'
import { readXml } from '@gatehouse/test/harness/read-xml.ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { resources } from '../gateway.ts'
import { clientDocument } from './client-document.ts'
import { consoleDocument } from './console.ts'
import { openApiDocument } from './document.ts'
import committed from './openapi.json' with { type: 'json' }
import forClients from './openapi-client.json' with { type: 'json' }

// biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
const documentOf = (...declared: Parameters<typeof openApiDocument>[0]): any => openApiDocument(declared)

const things = resource('test.things', 'thing', {
  create: {
    route: 'POST events/:event_id/things',
    also: ['events/:event_id/thing'],
    body: record({
      long_name: text({ example: 'a long name' }),
      is_open: flag({ default: true, formerly: [{ name: 'opened' }] }),
      all_tags: list(text(), 'tag', { default: [], example: ['blue', 'round'] }),
    }),
    reply: record({
      long_name: text({ example: 'a long name' }),
      is_open: flag({ default: true }),
      seats: list(integer(), 'seat'),
    }),
    status: 201,
  },
  delete: {
    route: 'DELETE events/:event_id/things/:id',
    reply: record({ long_name: text({ example: 'long' }) }),
    status: 204,
  },
  inner: { reads: true, reply: record({ long_name: text() }) },
})

test('the committed documents are those that the declarations give; if not, run: npm run openapi', () => {
  const document = openApiDocument(resources)
  expect(committed).toEqual(document)
  expect(forClients).toEqual(clientDocument(document))
})

test.each([
  ['the document', committed],
  ['that for clients', forClients],
  ["that of the console's own routes", consoleDocument()],
])('%s is valid OpenAPI 3.1', async (_, document) => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe('3.1')
})

test('the validator finds errors', async () => {
  const { valid } = await new Validator().validate({ ...structuredClone(committed), paths: { events: { get: {} } } })
  expect(valid).toBe(false)
})

test.each([
  ['the document', committed],
  ['that for clients', forClients],
])('every reference of %s leads somewhere', (_, document) => {
  const found = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
  expect(found.length).toBeGreaterThan(100)
  for (const [, path = ''] of found) {
    const target = path.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document)
    expect(target, path).toBeDefined()
  }
})

const LIVE = '/api/v1/events/{event_id}/live'

test('every action with a route is documented, in both formats, and so are the live feed and single sign-on; nothing else is', () => {
  const documented = Object.values(committed.paths).flatMap((path) =>
    Object.values(path as object).flatMap(({ operationId }) => operationId ?? []),
  )
  const sso = documented.filter((name) => name.startsWith('sso_'))
  const routed = resources.flatMap(({ many, actions }) =>
    Object.entries(actions).flatMap(([name, { route }]) => (route ? [`${many}_${name}`] : [])),
  )
  expect(documented.toSorted()).toEqual([...routed, 'events_live', ...sso].toSorted())
  expect(new Set(documented).size).toBe(documented.length)
  for (const [path, methods] of Object.entries(committed.paths)) {
    const isSso = Object.values(methods as object).some(({ tags }) => tags?.includes('single sign-on'))
    if (path !== LIVE && !isSso) expect(path).toMatch(/\.\{format\}$/)
  }
  expect(documentOf(things).paths).not.toHaveProperty('inner')
})

test("single sign-on is documented below an account's address, and all but an issuer's own documents at the root as well", () => {
  const paths = Object.keys(committed.paths)
  const below = paths.flatMap((path) =>
    path.startsWith('/sso/{account}') ? [path.slice('/sso/{account}'.length)] : [],
  )
  expect(below.length).toBeGreaterThanOrEqual(10)
  for (const path of below)
    expect(paths.includes(path), path).toBe(!['/.well-known/openid-configuration', '/oauth/keys'].includes(path))
})

test('the live feed is documented as server-sent events', () => {
  const { get } = documentOf(things).paths[LIVE]
  expect(Object.keys(get.responses[200].content)).toEqual(['text/event-stream'])
  expect(Object.keys(get.responses)).toEqual(['200', '403', '404', '422', '429', '503'])
})

test('a field with a default is optional in requests and required in answers', () => {
  const { ThingCreate, Thing } = documentOf(things).components.schemas
  expect(ThingCreate.required).toEqual(['long_name'])
  expect(Thing.required).toEqual(['long_name', 'is_open', 'seats'])
})

test('an old name is documented as a deprecated alias', () => {
  const { ThingCreate } = documentOf(things).components.schemas
  expect(ThingCreate.properties.is_open.description).toContain('Deprecated alias: `opened`')
})

test('XML names are documented: hyphens, the list around its items, the root', () => {
  const { ThingCreate } = documentOf(things).components.schemas
  expect(ThingCreate.xml).toEqual({ name: 'thing' })
  expect(ThingCreate.properties.long_name.xml).toEqual({ name: 'long-name' })
  expect(ThingCreate.properties.all_tags.xml).toEqual({ name: 'all-tags', wrapped: true })
  expect(ThingCreate.properties.all_tags.items.xml).toEqual({ name: 'tag' })
})

test('a body in XML is a text that contains what the schema says', () => {
  const { post } = documentOf(things).paths['/api/v1/events/{event_id}/things.{format}']
  expect(post.requestBody.content['application/xml'].schema).toEqual({
    type: 'string',
    contentMediaType: 'application/xml',
    contentSchema: { $ref: '#/components/schemas/ThingCreate' },
  })
})

test('the format of a path is a parameter of its operations, once each', () => {
  for (const [path, { parameters = [], ...operations }] of Object.entries(documentOf(...resources).paths as object)) {
    if (!path.endsWith('.{format}')) continue
    expect(JSON.stringify(parameters)).not.toContain('format')
    for (const { parameters: own, operationId } of Object.values(operations) as never[])
      expect(
        (own as { $ref?: string; name?: string }[]).filter(
          ({ $ref, name }) => name === 'format' || $ref?.endsWith('/format'),
        ),
        operationId,
      ).toHaveLength(1)
  }
})

test('a token is best sent as a header: that way stands first', () => {
  expect(committed.security).toEqual([{ bearer: [] }, { auth_token: [] }])
})

test('no schema hides a global of JavaScript, in Node or in a browser', async () => {
  const library = new URL('../../clients/typescript/node_modules/typescript/lib/lib.dom.d.ts', import.meta.url)
  const declared = [...(await readFile(library, 'utf8')).matchAll(/^(?:declare var|interface) (\w+)/gm)]
  const globals = new Set([...Object.getOwnPropertyNames(globalThis), ...declared.map(([, name]) => name)])
  expect(globals).toContain('Event')
  expect(Object.keys(committed.components.schemas).filter((name) => globals.has(name))).toEqual([])
})

test('an e-mail address has its format in place of a pattern, and no pattern needs classes of Unicode', () => {
  const { EventCreate, ContactCreate } = committed.components.schemas
  expect(EventCreate.properties.reply_to_email).toMatchObject({ format: 'email' })
  expect(ContactCreate.properties.email).toMatchObject({ type: 'string', format: 'email' })
  expect(JSON.stringify(committed)).not.toMatch(/"pattern":"[^"]*\\p\{/)
})

describe('every tag, field, parameter and header has a description', () => {
  interface Schema {
    $ref?: string
    description?: string
    properties?: Record<string, Schema>
    items?: Schema
    anyOf?: Schema[]
  }
  /** The paths of the fields of a schema that have none. */
  const bare = (at: string, { properties = {}, items, anyOf = [] }: Schema): string[] => [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(field.$ref || field.description ? [] : [`${at}.${name}`]),
      ...bare(`${at}.${name}`, field),
    ]),
    ...[...(items ? [items] : []), ...anyOf].flatMap((each) => bare(at, each)),
  ]

  test.each([
    ['the document', committed],
    ['that for clients', forClients],
    ["that of the console's own routes", consoleDocument()],
  ])('in %s', (name, document) => {
    const { schemas } = (document as { components: { schemas: Record<string, Schema> } }).components
    expect(Object.entries(schemas).flatMap(([at, schema]) => bare(at, schema))).toEqual([])
    if (name.startsWith('that of')) return
    const { tags } = document as { tags: { name: string; description?: string }[] }
    expect(tags.filter(({ description }) => !description)).toEqual([])
    const found = JSON.stringify(document).matchAll(
      /\{"name":"([^"]+)","in":"\w+",("required":true,)?("description")?/g,
    )
    expect([...found].filter(([, , , description]) => !description).map(([, parameter]) => parameter)).toEqual([])
  })
})

test('statuses have their values', () => {
  const { AccessControl, Statistics } = committed.components.schemas
  expect(AccessControl.properties.access_status.enum).toEqual([0, 1, 2, 3])
  expect(AccessControl.properties.reason.enum).toContain('too_early')
  expect(AccessControl.properties.reason.enum).toContain(null)
  expect(Statistics.properties.by_status.items.properties.access_status.enum).toEqual([0, 1, 2, 3])
})

test('codes of errors are listed, and are no enum, since later versions have more', () => {
  const { ErrorCode } = committed.components.schemas
  expect(ErrorCode['x-extensible-enum']).toContain('blank')
  expect(ErrorCode).not.toHaveProperty('enum')
})

test('bodies have named schemas', () => {
  const inline = Object.values(forClients.paths as unknown as Record<string, Record<string, object>>)
    .flatMap(Object.values)
    .flatMap((operation) => [...JSON.stringify(operation).matchAll(/"schema":\{"type":"object","properties"/g)])
  expect(inline).toEqual([])
})

test('a contact may have any further member', () => {
  const { Contact, ContactCreate } = committed.components.schemas
  expect([Contact.additionalProperties, ContactCreate.additionalProperties]).toEqual([true, true])
})

test('each event that webhooks receive is described, with an example', () => {
  expect(Object.keys(committed.webhooks)).toEqual([...eventTypes])
  const { type, data } = committed.components.schemas.CheckInCreatedMessage.properties
  expect([type.enum, data]).toEqual([['check_in.created'], { $ref: '#/components/schemas/AccessControl' }])
})

describe('the document for clients', () => {
  type Operation = { operationId: string; parameters?: { name?: string; in?: string }[] }
  const operations = Object.entries(forClients.paths as unknown as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => (method === 'parameters' ? [] : [{ path, operation }])),
  )

  test('has every operation of the whole one but the pages to which browsers are sent', () => {
    const whole = Object.values(committed.paths as object).flatMap((methods) =>
      Object.values(methods as Record<string, Operation>).flatMap(({ operationId }) => operationId ?? []),
    )
    const names = operations.map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
    expect(whole.filter((name) => !names.includes(name)).sort()).toEqual(
      ['authorize', 'logout', 'sign_out'].flatMap((page) => [`sso_${page}`, `sso_root_${page}`]).sort(),
    )
  })

  test('has paths that end in .json, or in the format of a file', () => {
    for (const { path, operation } of operations) {
      const isFormatGiven = operation.parameters?.some(({ name, in: place }) => place === 'path' && name === 'format')
      expect(path.includes('{format}'), path).toBe(isFormatGiven ?? false)
    }
    const paths = operations.map(({ path }) => path)
    expect(paths).toContain('/api/v1/events/{event_id}/guests.json')
    expect(paths).toContain('/api/v1/audit_records.csv')
  })

  test('speaks of no XML, and names nothing to which nothing refers', () => {
    const text = JSON.stringify({ ...forClients, info: undefined })
    expect(text).not.toMatch(/"application\/(xml|problem\+json)"|"xml":\{|"406":/)
    for (const [kind, named] of Object.entries(forClients.components))
      for (const name of kind === 'securitySchemes' ? [] : Object.keys(named))
        expect(text, name).toContain(`#/components/${kind}/${name}"`)
  })
})

test('the root key, the other paths and the scopes are documented', () => {
  const { post } = documentOf(things).paths['/api/v1/events/{event_id}/things.{format}']
  expect(post.description).toContain('wrapped in `thing`')
  expect(post.description).toContain('`/api/v1/{event_id}/things.{format}`')
  expect(post.description).toContain('`/api/v1/events/{event_id}/thing.{format}`')
  expect(post.description).toContain('scope `admin`.')
})

test('the refusals of a request are documented', () => {
  const { paths } = documentOf(things)
  const { post } = paths['/api/v1/events/{event_id}/things.{format}']
  expect(Object.keys(post.responses).join(' ')).toBe('201 400 403 404 406 409 413 415 422 429 503')
  const { delete: removal } = paths['/api/v1/events/{event_id}/things/{id}.{format}']
  expect(Object.keys(removal.responses).join(' ')).toBe('200 204 403 404 406 409 429 503')
})

test('a field without an example has one that follows from its name and type', () => {
  const nameless = resource('test.things', 'thing', {
    read: {
      route: 'GET things/:id',
      reply: record({ _id: identifier(), other_thing_id: identifier(), never_shown: text(), seen_at: datetime() }),
    },
  })
  const { get } = documentOf(nameless).paths['/api/v1/things/{id}.{format}']
  expect(get.responses[200].content['application/json'].example).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    other_thing_id: expect.stringMatching(/^[0-9a-f]{24}$/),
    never_shown: 'never shown',
    seen_at: '2026-09-17T18:04:12.310Z',
  })
})

test('an example follows from the declaration, as JSON and as XML', () => {
  const { post } = documentOf(things).paths['/api/v1/events/{event_id}/things.{format}']
  expect(post.requestBody.content['application/json'].example).toEqual({
    long_name: 'a long name',
    is_open: true,
    all_tags: ['blue', 'round'],
  })
  expect(post.responses[201].content['application/xml'].example).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<thing>
  <long-name>a long name</long-name>
  <is-open type="boolean">true</is-open>
  <seats type="array">
    <seat type="integer">0</seat>
  </seats>
</thing>`)
})

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(committed, 'document')
  /** The path of an object within the document. */
  const pointer = (...way: (string | number)[]): string =>
    way.map((step) => `/${encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

  type Content = Record<string, { schema: object; example?: unknown }>
  interface Operation {
    operationId: string
    requestBody?: { content: Content }
    responses: Record<string, { content?: Content; $ref?: string }>
  }
  type Paths = Record<string, Record<string, Operation>>
  const operationsOf = (kind: 'paths' | 'webhooks') =>
    Object.entries(committed[kind] as unknown as Paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        method === 'parameters' ? [] : [{ at: [kind, path, method], operation, name: operation.operationId }],
      ),
    )
  const operations = [...operationsOf('paths'), ...operationsOf('webhooks')]
  const contents = operations.flatMap(({ at, name, operation: { requestBody, responses } }) => [
    ...(requestBody ? [{ name: `${name}: request`, at: [...at, 'requestBody'], content: requestBody.content }] : []),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      content ? [{ name: `${name}: ${status}`, at: [...at, 'responses', status], content }] : [],
    ),
  ])
  const refusals = Object.entries(committed.components.responses).map(([code, { content }]) => ({
    name: code,
    at: ['components', 'responses', code],
    content: content as Content,
  }))
  const isBinary = (type: string): boolean => /^image\/|^application\/(gzip|pdf|vnd\.)/.test(type)

  test.each([...contents, ...refusals])('$name: each format has one, and it is valid', ({ at, content }) => {
    expect(Object.keys(content).length).toBeGreaterThan(0)
    for (const [type, { example }] of Object.entries(content)) {
      if (isBinary(type)) continue
      expect(example, type).toBeDefined()
      if (!type.endsWith('json')) continue
      const isValid = ajv.compile({ $ref: `document#${pointer(...at, 'content', type, 'schema')}` })
      isValid(example)
      expect(isValid.errors, type).toBeNull()
    }
  })

  test('every parameter of a path has one', () => {
    const missing = Object.entries(committed.paths).flatMap(
      ([path, { parameters = [] }]: [string, object & { parameters?: object[] }]) =>
        parameters.filter((parameter) => !('$ref' in parameter || 'example' in parameter)).map(() => path),
    )
    expect(missing).toEqual([])
  })

  const declared = resources.flatMap(({ many, actions }) =>
    Object.entries(actions).flatMap(([name, action]) => (action.route ? [[`${many}_${name}`, action] as const] : [])),
  )
  const operationOf = (name: string): Operation =>
    operations.find((each) => each.name === name)?.operation ?? expect.fail(name)

  test.each(declared.filter(([, { body }]) => body))(
    '%s: the request reads the same in JSON and in XML',
    (name, { body }) => {
      const content = operationOf(name).requestBody?.content
      const read = readerOf(body as TSchema)
      const json = read(content?.['application/json']?.example)
      expect(json.errors).toBeUndefined()
      const xml = readXml(String(content?.['application/xml']?.example), body as SchemaNode)
      expect(read(xml)).toEqual(json)
    },
  )

  test.each(declared.filter(([, { reply }]) => reply))('%s: the answer is as it goes out', (name, action) => {
    const { 200: ok, 201: made } = operationOf(name).responses
    const content = (ok ?? made)?.content
    const example = content?.['application/json']?.example
    const reply = action.reply as TSchema
    expect(JSON.parse(writerOf(reply)(example))).toEqual(example)
    const read = readerOf(reply)
    const xml = String(content?.['application/xml']?.example)
    // XML has errors as sentences, which cannot be read back as fields.
    if (!xml.includes('<errors')) expect(read(readXml(xml, reply as SchemaNode))).toEqual(read(example))
  })
})
