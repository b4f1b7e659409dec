// @module-tag slow
import { type ArchiveDestination, importArchive } from '@gatehouse/proto/formats/archives/importing.ts'
import { EVENT_PAGE, type Manifest } from '@gatehouse/proto/formats/archives/manifest.ts'
import type { Page } from '@gatehouse/proto/formats/archives/pages.ts'
import { contentsOf } from '@gatehouse/proto/formats/archives/reading.ts'
import { databaseOf } from '@gatehouse/test/harness/databases.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { describe, expect, test } from 'vitest'
import { furnished } from '../testing/furnished-event.ts'
import { leftOf } from '../testing/left-of-event.ts'

const system = await sharedSystem()
const other = await system.account('imports')
const PHOTO = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

const download = (event: string, token = system.auth_token): Promise<Response> =>
  fetch(`${system.url}/api/v1/events/${event}/archive.tgz`, { headers: { authorization: `Bearer ${token}` } })

async function archiveOf(event: TestEvent): Promise<Blob> {
  const answer = await download(event.id)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip'])
  expect(answer.headers.get('content-disposition')).toContain(`event-${event.id}.tgz`)
  return answer.blob()
}

/** Everything that an archive has besides when it was made. */
async function recordsOf(archive: Blob): Promise<Record<string, string>> {
  const records: Record<string, string> = {}
  for await (const each of contentsOf(archive.stream()))
    if ('page' in each) records[each.page.name] = each.page.documents
  return records
}

async function pageOf(archive: Blob, name: string): Promise<{ manifest: Manifest; page: Page }> {
  let manifest: Manifest | undefined
  for await (const each of contentsOf(archive.stream())) {
    if ('manifest' in each) manifest = each.manifest
    if (manifest && 'page' in each && each.page.name === name) return { manifest, page: each.page }
  }
  throw new Error(`The archive has no ${name}`)
}

async function removed(event: TestEvent, title: string): Promise<void> {
  const { status } = await system.api('DELETE', `events/${event.id}.json?${new URLSearchParams({ title })}`)
  expect(status).toBe(204)
  await expect.poll(() => leftOf(system, event.id), { timeout: 120_000, interval: 1_000 }).toEqual([])
}

const bodyOf = ({ account_id, event_id }: Manifest, { collection, documents, seal }: Page): object => ({
  from_account_id: account_id,
  ...(collection !== 'guests.events' && { event_id, collection }),
  documents,
  seal,
})

const post = (path: string, body: object | undefined, token = system.auth_token): Promise<Answer> =>
  system.api('POST', path, body, { token })

/** The API as the destination of an archive. */
function api(token = system.auth_token): ArchiveDestination {
  const sent = async (path: string, body: object | undefined): Promise<void> => {
    const { status, text } = await post(path, body, token)
    if (status >= 300) throw new Error(text)
  }
  return {
    begin: (manifest, page) => sent('event_imports.json', bodyOf(manifest, page)),
    put: (manifest, page) => sent('event_imports/pages.json', bodyOf(manifest, page)),
    finish: ({ event_id }) => sent(`event_imports/${event_id}/finish.json`, undefined),
  }
}

const never = new AbortController().signal
const imported = (archive: Blob, token?: string, stop = never) =>
  importArchive(
    () => archive.stream(),
    api(token),
    () => undefined,
    stop,
  )

describe('an event', () => {
  test('that is downloaded as an archive, deleted and imported is the same, guests and files and check-ins', async () => {
    const { event, guest } = await furnished(system)
    await event.make('guest_fields.json', { key: 'photo', type: 'file' })
    const headers = { 'content-type': 'image/png' }
    await event.api('PUT', `guests/${guest}/files/photo.json?filename=me.png`, PHOTO, { headers })
    const [guests, statistics] = [await event.read('guests.json?files=true'), await event.read('statistics.json')]
    const archive = await archiveOf(event)
    const records = await recordsOf(archive)
    expect(Object.keys(records).length).toBeGreaterThan(15)
    await removed(event, 'Gala & Ball')
    expect(await imported(archive)).toMatchObject({ isStopped: false })
    expect(await event.read('guests.json?files=true')).toEqual(guests)
    expect(await event.read('statistics.json')).toEqual(statistics)
    expect(await recordsOf(await archiveOf(event))).toEqual(records)
  })

  test('can be imported into another account, and is seen by nobody before the end, however often it stops', async () => {
    const event = await TestEvent.open(system, { title: 'Fair' })
    await event.guest(await event.category(), 'ada', { last_name: 'Lovelace' })
    const archive = await archiveOf(event)
    await removed(event, 'Fair')
    const stop = new AbortController()
    stop.abort()
    expect(await imported(archive, other.auth_token, stop.signal)).toMatchObject({ isStopped: true })
    const list = (token: string) => system.api('GET', 'event_imports.json', undefined, { token })
    expect((await list(other.auth_token)).body).toMatchObject([{ _id: event.id, title: 'Fair' }])
    expect((await list(system.auth_token)).body).toEqual([])
    const read = () => system.api('GET', `events/${event.id}/guests.json`, undefined, { token: other.auth_token })
    expect((await read()).status).toBe(404)
    await imported(archive, other.auth_token)
    expect((await read()).body).toMatchObject([{ uid: 'ada', last_name: 'Lovelace' }])
    expect((await list(other.auth_token)).body).toEqual([])
    expect((await event.api('GET', 'guests.json')).status).toBe(404)
  })

  test('that is there already is refused, and nothing is stored; so is one of which the import was finished', async () => {
    const event = await TestEvent.open(system, { title: 'Fair' })
    const archive = await archiveOf(event)
    await event.category('Later')
    for (const token of [system.auth_token, other.auth_token])
      await expect(imported(archive, token)).rejects.toThrow('The event of this archive is there already')
    expect(await event.read('guest_categories.json')).toHaveLength(1)
    expect((await post(`event_imports/${event.id}/finish.json`, undefined)).status).toBe(404)
    expect((await system.api('DELETE', `event_imports/${event.id}.json`)).status).toBe(404)
  })

  test('of which the import was given up is gone', async () => {
    const event = await TestEvent.open(system, { title: 'Fair' })
    await event.guest(await event.category(), 'ada')
    const archive = await archiveOf(event)
    await removed(event, 'Fair')
    const { manifest, page } = await pageOf(archive, EVENT_PAGE)
    await api().begin(manifest, page)
    await api().put(manifest, (await pageOf(archive, 'guests.guests/00001.jsonl')).page)
    expect(
      (await system.api('DELETE', `event_imports/${event.id}.json`, undefined, { token: other.auth_token })).status,
    ).toBe(404)
    expect((await system.api('DELETE', `event_imports/${event.id}.json`)).status).toBe(204)
    await expect.poll(() => leftOf(system, event.id), { timeout: 120_000, interval: 1_000 }).toEqual([])
  })
})

describe('a page', () => {
  test('that this Gatehouse did not give out, as it is and for this place, is refused and nothing of it stored', async () => {
    const event = await TestEvent.open(system, { title: 'Fair' })
    await event.guest(await event.category(), 'ada', { last_name: 'Lovelace' })
    const archive = await archiveOf(event)
    const foreign = await TestEvent.open(system, { title: 'Other' })
    const others = await pageOf(await archiveOf(foreign), EVENT_PAGE)
    await removed(event, 'Fair')
    const { manifest, page } = await pageOf(archive, EVENT_PAGE)
    const guests = (await pageOf(archive, 'guests.guests/00001.jsonl')).page
    const refusal = ['does not fit the seal: the archive was changed, or comes from another Gatehouse']
    const refused = async (path: string, body: object): Promise<void> => {
      const answer = await post(path, body)
      expect([answer.status, answer.body.errors.seal]).toEqual([422, refusal])
    }
    const begin = bodyOf(manifest, page)
    await refused('event_imports.json', { ...begin, documents: page.documents.replace('Fair', 'Fête') })
    await refused('event_imports.json', { ...begin, seal: others.page.seal })
    await refused('event_imports.json', { ...begin, seal: 'x' })
    await refused('event_imports.json', { ...begin, documents: 'no JSON' })
    await refused('event_imports.json', { ...begin, from_account_id: other.account_id })
    expect((await post('event_imports.json', begin)).status).toBe(201)
    const sent = bodyOf(manifest, guests)
    await refused('event_imports/pages.json', { ...sent, documents: guests.documents.replace('Lovelace', 'Byron') })
    await refused('event_imports/pages.json', { ...sent, collection: 'checkin.access_controls' })
    await refused('event_imports/pages.json', { ...sent, seal: page.seal })
    const stored = databaseOf(system, 'guests').collection('guests')
    expect(await stored.countDocuments({ event_id: event.id })).toBe(0)
    expect((await post('event_imports/pages.json', sent)).status).toBe(201)
    expect((await post('event_imports/pages.json', sent)).status).toBe(201)
    expect(await stored.countDocuments({ event_id: event.id })).toBe(1)
    // Another account has no such import, and an event that is there takes no pages.
    expect((await post('event_imports/pages.json', sent, other.auth_token)).status).toBe(404)
    await post(`event_imports/${event.id}/finish.json`, undefined)
    expect((await post('event_imports/pages.json', sent)).status).toBe(404)
  })

  test('with an id that something else has is refused by its name', async () => {
    const event = await TestEvent.open(system, { title: 'Fair' })
    const guest = await event.guest(await event.category(), 'ada', { last_name: 'Lovelace' })
    const archive = await archiveOf(event)
    await removed(event, 'Fair')
    const stored = databaseOf(system, 'guests').collection('guests')
    const mine = await TestEvent.open(system)
    await stored.insertOne({ _id: guest as never, event_id: mine.id, uid: 'ada', last_name: 'Byron' })
    await expect(imported(archive, other.auth_token)).rejects.toThrow(
      `guests.guests ${guest} is there already with other content`,
    )
    expect(await stored.findOne({ _id: guest as never })).toMatchObject({ event_id: mine.id, last_name: 'Byron' })
    await stored.deleteOne({ _id: guest as never })
    await imported(archive, other.auth_token)
  })
})

test('a token that is bound to an event takes its archive, and imports none', async () => {
  const event = await TestEvent.open(system, { title: 'Fair' })
  const { body } = await system.api('POST', 'tokens.json', { name: 'Bound', scope: 'admin', event_id: event.id })
  expect((await download(event.id, body.token)).status).toBe(200)
  const { manifest, page } = await pageOf(await archiveOf(event), EVENT_PAGE)
  expect((await post('event_imports.json', bodyOf(manifest, page), body.token)).status).toBe(403)
  const reading = await system.api('POST', 'tokens.json', { name: 'Reading', scope: 'read' })
  expect((await download(event.id, reading.body.token)).status).toBe(403)
  expect((await download(event.id, other.auth_token)).status).toBe(404)
})
