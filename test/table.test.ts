import { resources } from '@gatehouse/gateway/gateway'
import { liveAction } from '@gatehouse/gateway/live'
import { exampleOf } from '@gatehouse/gateway/openapi-examples'
import { fullSentences } from '@gatehouse/proto/faults.ts'
import { kindOf, list, record, type SchemaNode, text } from '@gatehouse/proto/fields.ts'
import { queryReaderOf, readerOf } from '@gatehouse/proto/reading.ts'
import {
  type Action,
  formatsOf,
  isEventScoped,
  isQuiet,
  maxBytesOf,
  routesOf,
  statusOf,
} from '@gatehouse/proto/resource.ts'
import { writerOf } from '@gatehouse/proto/writing.ts'
import { elementName, readXml, xmlWriterOf } from '@gatehouse/proto/xml.ts'
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account, Answer } from './system.ts'
import {
  fieldsOf,
  hostileBodies,
  hostileJson,
  hostileQueries,
  hostileXml,
  isDeep,
  sampleMoment,
  type Way,
  withRaw,
  withReferences,
  xmlWith,
} from './table-samples.ts'
import { labelOf, type Request, type Row, suffixesOf, World } from './table-world.ts'

// Runs over every action of every resource that has a route, so that a new one is proven the day it is declared.

const all: Row[] = resources.flatMap((resource) =>
  Object.entries(resource.actions).flatMap(([name, action]) => {
    const method = routesOf(action)?.method
    return method ? [{ resource, name, action, method }] : []
  }),
)
const events = resources.find(({ many }) => many === 'events') as Row['resource']
const live: Row = { resource: events, name: 'live', action: liveAction, method: 'GET' }
// Files and feeds have no schema to read an answer by: the tests of their resource prove what they hold.
const isFile = ({ action }: Row): boolean => !formatsOf(action).includes('json')
const rows = all.filter((row) => !isFile(row))
const asked = [...all, live]
const named = (which: (row: Row) => boolean, from = rows): [string, Row][] =>
  from.filter(which).map((row) => [labelOf(row), row])
const every = named(() => true)
const withToken = named(({ action }) => !action.secret, asked)
const withBody = named(({ action }) => action.body !== undefined)
const inEvents = named(({ action }) => isEventScoped(action), asked)
const aboutOne = named(({ action }) => !action.secret && (action.route?.includes(':id') ?? false))

const XML = { 'content-type': 'application/xml; charset=utf-8' }
const NOBODY = 'f'.repeat(24)

let world: World
let other: Account

beforeAll(async () => {
  const made = await World.make(all)
  world = made.world
  other = made.other
})

afterAll(async () => {
  await world?.system.stop()
})

/** The status of a success whose answer shows the object. */
function shownStatus({ action }: Row): number {
  const status = statusOf(action)
  return status === 204 ? 200 : status
}

/** A reply as its schema reads it, in JSON or in XML. */
function readReply({ action }: Row, answer: Answer): unknown {
  const schema = action.reply as TSchema
  const isXml = answer.headers.get('content-type')?.includes('xml')
  const { value, errors } = readerOf(schema)(isXml ? readXml(answer.text, schema as SchemaNode) : answer.body)
  expect(errors, answer.text).toBeUndefined()
  return value
}

/** What is left of a reply when all that differs from one object to the next is put aside. */
function comparable(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString() === sampleMoment ? sampleMoment : 'moment'
  if (typeof value === 'string') {
    return value
      .replace(/^[0-9a-f]{24}$/, 'id')
      .replace(/^[0-9a-f]{32}$/, 'client')
      .replace(/sample[-_]\d+/gi, 'sample')
      .replace(/^(g[hs]|whsec)_.+$/, 'token')
      .replace(/\/[\w-]{43}$/, '/token')
      .replace(/\/guests\/[0-9a-f]{24}\/\w+\/[\w-]{43}\.\w+$/, '/link')
  }
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, comparable(each)]))
}

const sentencesSchema = list(text(), 'error') as unknown as SchemaNode

/** Checks that a refusal is well-formed in its format, and gives its errors by field (JSON) or its sentences (XML). */
function refusalOf(answer: Answer): { fields: string[]; sentences: string[] } {
  const type = answer.headers.get('content-type')
  if (type?.startsWith('application/xml')) {
    expect(answer.text).toContain('<errors>')
    const sentences = readXml(answer.text, sentencesSchema) as string[]
    expect(sentences.length).toBeGreaterThan(0)
    for (const sentence of sentences) expect(sentence).toMatch(/\S/)
    return { fields: [], sentences }
  }
  const { body } = answer
  if (type?.startsWith('application/problem+json')) {
    expect(body).toMatchObject({ type: 'about:blank', status: answer.status })
    expect(body.title).toMatch(/\S/)
    expect(body.detail).toMatch(/\S/)
  } else {
    expect(type).toBe('application/json; charset=utf-8')
    expect(Object.keys(body)).toEqual([body.errors ? 'errors' : 'error'])
  }
  if (!body.errors) return { fields: [], sentences: [body.error ?? body.detail] }
  for (const messages of Object.values(body.errors)) expect(messages).toEqual([expect.stringMatching(/\S/)])
  return { fields: Object.keys(body.errors), sentences: fullSentences(body.errors) }
}

async function expectRefused(row: Row, status: number | string, request: Request): Promise<void> {
  const answer = await world.send(row, request)
  expect(`${answer.status} ${answer.text.slice(0, 300)}`).toMatch(new RegExp(`^${status} `))
  refusalOf(answer)
}

/** Sends many requests, a few at a time, and tells the first few that went wrong. */
async function each<T>(items: readonly T[], send: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  const wrong: string[] = []
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      await send(item).catch((error: Error) => wrong.push(error.message))
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  if (wrong.length > 0) throw new Error(`${wrong.length} went wrong, among them:\n${wrong.slice(0, 5).join('\n')}`)
}

test('a field that refers to something unknown fails with where to say what it refers to', async () => {
  await expect(world.refer('never_declared_id', world.system)).rejects.toThrow(
    /^never_declared_id refers to something .+ say in refer\(\) or #furnish\(\) of .+table-world\.ts/,
  )
})

describe('a valid request is answered as declared', () => {
  test.each(every)('%s', async (_label, row) => {
    if (row.name === 'list') await world.fresh(row.resource)
    const answer = await world.send(row)
    expect(`${answer.status} ${answer.text.slice(0, 500)}`).toMatch(new RegExp(`^${shownStatus(row)} `))
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const write = writerOf(row.action.reply as TSchema, row.action.batch)
    readReply(row, answer)
    expect(JSON.parse(write(answer.body))).toEqual(answer.body)
    if (row.name === 'list') expect(answer.body.length).toBeGreaterThan(0)
  })

  test.each(named(isFile, all))('%s: a file of each type that it produces', async (_label, row) => {
    for (const [suffix, type] of Object.entries(row.action.produces ?? {})) {
      const answer = await world.send(row, { suffix: `.${suffix}` })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
      expect(answer.text.length).toBeGreaterThan(0)
    }
  })

  test('the live feed: events without end', async () => {
    const answer = await world.send(live)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })

  test.each(named(({ action }) => isQuiet(action)))('%s: no body unless it is asked for', async (_label, row) => {
    const answer = await world.send(row, { headers: { prefer: 'respond-async' } })
    expect(answer.status).toBe(statusOf(row.action))
    expect(answer.text).toBe('')
  })
})

describe('JSON and XML say the same', () => {
  test.each(every)('%s', async (_label, row) => {
    const { resource, action } = row
    const json = await world.send(row)
    const schema = action.body as SchemaNode | undefined
    const body = await world.bodyOf(row)
    // A file is the same in both.
    const document = schema ? xmlWriterOf(schema, resource.one, resource.many)(body) : body
    const headers = action.upload ? {} : XML
    const xml = await world.send(row, { suffix: '.xml', body: document, headers })
    expect(xml.status, xml.text).toBe(json.status)
    expect(xml.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    const isList = kindOf(action.reply as SchemaNode) === 'array'
    expect(xml.text).toMatch(
      new RegExp(
        `^<\\?xml version="1.0" encoding="UTF-8"\\?>\n<${elementName(isList ? resource.many : (action.replyName ?? resource.one))}[ >]`,
      ),
    )
    if (isList && action.route?.startsWith('GET ')) return
    expect(comparable(readReply(row, xml))).toEqual(comparable(readReply(row, json)))
  })

  test.each(named(({ method }) => method === 'GET'))('%s: the very same objects', async (_label, row) => {
    const params = await world.paramsOf(row)
    const [json, xml] = [await world.send(row, { params }), await world.send(row, { params, suffix: '.xml' })]
    expect(readReply(row, xml)).toEqual(readReply(row, json))
  })

  test.each(withBody)('%s: the body may be wrapped in its root', async (_label, row) => {
    const { resource, action } = row
    const root = action.root ?? (kindOf(action.body as SchemaNode) === 'array' ? resource.many : resource.one)
    const flat = await world.send(row)
    const wrapped = await world.send(row, { body: { [root]: await world.bodyOf(row) } })
    expect(wrapped.status, wrapped.text).toBe(flat.status)
    expect(comparable(readReply(row, wrapped))).toEqual(comparable(readReply(row, flat)))
  })
})

describe('every spelling of a path does the same', () => {
  const spelt = ({ action }: Row): boolean => (routesOf(action)?.paths.length ?? 0) > 1

  test.each(named(spelt))('%s', async (_label, row) => {
    const main = await world.send(row)
    for (const spelling of routesOf(row.action)?.paths.keys() ?? []) {
      const answer = await world.send(row, { spelling })
      expect(answer.status, `spelling ${spelling}`).toBe(main.status)
      if (kindOf(row.action.reply as SchemaNode) === 'array' && row.method === 'GET') continue
      expect(comparable(readReply(row, answer))).toEqual(comparable(readReply(row, main)))
    }
  })

  const isProduced = (row: Row): boolean => row.action.produces !== undefined || row === live

  test.each(named((row) => isProduced(row) && spelt(row), asked))('%s: each file or feed', async (_label, row) => {
    const params = await world.paramsOf(row)
    for (const suffix of suffixesOf(row)) {
      const main = await world.send(row, { params, suffix })
      for (const spelling of routesOf(row.action)?.paths.keys() ?? []) {
        const answer = await world.send(row, { params, suffix, spelling })
        const told = `${suffix} in spelling ${spelling}`
        expect([told, answer.status, answer.text]).toEqual([told, main.status, main.text])
        expect(answer.headers.get('content-type')).toBe(main.headers.get('content-type'))
      }
    }
  })
})

describe('who may not', () => {
  test.each(withToken)('%s: no token, an empty one, a wrong one: 403', async (_label, row) => {
    const [params, body] = [await world.paramsOf(row), await world.bodyOf(row)]
    const before = await world.snapshot(row.resource)
    for (const suffix of suffixesOf(row).slice(0, 2)) {
      await expectRefused(row, 403, { params, body, suffix, token: '' })
      await expectRefused(row, 403, { params, body, suffix, token: '', query: 'auth_token=' })
      await expectRefused(row, 403, { params, body, suffix, token: '', query: 'auth_token[$ne]=x' })
      await expectRefused(row, 403, { params, body, suffix, token: 'gh_wrong' })
      await expectRefused(row, 403, { params, body, suffix, token: '', headers: { authorization: 'Bearer gh_wrong' } })
    }
    expect(await world.snapshot(row.resource)).toBe(before)
  })

  test.each(withToken)('%s: the token may come as a Bearer header', async (_label, row) => {
    const authorization = `Bearer ${world.system.auth_token}`
    expect((await world.send(row, { token: '', headers: { authorization } })).status).toBe(shownStatus(row))
  })

  test.each(withToken)('%s: the scopes read and door do what the declaration lets them', async (_label, row) => {
    const allowed = { read: row.action.scope !== undefined && row.method === 'GET', door: row.action.scope === 'door' }
    for (const scope of ['read', 'door'] as const) {
      const [params, body] = [await world.paramsOf(row), await world.bodyOf(row)]
      const before = await world.snapshot(row.resource)
      const answer = await world.send(row, { params, body, token: await world.token(scope) })
      expect(answer.status, `${scope}: ${answer.text.slice(0, 300)}`).toBe(allowed[scope] ? shownStatus(row) : 403)
      if (allowed[scope]) continue
      refusalOf(answer)
      expect(await world.snapshot(row.resource)).toBe(before)
    }
  })

  test.each(inEvents)('%s: a token bound to another event: 403', async (_label, row) => {
    const events = rows.find(({ resource, name }) => resource.many === 'events' && name === 'create') as Row
    const second = (await world.create(events)).body._id
    await expectRefused(row, 403, { token: await world.token('door', second) })
    await expectRefused(row, 403, { token: await world.token('admin', second) })
  })

  test.each(inEvents)("%s: another account's event: 404, and nothing changes", async (_label, row) => {
    const [params, body] = [await world.paramsOf(row), await world.bodyOf(row)]
    const before = await world.snapshot(row.resource)
    for (const suffix of suffixesOf(row).slice(0, 2))
      await expectRefused(row, 404, { params, body, suffix, token: other.auth_token })
    expect(await world.snapshot(row.resource)).toBe(before)
  })

  test.each(aboutOne)("%s: another account's object: 404, and nothing changes", async (_label, row) => {
    const theirs = await world.paramsOf(row, other)
    const ours = isEventScoped(row.action) ? { event_id: world.eventOf() } : {}
    const before = await world.snapshot(row.resource, other)
    await expectRefused(row, 404, { params: { ...theirs, ...ours } })
    await expectRefused(row, 404, { params: { ...theirs, ...ours }, suffix: '.xml' })
    expect(await world.snapshot(row.resource, other)).toBe(before)
  })

  test.each(named(({ action }) => action.route?.includes(':') ?? false, asked))(
    '%s: ids that nothing has: 404',
    async (_label, row) => {
      const valid = await world.paramsOf(row)
      const body = await world.bodyOf(row)
      for (const name of Object.keys(valid)) {
        for (const id of [
          NOBODY,
          'x',
          '0',
          'null',
          '__proto__',
          '$where',
          '🎟',
          'a b',
          '%00',
          '\u0000',
          'x'.repeat(300),
        ]) {
          // Whether a secret is wrong, leads to nothing or does not fit the rest is for its resource to tell.
          const status = row.action.secret ? '(401|404)' : '404'
          await expectRefused(row, status, { params: { ...valid, [name]: id }, body })
        }
      }
    },
  )
})

describe('paths and formats', () => {
  test.each(named(() => true, all))('%s: no suffix or an unknown one: 406', async (_label, row) => {
    const [params, body] = [await world.paramsOf(row), await world.bodyOf(row)]
    for (const suffix of ['', '.yaml', '.JSON', '.html']) await expectRefused(row, 406, { params, body, suffix })
  })

  test.each(named(() => true, asked))(
    '%s: refusals are problems (RFC 9457) for who accepts them',
    async (_label, row) => {
      const params = Object.fromEntries(Object.keys(await world.paramsOf(row)).map((name) => [name, NOBODY]))
      const headers = { accept: 'application/problem+json' }
      const refused = await world.send(row, { params, token: 'gh_wrong', headers })
      expect(row.action.secret ? [401, 404] : [403]).toContain(refused.status)
      expect(refused.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
      refusalOf(refused)
    },
  )
})

/** The status with which the gateway itself refuses what is too large or too deep; undefined where it passes it on. */
function wantedOf(action: Action, sent: string): RegExp | undefined {
  if (sent.length > maxBytesOf(action)) return /^413 /
  return isDeep(sent) ? /^400 / : undefined
}

describe('bodies that can not be read', () => {
  test.each(withBody)('%s: malformed JSON, malformed XML: 400', async (_label, row) => {
    const params = await world.paramsOf(row)
    const before = await world.snapshot(row.resource)
    for (const body of ['{', '{"a":}', "{'a': 1}", '\u0000', 'x', '[1,', '{"a":1}}', 'NaN']) {
      await expectRefused(row, 400, { params, body })
    }
    const documents = [
      '<',
      'x',
      '<a>',
      '<a></b>',
      '<!DOCTYPE a><a/>',
      '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
      '<a>&b;</a>',
      '{}',
    ]
    for (const body of documents) await expectRefused(row, 400, { params, body, suffix: '.xml', headers: XML })
    expect(await world.snapshot(row.resource)).toBe(before)
  })

  test.each(withBody)('%s: another content type: 415', async (_label, row) => {
    const [params, body] = [await world.paramsOf(row), await world.bodyOf(row)]
    for (const type of [
      'text/plain',
      'application/yaml',
      'multipart/form-data; boundary=x',
      'nonsense',
      'application/jsonx',
    ]) {
      await expectRefused(row, 415, { params, body, headers: { 'content-type': type } })
    }
  })

  test.each(withBody)('%s: bodies that are JSON but nothing that was meant', async (_label, row) => {
    const params = await world.paramsOf(row)
    await each(hostileBodies, async (body) => {
      const answer = await world.send(row, { params, body })
      const wanted = wantedOf(row.action, body) ?? /^(2|422 )/
      expect(`${answer.status} ${answer.text.slice(0, 200)} for ${body.slice(0, 50)}`).toMatch(wanted)
      if (answer.status === 422 && !Array.isArray(answer.body)) refusalOf(answer)
    })
  })
})

describe('undeclared fields are ignored and not stored', () => {
  test.each(withBody)('%s', async (_label, row) => {
    const schema = row.action.body as SchemaNode
    const declared = Object.keys((schema.items ?? schema).properties ?? {})
    const hostile = {
      _id: NOBODY,
      id: NOBODY,
      event_id: NOBODY,
      account_id: NOBODY,
      token_id: NOBODY,
      hash: NOBODY,
      access_status: 77,
      guest_count: 77,
      created_at: '2001-02-03T04:05:06Z',
      updated_at: '2001-02-03T04:05:06Z',
      $where: NOBODY,
      $set: { name: NOBODY },
      constructor: { prototype: { name: NOBODY } },
      never_declared: NOBODY,
    }
    const extra = Object.entries(hostile).filter(([name]) => !declared.includes(name))
    const spoil = (item: unknown): string =>
      `${JSON.stringify({ ...(item as object), ...Object.fromEntries(extra) }).slice(0, -1)},"__proto__":{"name":"${NOBODY}"}}`
    const valid = await world.bodyOf(row)
    const body = Array.isArray(valid) ? `[${valid.map(spoil).join(',')}]` : spoil(valid)
    const params = await world.paramsOf(row)
    const plain = await world.send(row)
    const answer = await world.send(row, { params, body })
    expect(answer.status, answer.text).toBe(shownStatus(row))
    expect(comparable(readReply(row, answer))).toEqual(comparable(readReply(row, plain)))
    const stored = await world.snapshot(row.resource)
    for (const mark of [NOBODY, '2001-02-03', 'never_declared', ': 77']) {
      expect(answer.text).not.toContain(mark)
      expect(stored).not.toContain(mark)
    }
  })
})

describe('hostile values never break anything, and a refusal names the field', () => {
  /** The answers to an object, or to the only item of a batch. */
  function judge(row: Row, way: Way, sent: string, answer: Answer): void {
    const told = `${answer.status} ${answer.text.slice(0, 300)} for ${way.join('.')} = ${sent.slice(0, 80)}`
    // What goes with a secret may be one itself.
    const usual = row.action.secret ? /^(2\d\d|401|422) / : /^(2\d\d|422) /
    expect(told).toMatch(wantedOf(row.action, sent) ?? usual)
    if (answer.status !== 422) return
    const field = way.find((step) => typeof step === 'string') as string | undefined
    if (field === undefined) return
    if (answer.headers.get('content-type')?.includes('xml')) {
      const [subject = ''] = fullSentences({ [field]: [''] })
      expect(answer.text.toLowerCase(), told).toContain(`<error>${subject.trim().toLowerCase()}`)
      return
    }
    const errors = row.action.batch && Array.isArray(answer.body) ? answer.body[0].errors : answer.body.errors
    expect(
      Object.keys(errors ?? {}).map((name) => name.split('.')[0]),
      told,
    ).toContain(field)
  }

  test.each(withBody)('%s in JSON', async (_label, row) => {
    const params = await world.paramsOf(row)
    const attacks = fieldsOf(row.action.body as SchemaNode).flatMap((way) => hostileJson.map((raw) => ({ way, raw })))
    await each(attacks, async ({ way, raw }) => {
      const body = await world.bodyOf(row)
      judge(row, way, raw, await world.send(row, { params, body: withRaw(body, way, raw) }))
    })
  })

  test.each(withBody)('%s in XML', async (_label, row) => {
    const { resource, action } = row
    const schema = action.body as SchemaNode
    const item = (action.batch ? schema.items : schema) as SchemaNode
    const params = await world.paramsOf(row)
    const attacks = Object.keys(item.properties ?? {}).flatMap((field) => hostileXml.map((raw) => ({ field, raw })))
    await each(attacks, async ({ field, raw }) => {
      const valid = await world.bodyOf(row)
      const sound = { ...((action.batch ? (valid as object[])[0] : valid) as object), [field]: undefined }
      const element = raw.replaceAll('NAME', elementName(field))
      const document = xmlWith(item, resource.one, sound, element)
      const many = elementName(resource.many)
      const sent = action.batch ? `<${many} type="array">${document}</${many}>` : document
      judge(row, [field], element, await world.send(row, { params, body: sent, suffix: '.xml', headers: XML }))
    })
  })

  test.each(named(({ method }) => method === 'GET'))('%s in the query', async (_label, row) => {
    const params = await world.paramsOf(row)
    const query = row.action.query ?? record({})
    const declared = Object.keys(query.properties)
    const attacks = [...declared, 'undeclared'].flatMap((name) => hostileQueries.map((raw) => ({ name, raw })))
    await each(attacks, async ({ name, raw }) => {
      const sent = raw.replaceAll('NAME', name)
      for (const suffix of ['.json', '.xml']) {
        const answer = await world.send(row, { params, query: sent, suffix })
        const told = `${answer.status} ${answer.text.slice(0, 300)} for ${sent.slice(0, 80)}`
        expect(told).toMatch(name === row.action.secret ? /^(200|401|422) / : /^(200|422) /)
        if (answer.status !== 422) continue
        const { fields, sentences } = refusalOf(answer)
        const [subject = ''] = fullSentences({ [name]: [''] })
        if (suffix === '.json') expect(fields, told).toEqual([expect.stringMatching(new RegExp(`^${name}(\\.|$)`))])
        else expect(sentences[0]?.toLowerCase(), told).toContain(subject.trim().toLowerCase())
      }
    })
    expect(queryReaderOf(query)({}).errors).toBeUndefined()
  })
})

describe('the example of a request is accepted', () => {
  // What the story calls by a name is there once in an account: what is made, changed and made by the batch is in one each.
  let third: Account
  beforeAll(async () => {
    third = await world.account('third')
  })

  test.each(withBody)('%s', async (_label, row) => {
    const account = row.action.batch ? third : row.name === 'create' ? world.system : other
    const schema = row.action.body as SchemaNode
    const example = exampleOf(schema, 'input', row.resource.one)
    const body = await withReferences(schema, example, (field) => world.refer(field, account))
    const answer = await world.send(row, { account, body })
    expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${shownStatus(row)} `))
  })
})
