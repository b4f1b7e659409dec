import { type DomainMessage, readDomainMessage } from '@gatehouse/proto/events/domain-events.ts'
import { prepareStream, subjectIn } from '@gatehouse/proto/events/streams.ts'
import { planOf, type QueryPlan } from '@gatehouse/test/harness/query-plans.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { LeadStore, leadId, type StoredLead } from './store.ts'

const XML = { 'content-type': 'application/xml; charset=utf-8' }

interface Item {
  guest_uid?: unknown
  author?: unknown
}

describe('leads', () => {
  let system: System
  let testEvent: TestEvent
  let category: string
  let exhibitor: { _id: string; access_token: string }

  beforeAll(async () => {
    system = await startSystem({ with: ['leads'], gateways: 2 })
  })
  afterAll(() => system?.stop())
  beforeEach(async () => {
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
    exhibitor = await testEvent.make('exhibitors.json', { name: 'Acme' })
  })

  const lead = (guest_uid: string, author = 'Ann'): Item => ({ guest_uid, author })
  const guests = (...uids: string[]): Promise<string[]> =>
    Promise.all(uids.map((uid) => testEvent.guest(category, uid)))
  const path = (suffix = '.json', token = exhibitor.access_token): string =>
    `devices/${token}/connections/batch_create${suffix}`
  const submit = (items: unknown, init: object = {}, token?: string): Promise<Answer> =>
    system.api('POST', path('.json', token), items, { token: '', ...init })
  const listed = (query = ''): Promise<Answer['body'][]> =>
    testEvent.read(`exhibitors/${exhibitor._id}/connections.json${query}`)

  describe('creating', () => {
    test('answers 201 with the leads in order and their comments; products are empty, whatever was sent', async () => {
      await guests('u1', 'u2')
      const { status, body } = await submit({
        connections: [lead('u2'), { ...lead('u1', 'Bob'), comments: ['x'], exhibitor_products: ['y'], _id: 'mine' }],
      })
      expect(status).toBe(201)
      expect(body).toEqual(
        [
          ['u2', 'Ann', []],
          ['u1', 'Bob', ['x']],
        ].map(([guest_uid, author, comments]) => ({
          _id: expect.stringMatching(/^[0-9a-f]{24}$/),
          guest_uid,
          author,
          exhibitor_id: exhibitor._id,
          comments,
          exhibitor_products: [],
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updated_at: body[0].created_at,
        })),
      )
    })

    test('a guest who is sent again gives the first lead, unchanged, from whichever device, also within one batch', async () => {
      await guests('u1', 'u2')
      const first = await submit([{ ...lead('u1', 'Ann'), comments: ['first'] }, lead('u2'), lead('u1', 'Bob')])
      expect(first.status).toBe(201)
      expect(first.body[2]).toEqual(first.body[0])
      const again = await submit([{ ...lead('u1', 'Cleo'), comments: ['second'] }])
      expect([again.status, again.body]).toEqual([201, [first.body[0]]])
      expect(await listed()).toHaveLength(2)
    })

    test('comments are texts, or objects of the client’s own, 100 and 64 KiB at most; they are kept and shown in JSON and XML', async () => {
      await guests('u1', 'u2')
      const comments = ['Call <back>', { text: 'Nice', stars: 5 }]
      expect((await submit([{ ...lead('u1'), comments }])).body[0].comments).toEqual(comments)
      const document =
        '<connections type="array"><connection><guest-uid>u2</guest-uid><author>a</author><comments type="array"><comment>Later</comment></comments></connection></connections>'
      const xml = await system.api('POST', path('.xml'), document, { headers: XML, token: '' })
      expect(xml.text).toContain('<comments type="array"><comment>Later</comment></comments>')
      expect((await listed()).map((each) => each.comments)).toEqual(expect.arrayContaining([comments, ['Later']]))
      expect((await testEvent.api('GET', `exhibitors/${exhibitor._id}/connections.xml`)).text).toContain(
        '<comments type="array"><comment>Call &lt;back&gt;</comment><comment><text>Nice</text><stars type="float">5</stars></comment></comments>',
      )
      for (const wrong of ['x', Array(101).fill('x'), ['x'.repeat(65_536)]]) {
        const { status, body } = await submit([{ ...lead('u2'), comments: wrong }])
        expect([status, Object.keys(body[0].errors)]).toEqual([422, ['comments']])
      }
      const { body } = await submit([{ ...lead('u2'), comments: [{ $where: 1 }] }])
      expect(Object.keys(body[0].errors)).toEqual(['comments.0'])
    })

    test('a lead that is older than comments has none', async () => {
      await guests('u1')
      const [{ _id }] = (await submit([lead('u1')])).body
      const mongo = await MongoClient.connect(inject('mongodbUrl'))
      const stored = mongo.db(`${system.namespace}_leads`).collection<{ _id: string }>('leads')
      await stored.updateOne({ _id }, { $unset: { comments: 1 } })
      await mongo.close()
      expect((await listed())[0].comments).toEqual([])
      expect((await submit([lead('u1')])).body[0].comments).toEqual([])
    })

    test('50 concurrent submissions of a guest through two gateways make one lead, which all name', slow, async () => {
      await guests('u1', 'u2')
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          submit([lead('u1', `author ${n}`), lead('u2', `author ${n}`)], { base: system.urls[n % 2] }),
        ),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
      const stored = await listed()
      expect(stored).toHaveLength(2)
      for (const index of [0, 1]) {
        const told = new Set(answers.map(({ body }) => JSON.stringify(body[index])))
        expect(told.size).toBe(1)
      }
    })

    test('the same guest is a lead of each exhibitor', async () => {
      await guests('u1')
      const other = await testEvent.make('exhibitors.json', { name: 'Other' })
      const [one, two] = [await submit([lead('u1')]), await submit([lead('u1')], {}, other.access_token)]
      expect([two.status, two.body[0].exhibitor_id]).toEqual([201, other._id])
      expect(two.body[0]._id).not.toBe(one.body[0]._id)
    })

    test('each item is validated by itself: 422, the valid ones are stored, the others have their errors in their place', async () => {
      await guests('u1', 'u2')
      const theirs = await TestEvent.open(system)
      await theirs.guest(await theirs.category(), 'foreign')
      const items = [lead('u1'), lead('nobody'), { guest_uid: 'u2' }, 5, { author: 'Ann' }, lead('foreign'), lead('u2')]
      const { status, body } = await submit(items)
      expect(status).toBe(422)
      expect(body).toMatchObject([
        { guest_uid: 'u1', _id: expect.any(String) },
        { errors: { guest_uid: ['is not a guest of the event'] } },
        { errors: { author: ["can't be blank"] } },
        { errors: { base: ['is not an object'] } },
        { errors: { guest_uid: ["can't be blank"] } },
        { errors: { guest_uid: ['is not a guest of the event'] } },
        { guest_uid: 'u2', _id: expect.any(String) },
      ])
      expect(await listed()).toHaveLength(2)
      const document =
        '<connections type="array"><connection><guest-uid>nobody</guest-uid><author>a</author></connection><connection><guest-uid>u1</guest-uid><author>a</author></connection></connections>'
      const xml = await system.api('POST', path('.xml'), document, { headers: XML, token: '' })
      expect(xml.status).toBe(422)
      expect(xml.text).toMatch(
        /<connections type="array"><errors><error>Guest uid is not a guest of the event<\/error><\/errors><connection><_id>/,
      )
    })

    test('a wrong access token is 401, in JSON and XML, and makes nothing', async () => {
      await guests('u1')
      const other = await system.account('other-account')
      for (const token of [
        'gh_exhibitor_wrong',
        'x',
        exhibitor._id,
        system.auth_token,
        other.auth_token,
        `${exhibitor.access_token}x`,
      ]) {
        expect((await submit([lead('u1')], {}, token)).status).toBe(401)
        const xml = await system.api('POST', path('.xml', token), '<connections/>', { headers: XML, token: '' })
        expect([xml.status, xml.text]).toEqual([401, expect.stringContaining('<errors><error>')])
      }
      expect(await listed()).toEqual([])
    })

    test('with network_enabled off it is 403, and makes nothing; on again, it works', async () => {
      await guests('u1')
      await system.api('PUT', `events/${testEvent.id}.json`, { network_enabled: false })
      const refused = await submit([lead('u1')])
      expect([refused.status, Object.keys(refused.body)]).toEqual([403, ['error']])
      const xml = await system.api('POST', path('.xml'), '<connections/>', { headers: XML, token: '' })
      expect(xml.status).toBe(403)
      expect((await submit([lead('u1')], {}, 'gh_exhibitor_wrong')).status).toBe(401)
      expect(await listed()).toEqual([])
      await system.api('PUT', `events/${testEvent.id}.json`, { network_enabled: true })
      expect((await submit([lead('u1')])).status).toBe(201)
    })

    test('an empty batch is 201 with an empty list; anything but a list is 422; more than 10,000 items are 413', async () => {
      expect(await submit([])).toMatchObject({ status: 201, body: [] })
      expect((await submit({ connections: 'x' })).status).toBe(422)
      expect((await submit(Array.from({ length: 10_001 }, () => 0))).status).toBe(413)
    })
  })

  test('lead.created is published once for each lead, as the organizer sees it, however often it is sent; not for refused items', async () => {
    await guests('u1', 'u2', 'u3')
    await prepareStream(system.bus, 'domain')
    const told: DomainMessage[] = []
    system.bus.connection.subscribe(subjectIn(system.bus, 'domain', testEvent.id), {
      callback: (_error, { data }) => void told.push(readDomainMessage(data) as DomainMessage),
    })
    await system.bus.flush()
    const leads = async () => {
      await system.bus.flush()
      // A message may be sent again, under its id.
      const messages = new Map(told.filter(({ type }) => type === 'lead.created').map((each) => [each.id, each]))
      return [...messages.values()].flatMap(({ event_id, items }) => items.map((item) => ({ event_id, item })))
    }
    await submit([lead('u1'), lead('nobody'), lead('u1')])
    const [first] = await listed()
    await expect.poll(leads).toEqual([{ event_id: testEvent.id, item: first }])
    await Promise.all(Array.from({ length: 10 }, () => submit([lead('u1'), lead('u2'), lead('u3')])))
    await expect.poll(async () => new Set((await leads()).map(({ item }) => item._id)).size).toBe(3)
    // Two submissions in the same millisecond may both publish the lead, with the same content.
    const byId = new Map((await leads()).map(({ item }) => [item._id, item]))
    expect(new Set(byId.values())).toEqual(new Set(await listed()))
  })

  describe('with an Idempotency-Key', () => {
    const keyed = (key: string, items: unknown, token?: string): Promise<Answer> =>
      submit(items, { headers: { 'idempotency-key': `${key}-${testEvent.id}` } }, token)
    const isReplay = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true'

    test('the first answer comes again and says so, errors included; another body is 422', async () => {
      await guests('u1', 'u2')
      for (const [key, items] of [
        ['good', [lead('u1')]],
        ['bad', [lead('u2'), lead('nobody')]],
      ] as const) {
        const [first, again] = [await keyed(key, items), await keyed(key, items)]
        expect([isReplay(first), isReplay(again)]).toEqual([false, true])
        expect([again.status, again.text]).toEqual([first.status, first.text])
        const other = await keyed(key, [lead('u2', 'Other')])
        expect([other.status, Object.keys(other.body.errors)]).toEqual([422, ['idempotency_key']])
      }
    })

    test('it is the exhibitor’s: another may use the same', async () => {
      await guests('u1')
      const other = await testEvent.make('exhibitors.json', { name: 'Other' })
      const [one, two] = [await keyed('same', [lead('u1')]), await keyed('same', [lead('u1')], other.access_token)]
      expect([one.body[0].exhibitor_id, two.body[0].exhibitor_id]).toEqual([exhibitor._id, other._id])
      expect(isReplay(two)).toBe(false)
    })

    test('after the token was rolled, the old one is 401, and the new one gets the answer', async () => {
      await guests('u1')
      const first = await keyed('rolled', [lead('u1')])
      const rolled = await testEvent.api('POST', `exhibitors/${exhibitor._id}/roll_token.json`)
      expect((await keyed('rolled', [lead('u1')])).status).toBe(401)
      const again = await keyed('rolled', [lead('u1')], rolled.body.access_token)
      expect([again.status, isReplay(again), again.body]).toEqual([201, true, first.body])
    })

    test('a refusal leaves the key free', async () => {
      await guests('u1')
      await system.api('PUT', `events/${testEvent.id}.json`, { network_enabled: false })
      expect((await keyed('free', [lead('u1')])).status).toBe(403)
      await system.api('PUT', `events/${testEvent.id}.json`, { network_enabled: true })
      expect(await keyed('free', [lead('u1')])).toMatchObject({ status: 201 })
    })
  })

  describe('the organizer’s list', () => {
    test('has all leads of the exhibitor, newest first, with the guest’s _id, in JSON and XML', async () => {
      const [first, second] = await guests('u1', 'u2')
      await submit([lead('u1')])
      await submit([lead('u2')])
      const list = await listed()
      expect(list).toEqual([
        {
          ...list[0],
          guest_uid: 'u2',
          guest_id: second,
          event_id: testEvent.id,
          exhibitor_id: exhibitor._id,
          comments: [],
        },
        { ...list[1], guest_uid: 'u1', guest_id: first },
      ])
      const xml = await testEvent.api('GET', `exhibitors/${exhibitor._id}/connections.xml`)
      expect(xml.text).toMatch(new RegExp(`<connections type="array"><connection>.*<guest-id>${second}</guest-id>`))
    })

    test('one page can be requested; all leads come by default', async () => {
      const uids = Array.from({ length: 25 }, (_, n) => `u${n}`)
      await guests(...uids)
      for (const from of [0, 5, 10, 15, 20]) await submit(uids.slice(from, from + 5).map((uid) => lead(uid)))
      const all = await listed()
      expect(all).toHaveLength(25)
      const pages = []
      for (let page = 1; page <= 4; page++) pages.push(...(await listed(`?page=${page}&per_page=10`)))
      expect(pages).toEqual(all)
      expect(await listed('?per_page=3')).toEqual(all.slice(0, 3))
      for (const query of ['page=0', 'page=x', 'per_page=x', 'per_page=0']) {
        const answer = await testEvent.api('GET', `exhibitors/${exhibitor._id}/connections.json?${query}`)
        expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [query.split('=')[0]]])
      }
    })

    test('a lead stays as it is when its guest is changed or deleted', async () => {
      const [changed = '', deleted = ''] = await guests('u1', 'u2')
      await submit([lead('u1'), lead('u2')])
      const before = await listed()
      await testEvent.change(`guests/${changed}.json`, { uid: 'renamed' })
      await testEvent.remove(`guests/${deleted}.json`)
      expect(await listed()).toEqual(before)
    })
  })

  describe('as CSV', () => {
    const csv = async (query = ''): Promise<Answer> =>
      testEvent.api('GET', `exhibitors/${exhibitor._id}/connections.csv${query}`)

    test("below a header each lead has its own columns and the guest's disclosed fields, and no others", async () => {
      await system.api('PUT', `events/${testEvent.id}.json`, {
        lead_guest_fields: ['uid', 'last_name', 'Diet', 'author'],
      })
      await testEvent.guest(category, 'u1', {
        last_name: 'Love"lace, Ada',
        email: 'ada@private.example',
        guest_metadata: { Diet: 'a\nb' },
      })
      const [gone = ''] = await guests('u2')
      await submit([{ ...lead('u1'), comments: ['Call, soon', { stars: 5 }] }])
      await submit([lead('u2', 'Bob')])
      await testEvent.remove(`guests/${gone}.json`)
      const { status, headers, text } = await csv()
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(headers.get('content-disposition')).toContain(`leads-${exhibitor._id}.csv`)
      const [bob, ann] = await listed()
      expect(text).toBe(
        [
          '_id,guest_uid,author,created_at,updated_at,comments,uid,last_name,Diet,guest author,lead_note,lead_rating',
          `${bob._id},u2,Bob,${bob.created_at},${bob.updated_at},,,,,,,`,
          `${ann._id},u1,Ann,${ann.created_at},${ann.updated_at},"Call, soon\n{""stars"":5}",u1,"Love""lace, Ada","a\nb",,,`,
          '',
        ].join('\n'),
      )
      expect((await csv('?per_page=1')).text.split('\n')).toHaveLength(3)
    })

    test('no cell begins like a formula, whoever wrote it', async () => {
      const evil = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1']
      await system.api('PUT', `events/${testEvent.id}.json`, { lead_guest_fields: ['last_name', '=HEADER()', '-diet'] })
      for (const [n, text] of evil.entries()) {
        const uid = n % 2 === 0 ? `=${n}` : `@${n}`
        await testEvent.guest(category, uid, { last_name: text, guest_metadata: { '-diet': text } })
        await submit([lead(uid, text)])
      }
      const { text } = await csv()
      expect(text).toContain("'=HEADER()")
      expect(text).toContain("'@SUM(A1)")
      // A cell begins after a comma or a line's end, and may be quoted.
      expect(text).not.toMatch(/(^|[,\n])"?[=+\-@\t\r]/)
    })

    test('without leads it is only the header; door tokens do not get it', async () => {
      expect((await csv()).text).toBe(
        '_id,guest_uid,author,created_at,updated_at,comments,email,first_name,last_name,company_name,uid,lead_note,lead_rating\n',
      )
      const { body } = await system.api('POST', 'tokens.json', { name: 'door', scope: 'door' })
      const refused = await testEvent.api('GET', `exhibitors/${exhibitor._id}/connections.csv`, undefined, {
        token: body.token,
      })
      expect(refused.status).toBe(403)
    })
  })

  test('a batch of 3,000 costs a few queries, and is listed and exported whole', slow, async () => {
    const uids = Array.from({ length: 3_000 }, (_, n) => `m${n}`)
    const mongo = await MongoClient.connect(inject('mongodbUrl'))
    const now = new Date()
    await mongo
      .db(`${system.namespace}_guests`)
      .collection<Document & { _id: string }>('guests')
      .insertMany(
        uids.map((uid) => ({
          _id: leadId(testEvent.id, uid),
          uid,
          event_id: testEvent.id,
          last_name: uid,
          created_at: now,
          access_privileges: [],
          guest_category_id: category,
        })),
      )
    await mongo.close()
    const { status, body } = await submit(uids.map((uid) => lead(uid)))
    expect(status).toBe(201)
    expect(body.map(({ guest_uid }: { guest_uid: string }) => guest_uid)).toEqual(uids)
    expect(await listed()).toHaveLength(3_000)
    const { text } = await testEvent.api('GET', `exhibitors/${exhibitor._id}/connections.csv`)
    expect(text.split('\n')).toHaveLength(3_002)
    expect(text).toMatch(/,m2999,Ann,[^,]+,[^,]+,,,,m2999,,m2999,,\n/)
  })
})

describe('each query of leads', () => {
  const client = new MongoClient(inject('mongodbUrl'), { monitorCommands: true })
  const db = client.db(`test-${crypto.randomUUID()}`)
  const store = new LeadStore(db)
  let sent: { name: string; command: Document }[] = []

  const leadOf = (number: number, exhibitor_id: string): StoredLead => {
    const at = new Date(Date.UTC(2027, 0, 1) + number * 1000)
    const guest_uid = `u${number}`
    const guest_id = 'a'.repeat(24)
    return {
      _id: leadId(exhibitor_id, guest_uid),
      event_id: 'event',
      exhibitor_id,
      guest_uid,
      guest_id,
      author: 'Ann',
      created_at: at,
      updated_at: at,
    }
  }
  const batch = (exhibitor: string, count: number): StoredLead[] =>
    Array.from({ length: count }, (_, number) => leadOf(number, exhibitor))

  beforeAll(async () => {
    await store.prepare()
    for (const exhibitor of ['one', 'two', 'three']) await store.insertMissing(batch(exhibitor, 500))
    client.on('commandStarted', ({ commandName: name, command }) => sent.push({ name, command }))
  })
  afterAll(async () => {
    await db.dropDatabase()
    await client.close()
  })

  /** The last query of a run: its index, whether it sorts, how many documents it reads. */
  async function explained(run: () => Promise<unknown>): Promise<QueryPlan> {
    sent = []
    await run()
    return planOf(db, sent.at(-1)?.command ?? {})
  }

  const BY_CREATION = 'event_id_1_exhibitor_id_1_created_at_-1__id_-1'

  test('the list, and a page of it, is found and ordered by an index', async () => {
    const found = { indexes: [BY_CREATION], sorts: false }
    expect(await explained(() => store.ofExhibitor('event', 'two'))).toEqual({ ...found, read: 500 })
    const page = () => store.ofExhibitor('event', 'two', { page: 1, per_page: 20 })
    expect(await explained(page)).toEqual({ ...found, read: 20 })
  })

  // DocumentDB does not explain a query by _id.
  test('existing leads of a batch are looked up by _id, by its index', async () => {
    sent = []
    const known = batch('three', 10)
    expect((await store.insertMissing(known)).size).toBe(10)
    const ids = known.map(({ _id }) => _id)
    expect(sent.map(({ command: { find, filter, hint } }) => ({ find, filter, hint }))).toEqual([
      { find: 'leads', filter: { _id: { $in: ids }, event_id: 'event' }, hint: '_id_' },
    ])
  })

  test('a batch takes two commands, however many items it has, and one when all are known', async () => {
    for (const count of [1, 50, 400]) {
      const leads = batch(`fresh-${count}`, count)
      sent = []
      expect((await store.insertMissing(leads)).size).toBe(count)
      expect(sent.map(({ name }) => name)).toEqual(['find', 'insert'])
      sent = []
      expect((await store.insertMissing(leads)).size).toBe(count)
      expect(sent.map(({ name }) => name)).toEqual(['find'])
    }
  })

  test('parallel writes of the same leads all get the same leads, and each is stored once', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => store.insertMissing(batch('raced', 20))))
    const [first] = results
    expect(first?.size).toBe(20)
    for (const result of results) expect(result).toEqual(first)
    expect(await store.ofExhibitor('event', 'raced')).toHaveLength(20)
  })
})
