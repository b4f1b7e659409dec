import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { describe, expect, test } from 'vitest'
import { sampled } from '../rounds.ts'
import { hostileBodies } from './samples.ts'
import {
  all,
  asked,
  comparable,
  each,
  expectRefused,
  isMerged,
  named,
  readReply,
  refusalOf,
  shownStatus,
  UNKNOWN,
  useWorld,
  wantedOf,
  withBody,
  world,
  XML,
} from './table.ts'

// Runs over every action that has a route, so that a new action is tested as soon as it is declared.

const MALFORMED_JSON = ['{', '{"a":}', "{'a': 1}", '\u0000', 'x', '[1,', '{"a":1}}', 'NaN']
const OTHER_TYPES = [
  'text/plain',
  'application/yaml',
  'multipart/form-data; boundary=x',
  'nonsense',
  'application/jsonx',
]
const MALFORMED_XML = [
  '<',
  'x',
  '<a>',
  '<a></b>',
  '<!DOCTYPE a><a/>',
  '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  '<a>&b;</a>',
  '{}',
]

useWorld()

describe('paths and formats', () => {
  test.each(
    sampled(
      named(() => true, all),
      32,
    ),
  )('%s: no suffix or an unknown one: 406', async (_label, row) => {
    const [params, body] = [await world.paramsOf(row), await world.bodyOf(row)]
    for (const suffix of ['', '.yaml', '.JSON', '.htm']) await expectRefused(row, 406, { params, body, suffix })
  })

  test.each(
    sampled(
      named(() => true, asked),
      32,
    ),
  )('%s: refusals are problems (RFC 9457) for clients which accept them', async (_label, row) => {
    const params = Object.fromEntries(Object.keys(await world.paramsOf(row)).map((name) => [name, UNKNOWN]))
    const headers = { accept: 'application/problem+json' }
    const refused = await world.send(row, { params, token: 'gh_wrong', headers })
    expect(row.action.secret ? [401, 404] : [403]).toContain(refused.status)
    expect(refused.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    refusalOf(refused)
  })
})

describe('unreadable bodies', () => {
  test.each(sampled(withBody, 16))('%s: malformed JSON, malformed XML: 400', async (_label, row) => {
    const params = await world.paramsOf(row)
    const before = await world.snapshot(row.resource)
    for (const body of sampled(MALFORMED_JSON, 4)) await expectRefused(row, 400, { params, body })
    for (const body of sampled(MALFORMED_XML, 4))
      await expectRefused(row, 400, { params, body, suffix: '.xml', headers: XML })
    expect(await world.snapshot(row.resource)).toBe(before)
  })

  test.each(sampled(withBody, 16))('%s: another content type: 415', async (_label, row) => {
    const [params, body] = [await world.paramsOf(row), await world.bodyOf(row)]
    for (const type of sampled(OTHER_TYPES, 4)) {
      await expectRefused(row, 415, { params, body, headers: { 'content-type': type } })
    }
  })

  test.each(sampled(withBody, 16))('%s: bodies of valid JSON with the wrong type', async (_label, row) => {
    const params = await world.paramsOf(row)
    await each(sampled(hostileBodies, 4), async (body) => {
      const answer = await world.send(row, { params, body })
      const wanted = wantedOf(row.action, body) ?? /^(2|422 )/
      expect(`${answer.status} ${answer.text.slice(0, 200)} for ${body.slice(0, 50)}`).toMatch(wanted)
      if (answer.status === 422 && !Array.isArray(answer.body)) refusalOf(answer)
    })
  })
})

describe('undeclared fields are ignored and not stored', () => {
  test.each(sampled(withBody, 16))('%s', async (_label, row) => {
    const schema = row.action.body as SchemaNode
    const declared = Object.keys((schema.items ?? schema).properties ?? {})
    const hostile = {
      _id: UNKNOWN,
      id: UNKNOWN,
      event_id: UNKNOWN,
      account_id: UNKNOWN,
      token_id: UNKNOWN,
      hash: UNKNOWN,
      access_status: 77,
      guest_count: 77,
      created_at: '2001-02-03T04:05:06Z',
      updated_at: '2001-02-03T04:05:06Z',
      $where: UNKNOWN,
      $set: { name: UNKNOWN },
      constructor: { prototype: { name: UNKNOWN } },
      never_declared: UNKNOWN,
    }
    const extra = Object.entries(hostile).filter(([name]) => !declared.includes(name))
    const spoil = (item: unknown): string =>
      `${JSON.stringify({ ...(item as object), ...Object.fromEntries(extra) }).slice(0, -1)},"__proto__":{"name":"${UNKNOWN}"}}`
    const valid = await world.bodyOf(row)
    const body = Array.isArray(valid) ? `[${valid.map(spoil).join(',')}]` : spoil(valid)
    const params = await world.paramsOf(row)
    const plain = await world.send(row)
    const answer = await world.send(row, { params, body })
    expect(answer.status, answer.text).toBe(shownStatus(row))
    if (!isMerged(row)) expect(comparable(readReply(row, answer))).toEqual(comparable(readReply(row, plain)))
    const stored = await world.snapshot(row.resource)
    for (const mark of [UNKNOWN, '2001-02-03', 'never_declared', ': 77']) {
      expect(answer.text).not.toContain(mark)
      expect(stored).not.toContain(mark)
    }
  })
})
