import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { MongoClient } from 'mongodb'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import * as topics from '../topics.ts'
import { guests, plainFields } from './resource.ts'

const system = await sharedSystem()

const REPRESENT = { headers: { prefer: 'return=representation' } }
const NOT_A_CATEGORY = ['is not a guest category of the event']

describe('guests', () => {
  let event: string
  let category: string

  beforeEach(async () => {
    event = await newEvent()
    category = await newCategory()
  })

  const made = async (to: string, fields: object): Promise<Answer['body']> => {
    const answer = await system.api('POST', to, fields)
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }
  const newEvent = async (): Promise<string> =>
    (await made('events.json', { title: 'Fair', account_id: system.account_id }))._id
  const newCategory = async (of = event): Promise<string> =>
    (await made(`events/${of}/guest_categories.json`, { name: 'Press' }))._id
  const newPoint = async (of = event): Promise<string> => (await made(`${of}/accesspoints.json`, { name: 'Door' }))._id
  const path = (rest = ''): string => `events/${event}/guests${rest}`
  const newGuest = (fields: object = {}): Promise<Answer['body']> =>
    made(path('.json'), { guest_category_id: category, last_name: 'Lovelace', ...fields })
  const create = (fields: object): Promise<Answer> =>
    system.api('POST', path('.json'), { guest_category_id: category, ...fields })
  const read = async (id: string, query = ''): Promise<Answer['body']> => {
    const answer = await system.api('GET', path(`/${id}.json${query}`))
    expect(answer.status).toBe(200)
    return answer.body
  }
  const xml = (method: string, to: string, body: string): Promise<Answer> =>
    system.api(method, to, body, { headers: { 'content-type': 'application/xml; charset=utf-8' } })

  test('a uid with half of a surrogate pair is answered as it is stored, and found at the door as it is sent', async () => {
    const uid = 'ADA\ud83d'
    const accesspoint_id = await newPoint()
    const privilege = { accesspoint_id, access_once: true }
    const guest = await newGuest({ uid, access_privileges_attributes: [privilege] })
    expect(guest.uid).toBe('ADA\ufffd')
    expect((await read(guest._id)).uid).toBe(guest.uid)
    expect(await made(`${event}/access_controls.json`, { accesspoint_id, guest_uid: uid })).toMatchObject({
      access_status: 0,
      guest_uid: guest.uid,
    })
    const again = await made(`${event}/access_controls.json`, { accesspoint_id, guest_uid: guest.uid })
    expect(again.access_status).toBe(3)
  })

  describe('creation', () => {
    test('answers 201 with the guest, whose other fields are null', async () => {
      const point = await newPoint()
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
      const { status, body } = await create({
        ...fields,
        guest_metadata: [{ name: 'diet', value: 'none' }],
        access_privileges_attributes: [{ access_once: 'true', accesspoint_id: point }],
      })
      expect(status).toBe(201)
      expect(body).toEqual({
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        ...none,
        guest_category_id: category,
        ...fields,
        rsvp_status: 'not_replied',
        status: 'registered',
        registered_at: body.created_at,
        promo_code: null,
        access_privileges: [{ access_once: true, accesspoint_id: point }],
        badge_completed: false,
        badge_url: null,
        qrcode_url: expect.stringMatching(/\.png$/),
        event_id: event,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: body.created_at,
      })
    })

    test('takes XML, with metadata and privileges', async () => {
      const point = await newPoint()
      const { status, text } = await xml(
        'POST',
        `${event}/guests.xml`,
        `<?xml version="1.0" encoding="UTF-8"?>
        <guest><guest-category-id>${category}</guest-category-id><first-name>Ada</first-name><last-name>King &amp; Love</last-name>
        <guest-metadata type="array"><guest-metadatum><name>diet</name><value>none</value></guest-metadatum></guest-metadata>
        <access-privileges-attributes type="array"><access-privileges-attribute><access-once type="boolean">true</access-once><accesspoint-id>${point}</accesspoint-id></access-privileges-attribute></access-privileges-attributes></guest>`,
      )
      expect(status).toBe(201)
      expect(text).toContain('<last-name>King &amp; Love</last-name>')
      expect(text).toContain('<badge-completed type="boolean">false</badge-completed>')
      expect(text).toContain('<badge-url nil="true"/>')
      expect(text).toMatch(/<qrcode-url>[^<]+\.png<\/qrcode-url>/)
      expect(text).toContain(
        `<access-privileges type="array"><access-privilege><access-once type="boolean">true</access-once><accesspoint-id>${point}</accesspoint-id></access-privilege></access-privileges>`,
      )
      expect(text).not.toContain('guest-metadata')
      const id = /<_id>(\w+)<\/_id>/.exec(text)?.[1]
      const read = await system.api('GET', path(`/${id}.xml?guest_metadata=true`))
      expect(read.text).toContain(
        '<guest-metadata type="array"><guest-metadatum><name>diet</name><value>none</value></guest-metadatum></guest-metadata>',
      )
    })

    test('takes a body wrapped in guest, a form, and the path without events/', async () => {
      const wrapped = await system.api('POST', `${event}/guests.json`, {
        guest: { guest_category_id: category, last_name: 'Wrapped' },
      })
      expect([wrapped.status, wrapped.body.last_name]).toEqual([201, 'Wrapped'])
      const form = new URLSearchParams([
        ['guest[guest_category_id]', category],
        ['guest[last_name]', 'Éloïse'],
        ['guest[guest_metadata][][name]', 'diet'],
        ['guest[guest_metadata][][value]', 'none'],
        ['guest[guest_metadata][][name]', 'size'],
        ['guest[guest_metadata][][value]', 'M'],
      ])
      const posted = await system.api('POST', path('.json'), String(form), {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect([posted.status, posted.body.last_name]).toEqual([201, 'Éloïse'])
      expect((await read(posted.body._id, '?guest_metadata=true')).guest_metadata).toEqual([
        { name: 'diet', value: 'none' },
        { name: 'size', value: 'M' },
      ])
    })

    test('takes guest_metadata as an object too; it goes out as the array', async () => {
      const { _id } = await newGuest({ guest_metadata: { diet: 'none', size: 12 } })
      expect((await read(_id, '?guest_metadata=true')).guest_metadata).toEqual([
        { name: 'diet', value: 'none' },
        { name: 'size', value: '12' },
      ])
    })

    test('needs one of last_name, email, company_name and uid: 422 on last_name', async () => {
      const { status, body } = await create({ first_name: 'Ada', position: 'Poet', last_name: ' ' })
      const needed = 'one of last_name, email, company_name or uid is needed'
      expect([status, body]).toEqual([422, { errors: { last_name: [needed] } }])
      const document = await xml(
        'POST',
        path('.xml'),
        `<guest><guest-category-id>${category}</guest-category-id><first-name>Ada</first-name></guest>`,
      )
      expect(document.status).toBe(422)
      expect(document.text).toContain(
        '<errors><error>One of last_name, email, company_name or uid is needed</error></errors>',
      )
      for (const one of [{ last_name: 'x' }, { email: 'x@y' }, { company_name: 'x' }, { uid: 'x' }]) {
        expect((await create(one)).status).toBe(201)
      }
    })

    test('one answer names all errors: of the schema, of the event and of other guests', async () => {
      const errorsOf = async (body: object): Promise<object> => {
        const answer = await system.api('POST', path('.json'), body)
        expect(answer.status, answer.text).toBe(422)
        return answer.body.errors
      }
      const missing = { guest_category_id: ["can't be blank"] }
      const unnamed = { last_name: ['one of last_name, email, company_name or uid is needed'] }
      expect(await errorsOf({ first_name: 'Ada' })).toEqual({ ...missing, ...unnamed })
      // What was given and is wrong is not asked for as well.
      expect(await errorsOf({ email: 'nobody' })).toEqual({ ...missing, email: ['is not valid'] })
      await newGuest({ uid: 'taken' })
      const wrong = {
        uid: 'taken',
        guest_category_id: 'unknown',
        rsvp_status: 'maybe',
        access_privileges_attributes: [{ accesspoint_id: 'unknown' }],
      }
      const errors = {
        uid: ['has already been taken'],
        guest_category_id: NOT_A_CATEGORY,
        rsvp_status: ['is not one of not_replied, accepted, declined'],
        'access_privileges_attributes.0.accesspoint_id': ['is not a check-in point of the event'],
      }
      expect(await errorsOf(wrong)).toEqual(errors)
      const { _id } = await newGuest()
      const changed = await system.api('PUT', path(`/${_id}.json`), wrong)
      expect([changed.status, changed.body]).toEqual([422, { errors }])
      const document = await xml('POST', path('.xml'), '<guest><first-name>Ada</first-name></guest>')
      expect(document.text.match(/<error>.*?<\/error>/g)?.sort()).toEqual([
        "<error>Guest category can't be blank</error>",
        '<error>One of last_name, email, company_name or uid is needed</error>',
      ])
    })

    test("an email must have HTML's form: 422 on email, on creation and on update; blanks around it are dropped", async () => {
      const { _id } = await newGuest()
      for (const email of ['nobody', '@x.org', 'a@', 'a b@x.org', 'a@b@c', 'a@-x.org', 'a@x..org', 'ä@x.org']) {
        const { status, body } = await create({ email })
        expect([email, status, body]).toEqual([email, 422, { errors: { email: ['is not valid'] } }])
        const changed = await system.api('PUT', path(`/${_id}.json`), { email })
        expect([email, changed.status, changed.body]).toEqual([email, 422, body])
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
      for (const body of [{ position: 'Poet' }, { ...others, email }]) {
        const answer = await system.api('PUT', path(`/${_id}.json`), body)
        expect([answer.status, answer.text]).toEqual([204, ''])
      }
      expect((await read(_id)).email).toBe('ask the host')
      expect((await system.api('PUT', path(`/${_id}.json`), { email: 'ask another' })).status).toBe(422)
    })

    test('needs a guest category of the event: 422 on guest_category_id', async () => {
      const missing = await system.api('POST', path('.json'), { last_name: 'x' })
      expect([missing.status, missing.body]).toEqual([422, { errors: { guest_category_id: ["can't be blank"] } }])
      const foreign = await newCategory(await newEvent())
      for (const guest_category_id of [foreign, 'unknown']) {
        const { status, body } = await create({ guest_category_id, last_name: 'x' })
        expect([status, body]).toEqual([422, { errors: { guest_category_id: NOT_A_CATEGORY } }])
      }
      expect((await system.api('GET', path('.json'))).body).toEqual([])
    })

    test('takes privileges only at check-in points of the event: 422 on others', async () => {
      const [own, foreign] = [await newPoint(), await newPoint(await newEvent())]
      const { status, body } = await create({
        last_name: 'x',
        access_privileges_attributes: [{ accesspoint_id: own }, { accesspoint_id: foreign }],
      })
      expect([status, body]).toEqual([
        422,
        {
          errors: { 'access_privileges_attributes.1.accesspoint_id': ['is not a check-in point of the event'] },
        },
      ])
    })

    test('generates a uid of ten of [a-z0-9] if none is given, or a blank one', async () => {
      const uids = await Promise.all(
        [undefined, null, '', '  '].map(async (uid) => (await newGuest(uid === undefined ? {} : { uid })).uid),
      )
      for (const uid of uids) expect(uid).toMatch(/^[a-z0-9]{10}$/)
      expect(new Set(uids).size).toBe(4)
    })

    test('keeps a custom uid of up to 255 characters as it is, but for what nobody sees at its ends', async () => {
      for (const uid of ['Ünï-côdé 🎟 / ?&=', 'a  b', 'x'.repeat(255), '$where', '{"$gt":""}', 'tab\tnewline\nend']) {
        const guest = await newGuest({ uid })
        expect(guest.uid).toBe(uid)
        const { body } = await system.api('GET', path(`.json?uid=${encodeURIComponent(uid)}`))
        expect(body.map((each: Answer['body']) => each._id)).toEqual([guest._id])
      }
      const { status, body } = await create({ uid: 'x'.repeat(256) })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['uid']])
    })

    test('refuses a uid that is taken in the event: 422 on uid; another event may have it', async () => {
      await newGuest({ uid: 'same' })
      const { status, body } = await create({ uid: 'same' })
      expect([status, body]).toEqual([422, { errors: { uid: ['has already been taken'] } }])
      const other = await newEvent()
      const elsewhere = await newCategory(other)
      await made(`events/${other}/guests.json`, { guest_category_id: elsewhere, uid: 'same' })
    })

    test('of 50 parallel creations with one uid exactly one is answered 201', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => create({ uid: 'race' })))
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(422)])
      expect((await system.api('GET', path('.json'))).body).toHaveLength(1)
    })

    test('ignores fields that only the service sets', async () => {
      const guest = await newGuest({
        _id: 'mine',
        event_id: 'theirs',
        created_at: '2001-01-01T00:00:00Z',
        badge_completed: true,
        badge_url: 'https://example.org',
        revision: 7,
        search_words: ['x'],
      })
      expect(guest).toMatchObject({ event_id: event, badge_completed: false, badge_url: null })
      expect(guest._id).not.toBe('mine')
      expect(Date.now() - Date.parse(guest.created_at)).toBeLessThan(60_000)
      expect(guest).not.toHaveProperty('revision')
      expect(guest).not.toHaveProperty('search_words')
    })

    test.each([
      ['{', 400],
      ['[]', 422],
      ['null', 422],
      ['{"guest_category_id":{"$ne":1},"last_name":"x"}', 422],
      ['{"guest_category_id":"x","last_name":["x"]}', 422],
      ['{"guest_category_id":"x","last_name":"x","guest_metadata":"x"}', 422],
      ['{"guest_category_id":"x","last_name":"x","guest_metadata":[{"value":"x"}]}', 422],
      ['{"guest_category_id":"x","last_name":"x","access_privileges_attributes":[{}]}', 422],
      ['{"guest_category_id":"x","last_name":"x","rsvp_status":"perhaps"}', 422],
      [`{"guest_category_id":"x","last_name":"${'x'.repeat(256)}"}`, 422],
      ['{"guest_category_id":"\\u0000","last_name":"\\u0000\\ud800"}', 422],
    ])('answers %s with %i', async (body, status) => {
      expect((await system.api('POST', path('.json'), body)).status).toBe(status)
    })

    test('stores half a surrogate pair; NUL inside a text is 422 on its field', async () => {
      const { status, body } = await create({ last_name: 'a\u0000b', uid: 'c\u0000d', first_name: 'e' })
      expect([status, Object.keys(body.errors).toSorted()]).toEqual([422, ['last_name', 'uid']])
      expect((await create({ last_name: 'b', first_name: '\ud800' })).status).toBe(201)
    })

    test('with an Idempotency-Key makes one guest, whatever is sent again', async () => {
      const send = (): Promise<Answer> =>
        system.api(
          'POST',
          path('.json'),
          { guest_category_id: category, last_name: 'Once' },
          { headers: { 'idempotency-key': `guest-${event}` } },
        )
      const [first, second] = [await send(), await send()]
      expect([first.status, second.status]).toEqual([201, 201])
      expect(second.body).toEqual(first.body)
      expect((await system.api('GET', path('.json'))).body).toHaveLength(1)
    })
  })

  describe('reading', () => {
    test('each flag adds its data, in JSON and XML', async () => {
      const guest = await newGuest({ guest_metadata: [{ name: 'diet', value: null }] })
      const plain = await read(guest._id)
      const { qrcode_url: _, ...rest } = guest
      expect(plain).toEqual(rest)
      const added = (query: string): Promise<object> =>
        read(guest._id, `?${query}`).then((full) =>
          Object.fromEntries(Object.entries(full).filter(([name]) => !(name in plain))),
        )
      expect(await added('guest_metadata=true')).toEqual({ guest_metadata: [{ name: 'diet', value: null }] })
      expect(await added('qrcode_url=true')).toEqual({ qrcode_url: expect.stringMatching(/\.png$/) })
      expect(await added('badges=true')).toEqual({ badges: [] })
      expect(await added('files=1')).toEqual({ files: [] })
      expect(await added('files=false&badges=0')).toEqual({})
      const { text } = await system.api('GET', path(`/${guest._id}.xml?badges=true&files=true&guest_metadata=true`))
      expect(text).toContain('<badges type="array"/>')
      expect(text).toContain('<files type="array"/>')
      expect(text).toContain('<name>diet</name><value nil="true"/>')
    })

    test('a flag that is neither true nor false is 422', async () => {
      const { _id } = await newGuest()
      expect((await system.api('GET', path(`/${_id}.json?badges=perhaps`))).status).toBe(422)
    })

    test("an unknown id, another event's guest and another account's are 404, whatever is done", async () => {
      const { _id, ...guest } = await newGuest()
      const other = await newEvent()
      const { auth_token: token } = await system.account(`stranger-${event}`)
      for (const [to, init] of [
        [path('/unknown.json'), {}],
        [`events/${other}/guests/${_id}.json`, {}],
        [path(`/${_id}.json`), { token }],
      ] as const) {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const answer = await system.api(method, to, method === 'PUT' ? { last_name: 'Mine' } : undefined, init)
          expect([method, answer.status, answer.body]).toEqual([method, 404, { error: 'Not found' }])
        }
      }
      expect((await read(_id)).last_name).toBe(guest.last_name)
    })
  })

  describe('update', () => {
    test('answers 204 with an empty body, replaces the given fields only, and moves updated_at', async () => {
      const guest = await newGuest({ first_name: 'Ada', message: 'Hello' })
      const { status, text } = await system.api('PUT', path(`/${guest._id}.json`), { position: 'Poet', message: null })
      expect([status, text]).toEqual([204, ''])
      const changed = await read(guest._id)
      const { qrcode_url: _, ...before } = guest
      expect(changed).toEqual({ ...before, position: 'Poet', message: null, updated_at: changed.updated_at })
      expect(changed.updated_at > guest.updated_at).toBe(true)
    })

    test('takes XML, a wrapped body and a form', async () => {
      const { _id } = await newGuest()
      const document = await xml('PUT', path(`/${_id}.xml`), '<guest><first-name>Ada</first-name></guest>')
      expect([document.status, document.text]).toEqual([204, ''])
      await system.api('PUT', `${event}/guests/${_id}.json`, { guest: { position: 'Poet' } })
      await system.api('PUT', path(`/${_id}.json`), 'guest[company_name]=Engines&guest[email]=', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect(await read(_id)).toMatchObject({ first_name: 'Ada', position: 'Poet', company_name: 'Engines', email: '' })
    })

    test('replaces lists as a whole', async () => {
      const points = [await newPoint(), await newPoint()]
      const [first, second] = points.map((accesspoint_id) => ({ access_once: false, accesspoint_id }))
      const { _id } = await newGuest({
        guest_metadata: [
          { name: 'a', value: '1' },
          { name: 'b', value: '2' },
        ],
        access_privileges_attributes: [first],
      })
      const put = { guest_metadata: [{ name: 'c', value: '3' }], access_privileges_attributes: [second] }
      await system.api('PUT', path(`/${_id}.json`), put)
      expect(await read(_id, '?guest_metadata=true')).toMatchObject({
        guest_metadata: [{ name: 'c', value: '3' }],
        access_privileges: [second],
      })
      await system.api('PUT', path(`/${_id}.json`), { access_privileges_attributes: [] })
      expect(await read(_id, '?guest_metadata=true')).toMatchObject({
        guest_metadata: [{ name: 'c', value: '3' }],
        access_privileges: [],
      })
    })

    test('sets rsvp_status to one of its three values', async () => {
      const { _id } = await newGuest()
      expect((await system.api('PUT', path(`/${_id}.json`), { rsvp_status: 'accepted' })).status).toBe(204)
      expect((await read(_id)).rsvp_status).toBe('accepted')
      expect((await system.api('PUT', path(`/${_id}.json`), { rsvp_status: 'maybe' })).status).toBe(422)
    })

    test('never takes the uid away: a blank one is 422 and changes nothing', async () => {
      const guest = await newGuest({ uid: 'mine' })
      for (const uid of ['', '  ', null]) {
        const { status, body } = await system.api('PUT', path(`/${guest._id}.json`), { uid, last_name: 'Changed' })
        expect([status, body]).toEqual([422, { errors: { uid: ["can't be blank"] } }])
      }
      expect(await read(guest._id)).toMatchObject({ uid: 'mine', last_name: 'Lovelace' })
    })

    test("a uid that is taken is 422; the guest's own is fine; a freed one can be taken", async () => {
      await newGuest({ uid: 'taken' })
      const { _id } = await newGuest({ uid: 'mine' })
      const { status, body } = await system.api('PUT', path(`/${_id}.json`), { uid: 'taken' })
      expect([status, body]).toEqual([422, { errors: { uid: ['has already been taken'] } }])
      expect((await system.api('PUT', path(`/${_id}.json`), { uid: 'mine' })).status).toBe(204)
      expect((await system.api('PUT', path(`/${_id}.json`), { uid: 'new' })).status).toBe(204)
      expect((await create({ uid: 'mine' })).status).toBe(201)
    })

    test('refuses a category or a privilege that is not of the event', async () => {
      const { _id } = await newGuest()
      const other = await newEvent()
      const put = {
        guest_category_id: await newCategory(other),
        access_privileges_attributes: [{ accesspoint_id: await newPoint(other) }],
      }
      const { status, body } = await system.api('PUT', path(`/${_id}.json`), put)
      expect([status, body]).toEqual([
        422,
        {
          errors: {
            guest_category_id: NOT_A_CATEGORY,
            'access_privileges_attributes.0.accesspoint_id': ['is not a check-in point of the event'],
          },
        },
      ])
      expect((await read(_id)).guest_category_id).toBe(category)
    })

    test('with Prefer: return=representation answers 200 with the guest', async () => {
      const { _id } = await newGuest()
      const { status, body } = await system.api('PUT', path(`/${_id}.json`), { first_name: 'Ada' }, REPRESENT)
      expect([status, body._id, body.first_name]).toEqual([200, _id, 'Ada'])
    })

    test('parallel updates of different fields are all stored, and the guest is found by all of them', async () => {
      const { _id } = await newGuest({ uid: 'u' })
      const fields = { first_name: 'Ada', company_name: 'Engines', position: 'Poet', email: 'a@b.org', uid: 'countess' }
      const answers = await Promise.all(
        Object.entries(fields).map(([name, value]) => system.api('PUT', path(`/${_id}.json`), { [name]: value })),
      )
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204])
      expect(await read(_id)).toMatchObject(fields)
      const { body } = await system.api('GET', path('.json?search=ada+engines+poet+a@b.org+countess'))
      expect(body).toHaveLength(1)
    })
  })

  describe('deletion', () => {
    test('answers 204 with an empty body, for good, and frees the uid', async () => {
      const { _id } = await newGuest({ uid: 'mine' })
      const { status, text } = await system.api('DELETE', path(`/${_id}.json`))
      expect([status, text]).toEqual([204, ''])
      expect((await system.api('GET', path(`/${_id}.json`))).status).toBe(404)
      expect((await system.api('DELETE', path(`/${_id}.xml`))).status).toBe(404)
      expect((await create({ uid: 'mine' })).status).toBe(201)
    })

    test('with Prefer: return=representation answers 200 with the guest', async () => {
      const { _id } = await newGuest()
      const { status, body } = await system.api('DELETE', path(`/${_id}.json`), undefined, REPRESENT)
      expect([status, body._id]).toEqual([200, _id])
    })
  })

  describe('for the door', () => {
    test('resolve gives the guests with the uids with all of their privileges, and leaves out unknown uids', async () => {
      const [point, other] = [await newPoint(), await newPoint()]
      const privileges = [
        { access_once: true, accesspoint_id: point },
        { access_once: false, accesspoint_id: point },
        { access_once: true, accesspoint_id: other },
      ]
      const one = await newGuest({ uid: 'one', access_privileges_attributes: privileges })
      const two = await newGuest({ uid: 'two' })
      const client = clientOf(system.bus, guests)
      const found = await client.resolve({ body: { event_id: event, uids: ['one', 'two', 'three'] } })
      expect(found.toSorted((a, b) => (a.uid < b.uid ? -1 : 1))).toEqual([
        {
          uid: 'one',
          guest_id: one._id,
          guest_category_id: category,
          access_privileges: privileges,
        },
        { uid: 'two', guest_id: two._id, guest_category_id: category, access_privileges: [] },
      ])
      expect(await client.resolve({ body: { event_id: await newEvent(), uids: ['one'] } })).toEqual([])
      expect(await client.resolve({ body: { event_id: event, uids: [] } })).toEqual([])
    })

    test('each change is announced with every uid concerned before it is answered', async () => {
      const heard: { event_id: string; uids: string[] }[] = []
      system.bus.listen(topics.changed, (change) => heard.push(change))
      await system.bus.flush()
      const announced = async (change: () => Promise<unknown>): Promise<string[]> => {
        heard.length = 0
        await change()
        // Our own connection has now what was sent to it before the answer left.
        await system.bus.flush()
        expect(heard.every(({ event_id }) => event_id === event)).toBe(true)
        return [...new Set(heard.flatMap(({ uids }) => uids))].sort()
      }
      let id = ''
      expect(
        await announced(async () => {
          id = (await newGuest({ uid: 'old' }))._id
        }),
      ).toEqual(['old'])
      const put = (fields: object): Promise<Answer> => system.api('PUT', path(`/${id}.json`), fields)
      expect(await announced(() => put({ last_name: 'King' }))).toEqual(['old'])
      expect(await announced(() => put({ uid: 'new' }))).toEqual(['new', 'old'])
      expect(await announced(() => system.api('DELETE', path(`/${id}.json`)))).toEqual(['new'])
    })
  })
})
