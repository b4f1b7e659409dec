import { startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const system = await sharedSystem()

const CREATE = 'guests/batch_create.json'
const UPDATE = 'guests/batch_update.json'
const DELETE = 'guests/batch_delete.json'
const GRANTED = 0
const UNKNOWN = 1
const NO_RIGHT = 2
const NO_GUEST = { errors: { _id: ['is not a guest of the event'] } }
const NO_CATEGORY = { errors: { guest_category_id: ['is not a guest category of the event'] } }

/** docs/interface.md 5.31. */
describe('many guests registered by one request', () => {
  let event: TestEvent
  let vip: string
  beforeEach(async () => {
    event = await TestEvent.open(system)
    vip = await event.category('VIP')
  })

  const send = (items: unknown, init?: object): Promise<Answer> => event.api('POST', CREATE, items, init)
  const names = async (): Promise<string[]> =>
    (await event.read('guests.json?sort=last_name')).map(({ last_name }: Answer['body']) => last_name)

  test('each is registered as by a request of its own, and answered in its place', async () => {
    const door = await event.point()
    await event.link(vip, door)
    const fields = { guest_category_id: vip, email: 'ada@example.org', guest_metadata: { diet: 'none' }, party_size: 2 }
    const single = await event.make('guests.json', { ...fields, last_name: 'Single' })
    const { status, body } = await send({
      guests: [
        { ...fields, last_name: 'Many' },
        { guest_category_id: vip, uid: 'b' },
      ],
    })
    expect(status).toBe(201)
    const own = ['_id', 'uid', 'qrcode_url', 'created_at', 'updated_at', 'registered_at', 'last_name']
    const others = Object.entries(single).filter(([name]) => !own.includes(name))
    expect(body[0]).toEqual({ ...body[0], ...Object.fromEntries(others), last_name: 'Many', created: true })
    expect(body[1]).toMatchObject({ uid: 'b', source: 'api', party_size: 1 })
    expect(Object.keys(body[0]).sort()).toEqual([...Object.keys(single), 'created'].sort())
    expect((await fetch(body[0].qrcode_url)).status).toBe(200)
    expect((await event.read(`guests/${body[0]._id}.json?guest_metadata=true`)).guest_metadata).toEqual([
      { name: 'diet', value: 'none' },
    ])
    expect((await event.scan(door, 'b')).access_status).toBe(GRANTED)
    expect((await event.read('statistics.json')).guest_count).toBe(3)
    const document = `<guests type="array"><guest><guest-category-id>${vip}</guest-category-id><last-name>Xml</last-name></guest></guests>`
    const xml = await event.xml('POST', 'guests/batch_create.xml', document)
    expect([xml.status, await names()]).toEqual([201, [null, 'Many', 'Single', 'Xml']])
    expect(xml.text).toContain('<last-name>Xml</last-name>')
  })

  test('a wrong item is answered with all its errors, and the others are registered', async () => {
    const other = await TestEvent.open(system)
    const elsewhere = await other.category()
    await event.guest(vip, 'ada')
    await event.make('promo_codes.json', { text: 'USED', amount: 1, max_usage: 0 })
    const { status, body } = await send([
      { guest_category_id: vip, last_name: 'Good' },
      { guest_category_id: elsewhere, uid: 'ada', email: 'no address', promo_code: 'nowhere', party_size: 0 },
      { guest_category_id: vip, uid: 'ada' },
      { guest_category_id: vip, last_name: 'Used', promo_code: 'used' },
      { guest_category_id: vip, uid: 'twice' },
      { guest_category_id: vip, uid: 'twice' },
      { guest_category_id: vip },
      5,
    ])
    const identity = 'one of last_name, email, company_name or uid is needed'
    expect([status, body.map(({ errors }: Answer['body']) => errors)]).toEqual([
      422,
      [
        undefined,
        {
          email: ['is not valid'],
          party_size: ['must be greater than or equal to 1'],
          ...NO_CATEGORY.errors,
          uid: ['has already been taken'],
          promo_code: ['is not a discount code of the event'],
        },
        { uid: ['has already been taken'] },
        { promo_code: ['has been used up'] },
        undefined,
        { uid: ['has already been taken'] },
        { last_name: [identity] },
        { base: ['is not an object'] },
      ],
    ])
    expect((await event.read('guests.json')).map(({ uid }: Answer['body']) => uid)).toHaveLength(3)
    expect(await other.read('guests.json')).toEqual([])
  })

  test('no more of them use a discount code than may', async () => {
    await event.make('promo_codes.json', { text: 'FIVE', amount: 1, max_usage: 5 })
    const items = Array.from({ length: 12 }, (_, index) => ({
      guest_category_id: vip,
      last_name: `Guest ${index}`,
      promo_code: 'five',
    }))
    const { status, body } = await send(items)
    const used = body.filter(({ promo_code }: Answer['body']) => promo_code === 'FIVE')
    const errors = body.flatMap((answer: Answer['body']) => answer.errors?.promo_code ?? [])
    expect([status, used.length, new Set(errors), (await names()).length]).toEqual([
      422,
      5,
      new Set(['has been used up']),
      5,
    ])
  })

  test('under its Idempotency-Key a request is answered again, and registers nobody again', async () => {
    const init = { headers: { 'idempotency-key': crypto.randomUUID() } }
    const items = [
      { guest_category_id: vip, last_name: 'Ada' },
      { guest_category_id: vip, uid: 'grace' },
    ]
    const first = await send(items, init)
    const again = await send(items, init)
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true'])
    expect(await names()).toHaveLength(2)
  })

  test('under its own key an item registers a guest once, in whatever request: who is there stays, who was deleted comes again', async () => {
    const itemOf = (idempotency_key: string, last_name: string) => ({
      guest_category_id: vip,
      last_name,
      idempotency_key,
      promo_code: 'ONCE',
    })
    await event.make('promo_codes.json', { text: 'ONCE', amount: 1, max_usage: 1 })
    const [ada] = (await send([itemOf('1', 'Ada'), itemOf('1', 'Twice')])).body
    const { status, body } = await send([itemOf('1', 'Again'), { ...itemOf('2', 'Grace'), promo_code: null }])
    expect(status).toBe(201)
    expect(body).toMatchObject([
      { _id: ada._id, uid: ada.uid, last_name: 'Ada', created: false },
      { last_name: 'Grace', created: true },
    ])
    await event.remove(`guests/${ada._id}.json`)
    expect((await send([itemOf('1', 'Ada')])).body).toMatchObject([{ last_name: 'Ada', created: true }])
    expect(await names()).toEqual(['Ada', 'Grace'])
    // The keys of another token, and those of another event, are others.
    const { token } = (await system.api('POST', 'tokens.json', { name: 'Another', scope: 'admin' })).body
    const item = { ...itemOf('2', 'Other'), promo_code: null }
    expect((await send([item], { token })).body).toMatchObject([{ last_name: 'Other', created: true }])
    const other = await TestEvent.open(system)
    const elsewhere = { ...item, guest_category_id: await other.category() }
    expect((await other.api('POST', CREATE, [elsewhere])).body).toMatchObject([{ created: true }])
    expect(await names()).toEqual(['Ada', 'Grace', 'Other'])
  })

  test('webhooks are told of each guest once, however often it is sent', async () => {
    const receiver = await startReceiver()
    await system.api('POST', 'webhooks.json', {
      url: receiver.url,
      event_types: ['guest.created'],
      event_id: event.id,
    })
    const items = Array.from({ length: 20 }, (_, index) => ({
      guest_category_id: vip,
      uid: `guest-${index}`,
      idempotency_key: `${index}`,
    }))
    const answers = await Promise.all([send(items), send(items.toReversed()), send(items)])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    await send([{ guest_category_id: vip, uid: 'last' }])
    const told = () => new Map(receiver.received.map(({ headers, json }) => [headers['webhook-id'], json.data.uid]))
    await expect.poll(() => [...told().values()]).toContain('last')
    await expect.poll(() => [...told().values()].sort()).toEqual([...items.map(({ uid }) => uid), 'last'].sort())
    await receiver.close()
  })
})

/** docs/interface.md 5.30. */
describe('many guests in one request', () => {
  let event: TestEvent
  let vip: string
  let press: string
  let ada: string
  let grace: string

  beforeEach(async () => {
    event = await TestEvent.open(system)
    vip = await event.category('VIP')
    press = await event.category('Press')
    ada = await event.guest(vip, 'ada', { last_name: 'Lovelace' })
    grace = await event.guest(vip, 'grace', { last_name: 'Hopper' })
  })

  const send = (path: string, body: unknown, key?: string): Promise<Answer> =>
    event.api('POST', path, body, key ? { headers: { 'idempotency-key': key } } : {})
  const read = (id: string): Promise<Answer['body']> => event.read(`guests/${id}.json?guest_metadata=true`)

  test('each guest is changed as by a request of its own, and answered in its place', async () => {
    const items = [
      { _id: grace, guest_category_id: press, uid: 'admiral' },
      { _id: ada, guest_metadata: { diet: 'none' }, rsvp_status: 'declined' },
    ]
    const { status, body } = await send(UPDATE, { guests: items })
    expect([status, body]).toEqual([200, [{ _id: grace }, { _id: ada }]])
    expect(await read(grace)).toMatchObject({ guest_category_id: press, uid: 'admiral', last_name: 'Hopper' })
    expect(await read(ada)).toMatchObject({
      guest_category_id: vip,
      guest_metadata: [{ name: 'diet', value: 'none' }],
      status: 'declined',
    })
    const document = `<guests type="array"><guest><_id>${ada}</_id><last-name>King</last-name></guest></guests>`
    const xml = await event.xml('POST', 'guests/batch_update.xml', document)
    expect(xml.status, xml.text).toBe(200)
    expect((await read(ada)).last_name).toBe('King')
  })

  test('the door and all counts see a change before it is answered', async () => {
    const door = await event.point()
    await event.link(vip, door)
    expect((await event.scan(door, 'ada')).access_status).toBe(GRANTED)
    await send(
      UPDATE,
      [ada, grace].map((_id) => ({ _id, guest_category_id: press })),
    )
    expect((await event.scan(door, 'ada')).access_status).toBe(NO_RIGHT)
    expect((await event.read('statistics.json')).by_guest_category).toEqual([
      expect.objectContaining({ guest_category_id: vip, guest_count: 0 }),
      expect.objectContaining({ guest_category_id: press, guest_count: 2 }),
    ])
    expect(await event.read(`guests.json?category[]=${vip}`)).toEqual([])
    expect((await event.api('DELETE', `guest_categories/${vip}.json`)).status).toBe(204)
    await send(DELETE, [{ _id: ada }])
    expect((await event.scan(door, 'ada')).access_status).toBe(UNKNOWN)
    expect((await event.read('guests.json')).map(({ _id }: Answer['body']) => _id)).toEqual([grace])
    expect((await system.api('GET', `events/${event.id}.json`)).body).toMatchObject({
      guest_count: 1,
      check_in_count: 3,
    })
  })

  test('a wrong item is answered with all its errors and changes nothing; the others are changed', async () => {
    const other = await TestEvent.open(system)
    const stranger = await other.guest(await other.category(), 'stranger')
    const { status, body } = await send(UPDATE, [
      { _id: ada, last_name: 'King' },
      { _id: stranger, last_name: 'Nobody' },
      { _id: grace, guest_category_id: stranger, party_size: 0, uid: 'ada', email: 'no address' },
      { last_name: 'Nobody' },
      5,
      { _id: grace, uid: 'ada' },
      { _id: grace, uid: ' ' },
    ])
    expect([status, body]).toEqual([
      422,
      [
        { _id: ada },
        NO_GUEST,
        {
          errors: {
            party_size: ['must be greater than or equal to 1'],
            ...NO_CATEGORY.errors,
            uid: ['has already been taken'],
            email: ['is not valid'],
          },
        },
        { errors: { _id: ["can't be blank"] } },
        { errors: { base: ['is not an object'] } },
        { errors: { uid: ['has already been taken'] } },
        { errors: { uid: ["can't be blank"] } },
      ],
    ])
    expect((await read(ada)).last_name).toBe('King')
    expect(await read(grace)).toMatchObject({ uid: 'grace', last_name: 'Hopper', guest_category_id: vip })
    expect((await other.read(`guests/${stranger}.json`)).last_name).toBeNull()
  })

  test('of several changes of one guest, or to one uid, the items hold in their order', async () => {
    const { status, body } = await send(UPDATE, [
      { _id: ada, last_name: 'Byron', first_name: 'Ada' },
      { _id: ada, last_name: 'King' },
      { _id: ada, guest_category_id: press },
      { _id: ada, guest_category_id: vip },
      { _id: ada, guest_category_id: press },
    ])
    expect([status, body]).toEqual([200, Array(5).fill({ _id: ada })])
    expect(await read(ada)).toMatchObject({ last_name: 'King', first_name: 'Ada', guest_category_id: press })
    const same = [ada, grace].map((_id) => ({ _id, uid: 'same' }))
    const answers: Answer['body'][] = (await send(UPDATE, same)).body
    expect(answers.filter(({ errors }) => errors?.uid)).toHaveLength(1)
  })

  test('a guest who is as wanted already is answered and stays as it is; a badge is ordered anew for the others alone', async () => {
    const badges = (await event.make('guest_categories.json', { name: 'Badges', badge_enabled: true }))._id
    await send(UPDATE, [{ _id: grace, guest_category_id: badges }])
    await expect.poll(async () => (await read(grace)).badge_completed).toBe(true)
    const before = await read(grace)
    const both = await send(
      UPDATE,
      [ada, grace].map((_id) => ({ _id, guest_category_id: badges })),
    )
    expect([both.status, both.body]).toEqual([200, [{ _id: ada }, { _id: grace }]])
    expect(await read(grace)).toEqual(before)
    await expect.poll(async () => (await read(ada)).badge_completed).toBe(true)
  })

  test('guests are deleted, and found no more; their check-ins stay, and one who is not there is an error of the item', async () => {
    const door = await event.point()
    await event.scan(door, 'ada')
    const { status, body } = await send(DELETE, [{ _id: ada }, { _id: 'unknown' }, { _id: ada }, {}])
    expect([status, body]).toEqual([422, [{ _id: ada }, NO_GUEST, NO_GUEST, { errors: { _id: ["can't be blank"] } }]])
    expect((await event.read('guests.json')).map(({ _id }: Answer['body']) => _id)).toEqual([grace])
    expect(await event.read('access_controls.json')).toHaveLength(1)
    expect((await send(DELETE, [{ _id: grace }])).status).toBe(200)
    expect(await event.read('guests.json')).toEqual([])
    expect((await send(UPDATE, [{ _id: grace, last_name: 'Hopper' }])).body).toEqual([NO_GUEST])
  })

  test('under its Idempotency-Key a request is answered again and not done again', async () => {
    const key = crypto.randomUUID()
    const move = [{ _id: ada, guest_category_id: press }]
    const first = await send(UPDATE, move, key)
    await event.change(`guests/${ada}.json`, { guest_category_id: vip })
    const again = await send(UPDATE, move, key)
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([200, first.body, 'true'])
    expect((await read(ada)).guest_category_id).toBe(vip)
  })

  test('webhooks are told of each guest once, whatever the items say', async () => {
    const receiver = await startReceiver()
    const types = ['guest.updated', 'guest.deleted']
    await system.api('POST', 'webhooks.json', { url: receiver.url, event_types: types, event_id: event.id })
    const told = () =>
      receiver.received.map(({ json }) => `${json.type} ${json.data.uid} ${json.data.guest_category_id === press}`)
    await send(UPDATE, [
      { _id: ada, guest_category_id: press },
      { _id: grace, guest_category_id: vip },
      { _id: grace, guest_category_id: 'unknown' },
      { _id: ada, guest_category_id: press },
    ])
    await expect.poll(told).toEqual(['guest.updated ada true'])
    await send(DELETE, [{ _id: ada }, { _id: grace }, { _id: ada }])
    await expect
      .poll(async () => told().sort())
      .toEqual(['guest.deleted ada true', 'guest.deleted grace false', 'guest.updated ada true'])
    await receiver.close()
  })

  test('what belongs to deleted guests goes too: the discount code is free again, and the public links end', async () => {
    await event.make('promo_codes.json', { text: 'ONCE', amount: 1, max_usage: 1 })
    const with_code = { guest_category_id: vip, last_name: 'Ward', promo_code: 'ONCE' }
    const mary = await event.make('guests.json', with_code)
    expect((await event.api('POST', 'guests.json', with_code)).status).toBe(422)
    expect((await fetch(mary.qrcode_url)).status).toBe(200)
    await send(DELETE, [{ _id: mary._id }])
    expect((await fetch(mary.qrcode_url)).status).toBe(404)
    await event.make('guests.json', with_code)
  })
})
