import { exampleOf } from '@gatehouse/gateway/openapi-examples'
import { isAct } from '@gatehouse/proto/audit/acts.ts'
import { kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { isQuiet, routesOf, statusOf } from '@gatehouse/proto/declaring/resource.ts'
import { batchItemsWriterOf, writerOf } from '@gatehouse/proto/formats/json-writer.ts'
import { elementName, xmlWriterOf } from '@gatehouse/proto/formats/xml.ts'
import type { TSchema } from 'typebox'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestAccount } from '../harness/system.ts'
import { sampled, slow } from '../rounds.ts'
import { storeEarlierOnes } from './earlier-documents.ts'
import { withReferences } from './samples.ts'
import {
  all,
  asked,
  comparable,
  each,
  every,
  isFile,
  isMerged,
  live,
  named,
  other,
  readReply,
  shownStatus,
  testMost,
  useWorld,
  withBody,
  world,
  XML,
} from './table.ts'
import { type ActionRow, isSealed, suffixesOf } from './world.ts'

// Runs over every action that has a route, so that a new action is tested as soon as it is declared.

useWorld()

test('the error for a field with an unknown reference names the place to declare it', async () => {
  await expect(world.refer('never_declared_id', world.system)).rejects.toThrow(
    /^never_declared_id refers to something .+ add it to refer\(\) or #furnish\(\) of .+world\.ts/,
  )
})

describe('a valid request is answered as declared', () => {
  testMost(every, 'JSON', async (row) => {
    if (row.name === 'list') await world.fresh(row.resource)
    const answer = await world.send(row)
    expect(`${answer.status} ${answer.text.slice(0, 500)}`).toMatch(new RegExp(`^${shownStatus(row)} `))
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const schema = row.action.reply as TSchema
    const write = row.action.batch ? batchItemsWriterOf(schema) : writerOf(schema)
    readReply(row, answer)
    expect(JSON.parse(write(answer.body))).toEqual(answer.body)
    if (row.name === 'list') expect(answer.body.length).toBeGreaterThan(0)
  })

  test.each(named(isFile, all))('%s: files of all declared types', async (_label, row) => {
    const every = Object.entries(row.action.produces ?? {})
    // A logo is of one type.
    for (const [suffix, type] of row.name === 'logo' ? every.slice(0, 1) : every) {
      const answer = await world.send(row, { suffix: `.${suffix}` })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
      expect(answer.text.length).toBeGreaterThan(0)
    }
  })

  test('the live feed: an event stream', async () => {
    const answer = await world.send(live)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })

  test.each(named(({ action }) => isQuiet(action)))('%s: no body unless it is asked for', async (_label, row) => {
    const answer = await world.send(row, { headers: { prefer: 'respond-async' } })
    expect(answer.status).toBe(statusOf(row.action))
    expect(answer.text).toBe('')
  })
})

describe('an administrative act has a record, and nothing else has', () => {
  const changes = all.filter(({ method, action }) => method !== 'GET' && !action.secret)
  const labels = named(() => true, sampled(changes, 32))

  test.each(labels)('%s', async (_label, row) => {
    const params = await world.paramsOf(row)
    const subject = `${row.resource.name}.${row.name}`
    const recorded = async (action: string): Promise<{ created_at: string }[]> =>
      (await world.system.api('GET', `audit_records.json?action=${action}&per_page=5`)).body
    const before = await recorded(subject)
    const answer = await world.send(row, { params })
    expect(answer.status, answer.text).toBeLessThan(300)
    if (isAct(row.action, 'json')) {
      await expect.poll(async () => (await recorded(subject))[0]).not.toEqual(before[0])
      return
    }
    // The record of a later act arrives after those of earlier ones.
    const mark = await world.system.api('POST', 'contact_fields.json', { key: `mark_${Date.now()}` })
    await expect
      .poll(async () => (await recorded('sso.contact_fields.create')).map((each) => Object(each).resource_id))
      .toContain(mark.body._id)
    expect(await recorded(subject)).toEqual(before)
  })
})

// Of what the schema alone decides, gateway/forwarding/roundtrip.test.ts tries all actions.
describe('JSON and XML are equivalent', () => {
  test.each(sampled(every, 32))('%s', async (_label, row) => {
    const { resource, action } = row
    const json = await world.send(row)
    const schema = action.body as SchemaNode | undefined
    const body = await world.bodyOf(row)
    // A file is sent as it is, whatever the format of the answer.
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

  test.each(
    sampled(
      named(({ method }) => method === 'GET'),
      32,
    ),
  )('%s: the same objects', async (_label, row) => {
    const params = await world.paramsOf(row)
    // Records of earlier acts may arrive in between.
    await vi.waitFor(async () => {
      const [json, xml] = [await world.send(row, { params }), await world.send(row, { params, suffix: '.xml' })]
      expect(readReply(row, xml)).toEqual(readReply(row, json))
    }, 60_000)
  })

  test.each(sampled(withBody, 32))('%s: the body may be wrapped in its root', async (_label, row) => {
    const { resource, action } = row
    const root = action.root ?? (kindOf(action.body as SchemaNode) === 'array' ? resource.many : resource.one)
    const flat = await world.send(row)
    const wrapped = await world.send(row, { body: { [root]: await world.bodyOf(row) } })
    expect(wrapped.status, wrapped.text).toBe(flat.status)
    expect(comparable(readReply(row, wrapped))).toEqual(comparable(readReply(row, flat)))
  })
})

describe('all spellings of a path are equivalent', () => {
  const spelt = ({ action }: ActionRow): boolean => (routesOf(action)?.paths.length ?? 0) > 1

  test.each(
    sampled(
      named((row) => spelt(row) && !isMerged(row)),
      16,
    ),
  )('%s', async (_label, row) => {
    const main = await world.send(row)
    for (const spelling of routesOf(row.action)?.paths.keys() ?? []) {
      const answer = await world.send(row, { spelling })
      expect(answer.status, `spelling ${spelling}`).toBe(main.status)
      if (kindOf(row.action.reply as SchemaNode) === 'array' && row.method === 'GET') continue
      expect(comparable(readReply(row, answer))).toEqual(comparable(readReply(row, main)))
    }
  })

  /** A file without the time at which it was made, which a PDF says; of a wallet pass, whose signature says it, the guest; of an archive nothing. */
  const timeless = (text: string): string =>
    text.startsWith('\x1f') ? 'archive' : (/"serialNumber":"\w+"/.exec(text)?.[0] ?? text.replace(/\(D:\d{14}Z\)/g, ''))
  const isProduced = (row: ActionRow): boolean => row.action.produces !== undefined || row === live

  test.each(named((row) => isProduced(row) && spelt(row), asked))('%s: each file or feed', async (_label, row) => {
    const params = await world.paramsOf(row)
    for (const suffix of suffixesOf(row)) {
      const main = await world.send(row, { params, suffix })
      for (const spelling of routesOf(row.action)?.paths.keys() ?? []) {
        const answer = await world.send(row, { params, suffix, spelling })
        const request = `${suffix} in spelling ${spelling}`
        expect([request, answer.status, timeless(answer.text)]).toEqual([request, main.status, timeless(main.text)])
        expect(answer.headers.get('content-type')).toBe(main.headers.get('content-type'))
      }
    }
  })
})

describe('the example of a request is accepted', () => {
  // Names in examples are unique within an account, so creations, changes and batches use an account each; so does the walk-in, who is the guest.
  let third: TestAccount
  beforeAll(async () => {
    third = await world.account('third')
  })

  const examples = withBody.filter(([, row]) => !isSealed(row))

  test.each(sampled(examples, 4))('%s', async (_label, row) => {
    const account =
      row.action.batch || row.resource.many === 'walk_ins' ? third : row.name === 'create' ? world.system : other
    const schema = row.action.body as SchemaNode
    const example = exampleOf(schema, 'input', row.resource.one)
    const body = await withReferences(schema, example, (field) => world.refer(field, account))
    const answer = await world.send(row, { account, body })
    expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${shownStatus(row)} `))
  })
})

// Last, since it leaves documents that nothing else can work with.
describe('a document of an earlier version, without a field or with another shape of it, fails', slow, () => {
  let old: TestAccount
  /** The ids of the documents of each resource, by what is different. */
  const ids = new Map<string, Map<string, string>>()
  const reads = named(({ method }) => method === 'GET')
  const isList = ({ name }: ActionRow): boolean => name === 'list'

  /** The answers of an action in all formats that are not 200. */
  async function failures(row: ActionRow, params: Record<string, string>, only?: string): Promise<string[]> {
    const formats = only ? [only] : ['.json', '.xml', ...(row.action.produces?.csv ? ['.csv'] : [])]
    const answers = formats.map(async (suffix) => {
      const { status, text } = await world.send(row, { account: old, suffix, params })
      return status === 200 ? [] : [`${suffix} ${status} ${text}`]
    })
    return (await Promise.all(answers)).flat()
  }

  beforeAll(async () => {
    old = await world.account('old')
    const owner = { account_id: old.account_id, event_id: world.eventOf(old) }
    const lists = reads.map(([, row]) => row).filter(isList)
    for (const { resource } of lists) await world.fresh(resource, old)
    for (const row of lists) {
      const where = { ...(await world.paramsOf(row, old)), ...owner }
      ids.set(row.resource.many, await storeEarlierOnes(world, where, row.resource))
    }
  })

  test.each(reads.filter(([, row]) => isList(row)))('no list: %s', async (_label, row) => {
    const params = await world.paramsOf(row, old)
    const { items = {} } = row.action.reply as SchemaNode
    const stored = [...(ids.get(row.resource.many)?.values() ?? [])]
    const shows = async (): Promise<boolean> => {
      const { status, text } = await world.send(row, { account: old, params })
      return status !== 200 || stored.some((id) => text.includes(id))
    }
    // Files and invitations have no ids. A list that the service caches has them when it is read again, some seconds later.
    if (items.properties?._id) await expect.poll(shows).toBe(true)
    expect(await failures(row, params)).toEqual([])
  })

  test.each(reads.filter(([, row]) => !isList(row)))('no read: %s', async (_label, row) => {
    const params = await world.paramsOf(row, old)
    const isOne = row.action.route?.endsWith('/:id')
    const found: string[] = []
    await each([...((isOne && ids.get(row.resource.many)) || [['any', params.id ?? '']])], async ([label, id]) => {
      found.push(
        ...(await failures(row, { ...params, ...(isOne && { id }) }, isOne ? '.json' : undefined)).map(
          (failure) => `${label}: ${failure}`,
        ),
      )
    })
    expect(found).toEqual([])
  })
})
