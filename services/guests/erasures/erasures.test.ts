// @module-tag slow
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { fold } from '@gatehouse/proto/storage/text-folding.ts'
import { startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import { type Answer, SECRETS_KEY } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { MongoClient } from 'mongodb'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { serviceNames, services } from '../../services.ts'
import { personalData } from '../permissions.ts'
import { ErasureStore, type StoredErasure } from './store.ts'

const system = await sharedSystem()

const PATH = 'erasures.json'
const GRANTED = 0
const UNKNOWN = 1

let count = 0

/** A guest whose every text is found nowhere else. */
function newAda() {
  const own = `no${++count}no`
  return {
    email: `Ada.Quillfeather.${own}@example.org`,
    first_name: `Adaquill-${own}`,
    last_name: `Featherstonehaugh-${own}`,
    company_name: `Analyticals-${own}`,
    position: `Programmatrix-${own}`,
    phone_number: `+44 ${1_815_000 + count}`,
    host_email: `host-${own}@example.org`,
    message: `Mindthestep-${own}`,
    guest_metadata: [{ name: 'diet', value: `Nonuts-${own}` }],
  }
}

test('every service that holds personal data is asked', () => {
  const holders = serviceNames.filter((name) =>
    services[name].resources.some((each) => each.name === `${name}.personal_data`),
  )
  expect(personalData.map(({ service }) => service).sort()).toEqual(holders.sort())
})

describe('an erasure', () => {
  let testEvent: TestEvent
  let category: string
  let point: string
  let guest: string
  let bob: string
  let exhibitor: { _id: string; access_token: string }
  let ada: ReturnType<typeof newAda>
  let uid: string
  let traces: string[]

  beforeEach(async () => {
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
    point = await testEvent.point()
    await testEvent.link(category, point, 2)
    ada = newAda()
    uid = `uid-of-ada-${count}`
    const texts = Object.values(ada).flatMap((value) =>
      typeof value === 'string' ? [value] : value.map((each) => each.value),
    )
    traces = [uid, ...texts, ...texts.map((text) => fold(text).replaceAll(/[^\p{L}\p{N}]/gu, ''))]
    guest = await testEvent.guest(category, uid, ada)
    bob = await testEvent.guest(category, 'bob', { email: 'bob@example.org', last_name: 'Bobbin' })
    exhibitor = await testEvent.make('exhibitors.json', { name: 'Acme' })
  })

  const lead = (guest_uid: string, comments: unknown[] = []): Promise<Answer> =>
    system.api(
      'POST',
      `devices/${exhibitor.access_token}/connections/batch_create.json`,
      [{ guest_uid, author: 'Ann', comments }],
      { token: '' },
    )
  const erase = async (body: object): Promise<Answer['body']> => {
    let erasure = await testEvent.make(PATH, body)
    // An answer that comes before the end says so.
    while (erasure.state === 'running') erasure = await testEvent.read(`erasures/${erasure._id}.json`)
    return erasure
  }
  const counts = async () => {
    const { guest_count, check_in_count, signature_count } = (await system.api('GET', `events/${testEvent.id}.json`))
      .body
    const { timeline: _, ...statistics } = await testEvent.read('statistics.json')
    return { guest_count, check_in_count, signature_count, statistics }
  }
  const found = async (): Promise<string[]> => {
    const text = await storedText(inject('mongodbUrl'), system.namespace)
    return traces.filter((trace) => text.includes(trace))
  }

  test('leaves nothing of a guest, its check-ins, signatures and leads but counts, and reports what it found', async () => {
    for (const guest_uid of [uid, uid, uid, 'bob']) await testEvent.scan(point, guest_uid)
    const points = { width: '300', height: '150', lines: [{ x1: '1.8151', y1: '1', x2: '1', y2: '1' }] }
    await testEvent.make('signatures.json', { accesspoint_id: point, guest_uid: uid, points })
    expect((await lead(uid, [`Likes ${ada.message}`])).status).toBe(201)
    expect((await lead('bob')).status).toBe(201)
    const before = await counts()
    expect((await found()).length).toBeGreaterThan(8)

    const erasure = await erase({ by: 'guest_id', value: guest })
    expect(erasure).toMatchObject({ event_id: testEvent.id, cause: 'request', everybody: false })
    expect(erasure.report).toEqual([
      { data: 'guests.guests', outcome: 'blanked', count: 1, reason: expect.any(String) },
      { data: 'checkin.access_controls', outcome: 'blanked', count: 3, reason: expect.any(String) },
      { data: 'checkin.signatures', outcome: 'blanked', count: 1, reason: expect.any(String) },
      { data: 'leads.connections', outcome: 'deleted', count: 1, reason: null },
    ])
    expect(await found()).toEqual([])
    expect(await counts()).toEqual(before)
    expect(await testEvent.read(`erasures/${erasure._id}.json`)).toEqual(erasure)
    expect(await testEvent.read(PATH)).toEqual([erasure])
    // Others are as they were.
    expect(await testEvent.read(`exhibitors/${exhibitor._id}/connections.json`)).toMatchObject([{ guest_uid: 'bob' }])
    expect(await testEvent.read('guests.json?search=bobbin')).toHaveLength(1)
  })

  test('tells where free texts are left that may name the person, and erases those of the person alone', async () => {
    await testEvent.change(`guests/${bob}.json`, { message: `Comes with ${ada.last_name}` })
    expect((await lead(uid, [`Likes ${ada.message}`])).status).toBe(201)
    expect((await lead('bob', [`Knows ${ada.first_name}`])).status).toBe(201)
    await testEvent.make('exhibitors.json', { name: 'Other', meta_data: { asked: ada.first_name } })
    const subject = `Meet ${ada.first_name}`
    await testEvent.make('invitation_types.json', { name: 'Evening', guest_category_id: category, subject })
    await testEvent.make('partners.json', { name: ada.last_name })
    await testEvent.make('blocked_recipients.json', { address: 'x@example.org', note: `A friend of ${ada.first_name}` })
    const { unsearched } = await erase({ by: 'guest_id', value: guest })
    const tokens = { data: 'sso.tokens', fields: ['name'], count: expect.any(Number) }
    const records = { data: 'sso.audit_records', fields: ['token_name'], count: expect.any(Number) }
    const ofEvent = [
      { data: 'leads.exhibitors', fields: ['name', 'meta_data'], count: 2 },
      { data: 'partners.blocked_recipients', fields: ['note'], count: 1 },
      { data: 'partners.invitation_types', fields: ['name', 'subject', 'message', 'sender_name'], count: 1 },
      { data: 'partners.partners', fields: ['name', 'uid'], count: 1 },
    ]
    expect(unsearched).toEqual([
      { data: 'guests.guests', fields: ['message', 'guest_metadata', 'host_email'], count: 1 },
      { data: 'leads.connections', fields: ['author', 'comments', 'note'], count: 1 },
      ...ofEvent,
      tokens,
      records,
    ])
    // Those of people go with everybody; those of nobody stay.
    expect((await erase({ by: 'everybody' })).unsearched).toEqual(ofEvent)
  })

  test('lets neither the uid in any more nor the pseudonym, and what is left of the guest has its check-ins', async () => {
    expect((await testEvent.scan(point, uid)).access_status).toBe(GRANTED)
    await erase({ by: 'guest_id', value: guest })
    expect((await testEvent.scan(point, uid)).access_status).toBe(UNKNOWN)
    const left = await testEvent.read(`guests/${guest}.json?guest_metadata=true`)
    expect(left).toMatchObject({
      email: null,
      first_name: null,
      last_name: null,
      message: null,
      host_email: null,
      guest_metadata: [],
    })
    expect(left.uid).toMatch(/^erased-[0-9a-f]{24}$/)
    expect((await testEvent.scan(point, left.uid)).access_status).toBe(UNKNOWN)
    const checkIns = await testEvent.read('access_controls.json')
    expect(checkIns.map(({ guest_uid }: Answer['body']) => guest_uid)).toContain(left.uid)
  })

  test('by an e-mail address finds all its guests, whatever the case; by a guest no other who shares its address', async () => {
    const twin = await testEvent.guest(category, 'twin', { email: ada.email.toLowerCase(), last_name: 'Twin' })
    await erase({ by: 'guest_id', value: guest })
    expect(await testEvent.read(`guests/${twin}.json`)).toMatchObject({ last_name: 'Twin' })
    const { report } = await erase({ by: 'email', value: ada.email.toUpperCase() })
    expect(report).toMatchObject([{ data: 'guests.guests', count: 1 }])
    expect(await testEvent.read(`guests/${twin}.json`)).toMatchObject({ last_name: null, email: null })
  })

  test('by a uid finds what a deleted guest has left behind', async () => {
    await testEvent.scan(point, uid)
    await testEvent.remove(`guests/${guest}.json`)
    const { report } = await erase({ by: 'guest_uid', value: uid })
    expect(report).toMatchObject([{ data: 'checkin.access_controls', count: 1 }])
    expect(await found()).toEqual([])
  })

  test('a second time, or of two at once, finds nothing more and changes no count', async () => {
    await testEvent.scan(point, uid)
    await testEvent.scan(point, uid)
    const before = await counts()
    const both = await Promise.all([
      erase({ by: 'guest_id', value: guest }),
      erase({ by: 'guest_uid', value: uid }),
      erase({ by: 'email', value: ada.email }),
    ])
    const sums = both.map(({ report }) => report.reduce((sum: number, { count }: { count: number }) => sum + count, 0))
    expect(sums.sort()).toEqual([0, 0, 3])
    expect(await counts()).toEqual(before)
    expect((await erase({ by: 'guest_id', value: guest })).report).toEqual([])
  })

  test('says whose; an unknown guest and another event’s are an error, another account’s event 404', async () => {
    const errors = async (body: object) => {
      const answer = await testEvent.api('POST', PATH, body)
      expect(answer.status).toBe(422)
      return Object.keys(answer.body.errors)
    }
    expect(await errors({})).toEqual(['by'])
    expect(await errors({ by: 'email', value: ' ' })).toEqual(['value'])
    expect(await errors({ by: 'guest_id', value: 'nobody' })).toEqual(['value'])
    const other = await TestEvent.open(system)
    const { _id } = await other.make(PATH, { by: 'email', value: ada.email })
    expect((await other.api('POST', PATH, { by: 'guest_id', value: guest })).status).toBe(422)
    expect((await testEvent.api('GET', `erasures/${_id}.json`)).status).toBe(404)
    expect(await testEvent.read(`guests/${guest}.json`)).toMatchObject({ last_name: ada.last_name })
    const { auth_token } = await system.account('strangers')
    expect((await testEvent.api('POST', PATH, { by: 'email', value: ada.email }, { token: auth_token })).status).toBe(
      404,
    )
  })

  test('erases badges, files and deliveries to webhooks; public links lead nowhere, and receivers get what is left', async () => {
    const receiver = await startReceiver()
    await system.api('POST', 'webhooks.json', { url: receiver.url, event_id: testEvent.id })
    await testEvent.make('guest_fields.json', { key: 'photo', type: 'file' })
    const badged = await testEvent.make('guest_categories.json', { name: 'Badges', badge_enabled: true })
    const eve = await testEvent.make('guests.json', {
      guest_category_id: badged._id,
      uid: 'uid-of-eve',
      last_name: 'Evelake',
    })
    const file = `guests/${eve._id}/files/photo.json`
    const headers = { 'content-type': 'application/pdf' }
    expect((await testEvent.api('PUT', file, '%PDF-1.7', { headers })).status).toBe(200)
    await expect.poll(() => testEvent.read(`guests/${eve._id}.json`)).toMatchObject({ badge_completed: true })
    await receiver.until((received) => received.some(({ body }) => body.includes('Evelake')))
    // Deliveries that name her under another uid are found too.
    await testEvent.change(`guests/${eve._id}.json`, { uid: 'latest-of-eve' })
    await receiver.until((received) => received.some(({ body }) => body.includes('latest-of-eve')))
    await expect.poll(() => testEvent.read(`guests/${eve._id}.json`)).toMatchObject({ badge_completed: true })

    const { report } = await erase({ by: 'guest_id', value: eve._id })
    expect(report.map(({ data, count }: Answer['body']) => [data, count])).toEqual([
      ['guests.guests', 1],
      ['badges.badges', 1],
      ['badges.files', 1],
      ['hooks.deliveries', expect.any(Number)],
    ])
    expect((await fetch(eve.qrcode_url)).status).toBe(404)
    await receiver.until((received) => received.some(({ body }) => /guest.updated.*erased-/.test(body)))
    await receiver.close()
    // What was on its way is erased by the second pass.
    await expect
      .poll(async () => {
        const text = await storedText(inject('mongodbUrl'), system.namespace)
        return ['uid-of-eve', 'latest-of-eve', 'Evelake', 'evelake'].filter((trace) => text.includes(trace))
      })
      .toEqual([])
  })

  test('goes before another one of its event once it is begun, though the other is older; else the oldest goes first', async () => {
    const mongo = await MongoClient.connect(inject('mongodbUrl'))
    // No service looks here.
    const db = mongo.db(`${system.namespace}_claims`)
    const store = new ErasureStore(db)
    await store.prepare()
    const stored = (created_at: Date): Promise<StoredErasure> =>
      store.insert({
        _id: crypto.randomUUID(),
        ...{ account_id: system.account_id, event_id: testEvent.id, with_account: true, everybody: false },
        ...{ cause: 'request', state: 'running', claim: null, failures: 0, passes: [] },
        ...{ due: new Date(), created_at, completed_at: null },
      })
    const until = new Date(Date.now() + 60_000)
    const younger = await stored(new Date(2))
    const begun = await store.claim(younger, until)
    const older = await stored(new Date(1))
    expect(await store.claim(older, until)).toBe(null)
    await store.update(begun as StoredErasure, { claim: null, due: new Date() })
    expect(await store.claim(younger, until)).toBe(null)
    expect(await store.claim(older, until)).toMatchObject({ _id: older._id })
    await db.dropDatabase()
    await mongo.close()
  })

  test('which a process has left behind is finished by another one, and counts what the first one had found', async () => {
    const mongo = await MongoClient.connect(inject('mongodbUrl'))
    const sealed = { asked: { by: 'guest_id', value: guest }, key: 'of the first process' }
    const entry = { data: 'guests.guests', outcome: 'blanked', count: 1, reason: null } as const
    await new ErasureStore(mongo.db(`${system.namespace}_guests`)).insert({
      _id: crypto.randomUUID(),
      ...{ account_id: system.account_id, event_id: testEvent.id, with_account: true, everybody: false },
      ...{ cause: 'request', state: 'running', claim: 'of the first process', failures: 0 },
      sealed: new Encrypter(SECRETS_KEY).encrypt(JSON.stringify(sealed)),
      passes: [{ found: { guests: [entry], checkin: [] }, erased: ['guests'] }],
      ...{ due: new Date(), created_at: new Date(), completed_at: null },
    })
    await mongo.close()
    await expect
      .poll(() => testEvent.read(PATH))
      .toMatchObject([{ state: 'done', report: [{ data: 'guests.guests', count: 1 }] }])
  })

  describe('an export', () => {
    const pages = async (query: string): Promise<Record<string, Answer['body'][]>> => {
      const found: Record<string, Answer['body'][]> = {}
      for (let after: string | null = ''; after !== null; ) {
        const { data, items, next } = await testEvent.read(`personal_documents.json?${query}${after}`)
        found[data] = [...(found[data] ?? []), ...items]
        after = next && `&after=${encodeURIComponent(next)}`
      }
      return Object.fromEntries(Object.entries(found).filter(([, items]) => items.length > 0))
    }

    test('holds what all services have of one person, and nothing of others', async () => {
      for (const guest_uid of [uid, 'bob']) await testEvent.scan(point, guest_uid)
      await lead(uid, [`Likes ${ada.message}`])
      const found = await pages(`by=guest_id&value=${guest}`)
      expect(found).toEqual({
        'guests.guests': [expect.objectContaining({ _id: guest, uid, ...ada })],
        'checkin.access_controls': [expect.objectContaining({ guest_uid: uid, access_status: GRANTED })],
        'leads.connections': [expect.objectContaining({ guest_uid: uid, comments: [`Likes ${ada.message}`] })],
      })
      expect(JSON.stringify(found)).not.toMatch(/search_words|sort_name|slot|promo_code_id/)
      expect((await testEvent.api('GET', `personal_documents.json?by=guest_id&value=nobody`)).status).toBe(422)
      expect((await testEvent.api('GET', 'personal_documents.json?after=what')).status).toBe(422)
    })

    test('of everybody has each document once, also those of one moment on a further page', async () => {
      const items = Array.from({ length: 2_100 }, (_, n) => ({
        accesspoint_id: point,
        guest_uid: `u${n}`,
        access_stamp: '2026-05-01T08:30:00Z',
      }))
      await testEvent.make('access_controls/batch_create.json', items)
      const found = await pages('')
      expect(found['guests.guests']).toHaveLength(2)
      const uids = found['checkin.access_controls']?.map(({ guest_uid }) => guest_uid)
      expect(uids).toHaveLength(2_100)
      expect(new Set(uids).size).toBe(2_100)
      expect((await testEvent.xml('GET', `personal_documents.xml?by=guest_id&value=${guest}`)).text).toContain(uid)
    })
  })

  test('of everybody blanks all, keeps every count, and what has no guest is not nobody either', async () => {
    for (const guest_uid of [uid, uid, 'bob', 'unknown-to-all']) await testEvent.scan(point, guest_uid)
    const before = await counts()
    const { report, everybody } = await erase({ by: 'everybody' })
    expect(everybody).toBe(true)
    expect(report).toMatchObject([
      { data: 'guests.guests', count: 2 },
      { data: 'checkin.access_controls', count: 4 },
    ])
    expect(await counts()).toEqual(before)
    expect(await found()).toEqual([])
    const checkIns = await testEvent.read('access_controls.json')
    expect(new Set(checkIns.map(({ guest_uid }: Answer['body']) => guest_uid)).size).toBe(3)
  })

  test('what comes after it under the same uid is found by the second pass', async () => {
    const { _id } = await erase({ by: 'guest_id', value: guest })
    // As a scan that was decided before, and stored after.
    await testEvent.scan(point, uid)
    const again = () => testEvent.read(`erasures/${_id}.json`)
    await expect
      .poll(async () => (await again()).report)
      .toContainEqual(expect.objectContaining({ data: 'checkin.access_controls', count: 1 }))
    await expect.poll(found).toEqual([])
  })
})
