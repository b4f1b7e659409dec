import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fullSentences } from '@gatehouse/proto/declaring/faults.ts'
import { list, type SchemaNode, text } from '@gatehouse/proto/declaring/fields.ts'
import { type Action, isEventScoped, maxBytesOf, statusOf } from '@gatehouse/proto/declaring/resource.ts'
import { readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePassCertificates } from '../harness/pass-certificates.ts'
import { readXml } from '../harness/read-xml.ts'
import { type Answer, startSystem, type TestAccount } from '../harness/system.ts'
import { byCost } from '../rounds.ts'
import { all, live } from './rows.ts'
import { isDeep, sampleDate } from './samples.ts'
import { type ActionRow, labelOf, type Request, World } from './world.ts'

// Runs over every action that has a route, so that a new action is tested as soon as it is declared.

export { all, live }

// Files and feeds have no schema; their contents are tested with their resources.
export const isFile = ({ action }: ActionRow): boolean => action.produces !== undefined && action.reply === undefined
export const rows = all.filter((row) => !isFile(row))
export const asked = [...all, live]
export const named = (which: (row: ActionRow) => boolean, from = rows): [string, ActionRow][] =>
  from.filter(which).map((row) => [labelOf(row), row])
export const every = named(() => true)
export const withToken = named(({ action }) => !action.secret, asked)
export const withBody = named(({ action }) => action.body !== undefined)
export const inEvents = named(({ action }) => isEventScoped(action), asked)
export const aboutOne = named(({ action }) => !action.secret && (action.route?.includes(':id') ?? false))

export const XML = { 'content-type': 'application/xml; charset=utf-8' }
/** An id that nothing has. */
export const UNKNOWN = 'f'.repeat(24)

/** The system of the tests of a file, and another account of it; made by {@link useWorld}. */
export let world: World
export let other: TestAccount

/** Makes a world for the tests of this file. */
export function useWorld(): void {
  beforeAll(async () => {
    const mail_folder = await mkdtemp(join(tmpdir(), 'gatehouse-tables-'))
    const { settings: badges } = await makePassCertificates(mail_folder)
    const started = await startSystem({ with: 'all', mail: { mail_folder }, badges })
    const stop = async () => {
      await started.stop()
      await rm(mail_folder, { recursive: true, force: true })
    }
    world = await World.of({ ...started, stop }, all)
    other = await world.account('other')
  })

  afterAll(async () => {
    await world?.system.stop()
  })
}

/** Tests a rule of each of many actions: of one in four in `npm test`, since all take half a minute, and of the others in the slow tests. */
export function testMost(
  actions: [label: string, row: ActionRow][],
  rule: string,
  check: (row: ActionRow) => Promise<void>,
): void {
  for (const [[label, row], options] of byCost(actions, 4)) test(`${label}: ${rule}`, options, () => check(row))
}

export function shownStatus({ action }: ActionRow): number {
  const status = statusOf(action)
  return status === 204 ? 200 : status
}

/** Reads a reply in JSON or XML by its schema. */
export function readReply({ action }: ActionRow, answer: Answer): unknown {
  const schema = action.reply as TSchema
  const isXml = answer.headers.get('content-type')?.includes('xml')
  const { value, errors } = readerOf(schema)(isXml ? readXml(answer.text, schema as SchemaNode) : answer.body)
  expect(errors, answer.text).toBeUndefined()
  return value
}

/** The fields of an erasure that say how far it is. */
const ERASING = ['state', 'completed_at', 'report', 'unsearched']

/** A reply with placeholders for all values that differ between objects. */
export function comparable(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString() === sampleDate ? sampleDate : 'date'
  if (typeof value === 'string') {
    return value
      .replace(/^[0-9a-f]{24}$/, 'id')
      .replace(/^[0-9a-f]{32}$/, 'client')
      .replace(/sample[-_]\d+/gi, 'sample')
      .replace(/^(g[hs]|whsec)_.+$/, 'token')
      .replace(/(^|#)[A-Z2-9]{4}(-[A-Z2-9]{4}){1,2}$/, '$1code')
      .replace(/^<svg .+<\/svg>\s*$/s, 'svg')
      .replace(/\/logos\/[0-9a-f]{24}(?=\.)/, '/logos/id')
      .replace(/\/(gh_partner_)?[\w-]{43}$/, '/token')
      .replace(/\/guests\/[0-9a-f]{24}\/\w+\/[\w-]{43}\.\w+$/, '/link')
  }
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  // How far an erasure is depends on how busy the machine is, and what it leaves is counted in the whole account, which each request changes.
  const isErasure = 'unsearched' in value
  const shown = (name: string, each: unknown): unknown => {
    // Each request that sends a link adds one.
    if (name === 'link_count') return 'count'
    return isErasure && ERASING.includes(name) ? 'progress' : comparable(each)
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shown(name, each)]))
}

/** Two versions of a note are merged: each further request changes the lead. */
export function isMerged({ resource, name }: ActionRow): boolean {
  return resource.many === 'connections' && name === 'change'
}

const sentencesSchema = list(text(), 'error') as unknown as SchemaNode

/** Checks that a refusal is well-formed in its format, and gives its errors by field (JSON) or its sentences (XML). */
export function refusalOf(answer: Answer): { fields: string[]; sentences: string[] } {
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

export async function expectRefused(row: ActionRow, status: number | string, request: Request): Promise<void> {
  const answer = await world.send(row, request)
  expect(`${answer.status} ${answer.text.slice(0, 300)}`).toMatch(new RegExp(`^${status} `))
  refusalOf(answer)
}

/** Sends many requests, a few at a time. Throws with the first few errors. */
export async function each<T>(items: readonly T[], send: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  const wrong: string[] = []
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      await send(item).catch((error: Error) => wrong.push(error.message))
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  if (wrong.length > 0) throw new Error(`${wrong.length} failed, among them:\n${wrong.slice(0, 5).join('\n')}`)
}

/** The status with which the gateway itself refuses a body as too large or too deep; undefined if it forwards the body. */
export function wantedOf(action: Action, sent: string): RegExp | undefined {
  if (sent.length > maxBytesOf(action)) return /^413 /
  return isDeep(sent) ? /^400 / : undefined
}
