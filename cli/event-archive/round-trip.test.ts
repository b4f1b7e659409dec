// @module-tag slow
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { databaseOf } from '@gatehouse/test/harness/databases.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { Binary } from 'mongodb'
import { afterAll, describe, expect, test } from 'vitest'
import { furnished } from '../../services/guests/testing/furnished-event.ts'
import { leftOf } from '../../services/guests/testing/left-of-event.ts'
import type { ServiceName } from '../../services/services.ts'
import { contentOf } from '../testing/archive-content.ts'
import { entriesOf, writeEntries } from '../testing/archive-entries.ts'
import { captured } from '../testing/captured-terminal.ts'
import { exportEverything } from './export.ts'
import { importEverything } from './import.ts'

const system = await sharedSystem()
const account = await databaseOf(system, 'sso')
  .collection<{ _id: string; slug: string }>('accounts')
  .findOne({ _id: system.account_id })
const slug: string = account?.slug ?? ''
const root = await mkdtemp(join(tmpdir(), 'event-archive-'))
afterAll(() => rm(root, { recursive: true, force: true }))

const PHOTO = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

let exports = 0

async function exported(event: string): Promise<string> {
  const out = join(root, `export ${++exports}.tgz`)
  const terminal = captured()
  expect(await exportEverything({ event, out }, system.bus, terminal), terminal.text.err).toBe(0)
  return out
}

async function imported(file: string, account = slug): Promise<string> {
  const terminal = captured()
  expect(await importEverything(file, { account }, system.bus, terminal), terminal.text.err).toBe(0)
  return terminal.text.out
}

const importing = (file: string, options: object = {}): Promise<number> =>
  importEverything(file, { account: slug, ...options }, system.bus, captured())

async function removed(event: TestEvent, title: string): Promise<void> {
  const { status } = await system.api('DELETE', `events/${event.id}.json?${new URLSearchParams({ title })}`)
  expect(status).toBe(204)
  await expect.poll(() => leftOf(system, event.id), { timeout: 120_000, interval: 1_000 }).toEqual([])
}

/** What takes e-mails or other services to make. */
async function addRest(event_id: string, guest_category_id: string): Promise<void> {
  const created_at = new Date('2030-01-01T00:00:00.123Z')
  const id = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 24)
  const invitation = {
    event_id,
    partner_id: id(),
    partner_campaign_id: id(),
    state: 'sent',
    postponed: 0,
    answer: null,
  }
  const rest: [ServiceName, string, object][] = [
    ['partners', 'invitations', { ...invitation, address: 'bob@example.org', created_at }],
    ['partners', 'mailing_deliveries', { ...invitation, address: 'ada@example.org', created_at }],
    ['partners', 'former_recipients', { event_id, address: 'eve@example.org', locale: null }],
    ['partners', 'blocked_recipients', { event_id, key: 'eve@example.org', created_at }],
    ['partners', 'suppressions', { event_id, address: 'eve@example.org', cause: 'bounced', created_at }],
    ['partners', 'unsubscriptions', { event_id, address: 'eve@example.org', created_at }],
    ['partners', 'registration_counters', { _id: guest_category_id, event_id, last: 3 }],
    ['badges', 'badge_logos', { event_id, logo_id: id(), width: 1, height: 1, png: new Binary(PHOTO) }],
    ['guests', 'erasures', { event_id, account_id: system.account_id, state: 'done', passes: [], created_at }],
  ]
  for (const [service, name, document] of rest)
    await databaseOf(system, service)
      .collection<{ _id: string }>(name)
      .insertOne({ _id: id(), ...document })
}

/** An event with something in each collection that travels. */
async function complete(): Promise<Awaited<ReturnType<typeof furnished>>> {
  const made = await furnished(system)
  const { event, category, door, guest } = made
  await event.make('guest_fields.json', { key: 'photo', type: 'file' })
  const put = async (path: string, bytes: Buffer, type: string): Promise<void> => {
    const answer = await event.api('PUT', path, bytes, { headers: { 'content-type': type } })
    expect(answer.status, answer.text).toBeLessThan(300)
  }
  await put(`guests/${guest}/files/photo.json?filename=me.png`, PHOTO, 'image/png')
  const points = { width: '300', height: '150.5', lines: [{ x1: '1', y1: '2', x2: '3', y2: '4' }] }
  await event.make('signatures.json', { accesspoint_id: door, guest_uid: 'ada', points })
  await addRest(event.id, category)
  return made
}

describe('an event', () => {
  test('is the same after export, deletion and import, in each collection and file; and the door counts on', async () => {
    const { event, category, door } = await complete()
    const before = await event.read('guests.json')
    const counts = (await system.api('GET', `events/${event.id}.json`)).body
    const statistics = await event.read('statistics.json')
    const first = await exported(event.id)
    const content = await contentOf(first)
    const lines = Object.entries(content).filter(([name]) => name.endsWith('.jsonl'))
    expect(lines.length).toBeGreaterThan(20)
    for (const [name, text] of lines) expect(text, name).toContain(event.id)
    expect(Object.values(content)).toContain(PHOTO.toString('latin1'))
    await removed(event, 'Gala & Ball')
    expect(await imported(first)).toContain(`"Gala & Ball" (${event.id}) is there`)
    expect(await contentOf(await exported(event.id))).toEqual(content)
    expect((await system.api('GET', `events/${event.id}.json`)).body).toEqual(counts)
    expect(await event.read('guests.json')).toEqual(before)
    expect(await event.read('statistics.json')).toEqual(statistics)
    await event.guest(category, 'bob')
    expect((await event.scan(door, 'bob')).access_status).toBe(0)
    expect((await event.read('guests.json?search=lovel')).map(({ uid }: { uid: string }) => uid)).toEqual(['ada'])
    expect((await system.api('GET', `events/${event.id}.json`)).body.check_in_count).toBe(counts.check_in_count + 1)
  })

  test('can go to another account, which has it then, and the former account does not', async () => {
    const { event } = await complete()
    const folder = await exported(event.id)
    await removed(event, 'Gala & Ball')
    const other = await system.account('other')
    await imported(folder, other.slug)
    const token = other.auth_token
    expect((await system.api('GET', `events/${event.id}/guests.json`, undefined, { token })).body).toHaveLength(1)
    expect((await system.api('GET', `events/${event.id}.json`)).status).toBe(404)
    const erasures = await databaseOf(system, 'guests').collection('erasures').find({ event_id: event.id }).toArray()
    expect(erasures.map(({ account_id }) => account_id)).toEqual([other.account_id])
  })

  test('that is there already is refused by its name, and nothing is stored', async () => {
    const event = await TestEvent.open(system, { title: 'Fair' })
    const folder = await exported(event.id)
    await event.category('Later')
    await expect(importing(folder)).rejects.toThrow(`The event "Fair" (${event.id}) is there already`)
    expect(await event.read('guest_categories.json')).toHaveLength(1)
  })

  test('is seen by nobody until all of it is there, and an import that was stopped goes on', async () => {
    const { event } = await complete()
    const folder = await exported(event.id)
    const content = await contentOf(folder)
    await removed(event, 'Gala & Ball')
    const stopped = new AbortController()
    stopped.abort()
    const terminal = captured({ stop: stopped.signal })
    expect(await importEverything(folder, { account: slug }, system.bus, terminal)).toBe(130)
    expect(terminal.text.err).toContain('Run it again to continue')
    expect((await system.api('GET', `events/${event.id}.json`)).status).toBe(404)
    await imported(folder)
    expect(await contentOf(await exported(event.id))).toEqual(content)
  })

  test('of which an import was begun is gone after a withdrawal, of which nothing is left', async () => {
    const event = await TestEvent.open(system, { title: 'Fair' })
    await event.guest(await event.category(), 'ada')
    const folder = await exported(event.id)
    await expect(importing(folder, { withdraw: true })).rejects.toThrow('There is no unfinished import')
    await removed(event, 'Fair')
    const stopped = new AbortController()
    stopped.abort()
    await importEverything(folder, { account: slug }, system.bus, captured({ stop: stopped.signal }))
    expect(await importing(folder, { withdraw: true })).toBe(0)
    await expect.poll(() => leftOf(system, event.id), { timeout: 120_000, interval: 1_000 }).toEqual([])
  })
})

describe('an archive', () => {
  /** The archive with other entries. */
  async function changed(file: string, changes: Record<string, string | undefined>): Promise<string> {
    const other = join(root, `changed ${++exports}.tgz`)
    const entries = Object.entries({ ...(await entriesOf(file)), ...changes }).filter(([, text]) => text !== undefined)
    await writeEntries(other, Object.fromEntries(entries) as Record<string, string>)
    return other
  }

  test('that lacks records, or has others, is refused by the name of the collection or the record', async () => {
    const event = await TestEvent.open(system, { title: 'Fair' })
    const guest = await event.guest(await event.category(), 'ada', { last_name: 'Lovelace' })
    const file = await exported(event.id)
    await removed(event, 'Fair')
    const page = 'guests.guests/00001.jsonl'
    const line = (await entriesOf(file))[page] ?? ''
    await expect(importing(await changed(file, { [page]: '' }))).rejects.toThrow(
      'guests.guests has 0 records, but should have 1',
    )
    for (const [text, error] of [
      ['no JSON\n', 'has a line that is no record'],
      [line.replaceAll(event.id, '0'.repeat(24)), `${guest} is of another event`],
      [line.replace('{', `{"account_id":"${'0'.repeat(24)}",`), `${guest} is of another account`],
      [line.replace('{', '{"moving_to":"x",'), `${guest} waits for work`],
    ] as const)
      await expect(importing(await changed(file, { [page]: text }))).rejects.toThrow(error)
    const stored = databaseOf(system, 'guests').collection('guests')
    expect(await stored.countDocuments({ event_id: event.id })).toBe(0)
    await stored.insertOne({ _id: guest as never, event_id: event.id, uid: 'ada', last_name: 'Byron' })
    await expect(importing(file)).rejects.toThrow(`${guest} is there already with other content`)
    await stored.deleteOne({ _id: guest as never })
    await imported(file)
  })

  test('that was cut off, lacks a file that a record names, or is something else is refused by a sentence', async () => {
    const { event } = await complete()
    const file = await exported(event.id)
    const whole = await readFile(file)
    const photo = Object.keys(await entriesOf(file)).find((name) => name.endsWith('me.png')) ?? ''
    const write = async (bytes: Uint8Array): Promise<string> => {
      const other = join(root, `cut ${++exports}.tgz`)
      await writeFile(other, bytes)
      return other
    }
    for (const [path, error] of [
      [await write(whole.subarray(0, whole.length - 200)), 'The archive was cut off'],
      [await changed(file, { 'counts.json': undefined }), 'The archive was cut off'],
      [await changed(file, { [photo]: undefined }), `The archive has no file ${photo}`],
      [await write(Buffer.from('uid,last_name\n')), 'The file is not an archive of an event'],
      [await write(gzipSync('uid,last_name\n')), 'The file is not an archive of an event'],
      [await changed(file, { 'archive.json': '{"format":"other"}' }), 'The file is not an archive of an event'],
    ] as const)
      await expect(importing(path)).rejects.toThrow(error)
  })

  test('has no secrets, and its README says what is missing', async () => {
    const { event } = await complete()
    const content = await contentOf(await exported(event.id))
    const text = Object.values(content).join('')
    for (const secret of ['token_hash', 'push_token', 'secret"']) expect(text).not.toContain(secret)
    const readme = content['README.md']
    for (const missing of ['API tokens', 'webhooks', 'devices', 'badges: they are made anew'])
      expect(readme).toContain(missing)
  })

  test('has nothing that still waits to be done: such an event is not exported', async () => {
    const event = await TestEvent.open(system, { title: 'Fair' })
    const file = join(root, 'never.tgz')
    const invitations = databaseOf(system, 'partners').collection('invitations')
    const waiting = { event_id: event.id, partner_campaign_id: 'x', state: 'pending', created_at: new Date() }
    const { insertedId } = await invitations.insertOne({ _id: event.id as never, ...waiting })
    const running = exportEverything({ event: event.id, out: file }, system.bus, captured())
    await expect.poll(() => existsSync(`${file}.part`)).toBe(true)
    expect(existsSync(file)).toBe(false)
    await invitations.updateOne({ _id: insertedId }, { $set: { state: 'sent' } })
    expect(await running).toBe(0)
    expect((await entriesOf(file))['partners.invitations/00001.jsonl']).toContain('"sent"')
  })
})
