import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { MongoClient } from 'mongodb'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import * as topics from '../topics.ts'
import { guests, plainFields } from './resource.ts'

const system = await sharedSystem()

const BLANK = ["can't be blank"]
const TAKEN = ['has already been taken']
const UNNAMED = ['one of last_name, email, company_name or uid is needed']
const NOT_A_CATEGORY = ['is not a guest category of the event']
const NOT_A_POINT = ['is not a check-in point of the event']

describe('guests', () => {
  let event: TestEvent
  let category: string

  beforeEach(async () => {
    event = await TestEvent.open(system)
    category = await event.category()
  })

  const newGuest = (fields: object = {}): Promise<Answer['body']> =>
    event.make('guests.json', { guest_category_id: category, last_name: 'Lovelace', ...fields })
  const create = (fields: object): Promise<Answer> =>
    event.api('POST', 'guests.json', { guest_category_id: category, ...fields })
  const read = (id: string, query = ''): Promise<Answer['body']> => event.read(`guests/${id}.json${query}`)
  const put = (id: string, fields: object): Promise<Answer> => event.api('PUT', `guests/${id}.json`, fields)

  test('a uid with half of a surrogate pair is answered as it is stored, and found at the door as it is sent', async () => {
    const uid = 'ADA\ud83d'
    const accesspoint_id = await event.point()
    const guest = await newGuest({ uid, access_privileges_attributes: [{ accesspoint_id, access_once: true }] })
    expect(guest.uid).toBe('ADA\ufffd')
    expect((await read(guest._id)).uid).toBe(guest.uid)
    expect(await event.scan(accesspoint_id, uid)).toMatchObject({ access_status: 0, guest_uid: guest.uid })
    expect((await event.scan(accesspoint_id, guest.uid)).access_status).toBe(3)
  })

  describe('creation', () => {
    test('answers 201 with the guest, whose other fields are null', async () => {
      const point = await event.point()
      const none = Object.fromEntries(Object.keys(plainFields).map((field) => [field, null]))
      const fields = {
        email: 'ada@example.org',
        first_name: 'Ada',
        last_name: 'Lovelace',
        company_name: 'Analytical Engines',
        position: 'Poet',
        phone_number: '+44 20 7946 0000',
        uid: 'VIP-1',
        message: 'Welcome',
      }
      const guest = await newGuest({
        ...fields,
        guest_metadata: [{ name: 'diet', value: 'none' }],
        access_privileges_attributes: [{ access_once: 'true', accesspoint_id: point }],
      })
      expect(guest).toEqual({
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        ...none,
        guest_category_id: category,
        ...fields,
        party_size: 1,
        rsvp_status: 'not_replied',
        status: 'registered',
        registered_at: guest.created_at,
        promo_code: null,
        access_privileges: [{ access_once: true, accesspoint_id: point }],
        source: 'api',
        checked_in_at: null,
        badge_completed: false,
        badge_url: null,
        qrcode_url: expect.stringMatching(/\.png$/),
        event_id: event.id,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: guest.created_at,
      })
    })

    test.each([{ last_name: 'x' }, { email: 'x@y' }, { company_name: 'x' }, { uid: 'x' }])(
      'needs no other name than %j',
      async (name) => {
        expect((await create(name)).status).toBe(201)
      },
    )

    test.each<[string, object, object]>([
      [
        'no name, mail, company or uid',
        { first_name: 'Ada', position: 'Poet', last_name: ' ' },
        { last_name: UNNAMED },
      ],
      ['no category', { guest_category_id: undefined, last_name: 'x' }, { guest_category_id: BLANK }],
      ['an unknown category', { guest_category_id: 'unknown', last_name: 'x' }, { guest_category_id: NOT_A_CATEGORY }],
      [
        'neither',
        { guest_category_id: undefined, first_name: 'Ada' },
        { guest_category_id: BLANK, last_name: UNNAMED },
      ],
      // What was given and is wrong is not asked for as well.
      [
        'a wrong email',
        { guest_category_id: undefined, email: '-' },
        { guest_category_id: BLANK, email: ['is not valid'] },
      ],
      ['long names', { last_name: 'x'.repeat(256), uid: 'x'.repeat(256) }, anyErrors('last_name', 'uid')],
      ['metadata without a name', { last_name: 'x', guest_metadata: [{}] }, { 'guest_metadata.0.name': BLANK }],
      [
        'a privilege without a point',
        { last_name: 'x', access_privileges_attributes: [{}] },
        { 'access_privileges_attributes.0.accesspoint_id': BLANK },
      ],
    ])('refuses %s: 422 on the field', async (_, fields, errors) => {
      expect(await event.refused('guests.json', { guest_category_id: category, ...fields })).toEqual(errors)
      expect(await event.read('guests.json')).toEqual([])
    })

    test('one answer names all errors, in an update too: of the schema, of the event and of other guests', async () => {
      const other = await TestEvent.open(system)
      await newGuest({ uid: 'taken' })
      const { _id } = await newGuest()
      const wrong = {
        uid: 'taken',
        guest_category_id: await other.category(),
        rsvp_status: 'maybe',
        access_privileges_attributes: [
          { accesspoint_id: await event.point() },
          { accesspoint_id: await other.point() },
          { accesspoint_id: 'unknown' },
        ],
      }
      const errors = {
        uid: TAKEN,
        guest_category_id: NOT_A_CATEGORY,
        rsvp_status: ['is not one of not_replied, accepted, declined'],
        'access_privileges_attributes.1.accesspoint_id': NOT_A_POINT,
        'access_privileges_attributes.2.accesspoint_id': NOT_A_POINT,
      }
      expect(await event.refused('guests.json', wrong)).toEqual(errors)
      expect(await event.refused(`guests/${_id}.json`, wrong, 'PUT')).toEqual(errors)
      expect((await read(_id)).guest_category_id).toBe(category)
    })

    test("an email must have HTML's form: 422 on email, on creation and on update; blanks around it are dropped", async () => {
      const { _id } = await newGuest()
      for (const email of ['nobody', '@x.org', 'a@', 'a b@x.org', 'a@b@c', 'a@-x.org', 'a@x..org', 'ä@x.org']) {
        for (const answer of [await create({ email }), await put(_id, { email })])
          expect([email, answer.status, answer.body]).toEqual([email, 422, { errors: { email: ['is not valid'] } }])
      }
      for (const email of ["o'brien+x@mail.example.org", 'a@localhost', 'a@bücher.example', ' ada@x.org ', '', null]) {
        expect((await newGuest({ email })).email).toBe(email?.trim() ?? null)
      }
    })

    test('an email that is older than the rule is shown, and an update that leaves it as it is works', async () => {
      const { _id } = await newGuest()
      const mongo = await MongoClient.connect(inject('mongodbUrl'))
      const stored = mongo.db(`${system.namespace}_guests`).collection<{ _id: string }>('guests')
      await stored.updateOne({ _id }, { $set: { email: 'ask the host' } })
      await mongo.close()
      const { email, ...others } = await read(_id)
      expect(email).toBe('ask the host')
      for (const body of [{ position: 'Poet' }, { ...others, email }]) await event.change(`guests/${_id}.json`, body)
      expect((await read(_id)).email).toBe('ask the host')
      expect((await put(_id, { email: 'ask another' })).status).toBe(422)
    })

    test('generates a uid of ten of [a-z0-9] without l, 1, o and 0 if none is given, or a blank one', async () => {
      const uids = await Promise.all(
        [{}, { uid: null }, { uid: '' }, { uid: '  ' }].map(async (fields) => (await newGuest(fields)).uid),
      )
      for (const uid of uids) expect(uid).toMatch(/^[a-km-np-z2-9]{10}$/)
      expect(new Set(uids).size).toBe(4)
    })

    test('keeps a custom uid of up to 255 characters as it is, but for what nobody sees at its ends', async () => {
      for (const uid of ['Ünï-côdé 🎟 / ?&=', 'a  b', 'x'.repeat(255), '$where', '{"$gt":""}', 'tab\tnewline\nend']) {
        const guest = await newGuest({ uid })
        expect(guest.uid).toBe(uid)
        const found = await event.read(`guests.json?uid=${encodeURIComponent(uid)}`)
        expect(found).toMatchObject([{ _id: guest._id }])
      }
    })

    test('refuses a uid that is taken in the event: 422 on uid; another event may have it', async () => {
      await newGuest({ uid: 'same' })
      const { status, body } = await create({ uid: 'same' })
      expect([status, body]).toEqual([422, { errors: { uid: TAKEN } }])
      const other = await TestEvent.open(system)
      await other.guest(await other.category(), 'same')
    })

    test('of 50 parallel creations with one uid exactly one is answered 201', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => create({ uid: 'race' })))
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(422)])
      expect(await event.read('guests.json')).toHaveLength(1)
    })
  })

  test('each flag of a read adds its data, in JSON and XML', async () => {
    const guest = await newGuest({ guest_metadata: [{ name: 'diet', value: null }] })
    const plain = await read(guest._id)
    const { qrcode_url: _, ...rest } = guest
    expect(plain).toEqual(rest)
    const added = async (query: string): Promise<object> =>
      Object.fromEntries(Object.entries(await read(guest._id, `?${query}`)).filter(([name]) => !(name in plain)))
    expect(await added('guest_metadata=true')).toEqual({ guest_metadata: [{ name: 'diet', value: null }] })
    expect(await added('qrcode_url=true')).toEqual({ qrcode_url: expect.stringMatching(/\.png$/) })
    expect(await added('badges=true')).toEqual({ badges: [] })
    expect(await added('files=1')).toEqual({ files: [] })
    expect(await added('files=false&badges=0')).toEqual({})
    const { text } = await event.api('GET', `guests/${guest._id}.xml?badges=true&files=true&guest_metadata=true`)
    expect(text).toContain('<badges type="array"/>')
    expect(text).toContain('<files type="array"/>')
    expect(text).toContain('<name>diet</name><value nil="true"/>')
  })

  test("another event's guest is 404, whatever is done", async () => {
    const { _id } = await newGuest()
    const other = await TestEvent.open(system)
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(
        await other.status(method, `guests/${_id}.json`, method === 'PUT' ? { last_name: 'Mine' } : undefined),
      ).toBe(404)
    expect((await read(_id)).last_name).toBe('Lovelace')
  })

  describe('update', () => {
    test('replaces the given fields only, and moves updated_at', async () => {
      const guest = await newGuest({ first_name: 'Ada', message: 'Hello' })
      const fields = { position: 'Poet', message: null, rsvp_status: 'accepted' }
      await event.change(`guests/${guest._id}.json`, fields)
      const changed = await read(guest._id)
      const { qrcode_url: _, ...before } = guest
      expect(changed).toEqual({ ...before, ...fields, updated_at: changed.updated_at })
      expect(changed.updated_at > guest.updated_at).toBe(true)
    })

    test('replaces lists as a whole', async () => {
      const [first, second] = [await event.point(), await event.point()].map((accesspoint_id) => ({
        access_once: false,
        accesspoint_id,
      }))
      const { _id } = await newGuest({ guest_metadata: { a: '1', b: '2' }, access_privileges_attributes: [first] })
      const guest_metadata = [{ name: 'c', value: '3' }]
      await event.change(`guests/${_id}.json`, { guest_metadata, access_privileges_attributes: [second] })
      const lists = () => read(_id, '?guest_metadata=true')
      expect(await lists()).toMatchObject({ guest_metadata, access_privileges: [second] })
      await event.change(`guests/${_id}.json`, { access_privileges_attributes: [] })
      expect(await lists()).toMatchObject({ guest_metadata, access_privileges: [] })
    })

    test('never takes the uid away: a blank one is 422 and changes nothing', async () => {
      const guest = await newGuest({ uid: 'mine' })
      for (const uid of ['', '  ', null])
        expect(await event.refused(`guests/${guest._id}.json`, { uid, last_name: 'Changed' }, 'PUT')).toEqual({
          uid: BLANK,
        })
      expect(await read(guest._id)).toMatchObject({ uid: 'mine', last_name: 'Lovelace' })
    })

    test("a uid that is taken is 422; the guest's own is fine; a freed one can be taken", async () => {
      await newGuest({ uid: 'taken' })
      const { _id } = await newGuest({ uid: 'mine' })
      expect(await event.refused(`guests/${_id}.json`, { uid: 'taken' }, 'PUT')).toEqual({ uid: TAKEN })
      for (const uid of ['mine', 'new']) await event.change(`guests/${_id}.json`, { uid })
      expect((await create({ uid: 'mine' })).status).toBe(201)
    })

    test('parallel updates of different fields are all stored, and the guest is found by all of them', async () => {
      const { _id } = await newGuest({ uid: 'u' })
      const fields = { first_name: 'Ada', company_name: 'Engines', position: 'Poet', email: 'a@b.org', uid: 'countess' }
      await Promise.all(
        Object.entries(fields).map(([name, value]) => event.change(`guests/${_id}.json`, { [name]: value })),
      )
      expect(await read(_id)).toMatchObject(fields)
      expect(await event.read('guests.json?search=ada+engines+poet+a@b.org+countess')).toHaveLength(1)
    })
  })

  test('a deletion is for good, and frees the uid', async () => {
    const { _id } = await newGuest({ uid: 'mine' })
    await event.remove(`guests/${_id}.json`)
    for (const method of ['GET', 'DELETE']) expect(await event.status(method, `guests/${_id}.json`)).toBe(404)
    expect((await create({ uid: 'mine' })).status).toBe(201)
  })

  describe('for the door', () => {
    test('resolve gives the guests with the uids with all of their privileges, and leaves out unknown uids', async () => {
      const [point, other] = [await event.point(), await event.point()]
      const access_privileges = [
        { access_once: true, accesspoint_id: point },
        { access_once: false, accesspoint_id: point },
        { access_once: true, accesspoint_id: other },
      ]
      const one = await newGuest({ uid: 'one', access_privileges_attributes: access_privileges })
      const two = await newGuest({ uid: 'two' })
      const client = clientOf(system.bus, guests)
      const found = await client.resolve({ body: { event_id: event.id, uids: ['one', 'two', 'three'] } })
      expect(found.toSorted((a, b) => (a.uid < b.uid ? -1 : 1))).toEqual([
        { uid: 'one', guest_id: one._id, guest_category_id: category, access_privileges, party_size: 1 },
        { uid: 'two', guest_id: two._id, guest_category_id: category, access_privileges: [], party_size: 1 },
      ])
      const { id: elsewhere } = await TestEvent.open(system)
      expect(await client.resolve({ body: { event_id: elsewhere, uids: ['one'] } })).toEqual([])
      expect(await client.resolve({ body: { event_id: event.id, uids: [] } })).toEqual([])
    })

    test('each change is announced with every uid concerned before it is answered', async () => {
      const heard: { event_id: string; uids: string[] }[] = []
      system.bus.listen(topics.changed, (change) => heard.push(change))
      await system.bus.flush()
      const announced = async (change: Promise<unknown>): Promise<string[]> => {
        await change
        // Our own connection has now what was sent to it before the answer left.
        await system.bus.flush()
        const changes = heard.splice(0)
        expect(changes.every(({ event_id }) => event_id === event.id)).toBe(true)
        return [...new Set(changes.flatMap(({ uids }) => uids))].sort()
      }
      const creation = newGuest({ uid: 'old' })
      expect(await announced(creation)).toEqual(['old'])
      const { _id } = await creation
      expect(await announced(put(_id, { last_name: 'King' }))).toEqual(['old'])
      expect(await announced(put(_id, { uid: 'new' }))).toEqual(['new', 'old'])
      expect(await announced(event.remove(`guests/${_id}.json`))).toEqual(['new'])
    })
  })
})

function anyErrors(...fields: string[]): object {
  return Object.fromEntries(fields.map((field) => [field, [expect.any(String)]]))
}
