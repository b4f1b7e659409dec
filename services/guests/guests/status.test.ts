import { guestStatuses } from '@gatehouse/proto/formats/lists/guest-statuses.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

const system = await sharedSystem()

let mongo: MongoClient
let testEvent: TestEvent
let category: string

beforeAll(async () => {
  mongo = await MongoClient.connect(inject('mongodbUrl'))
  testEvent = await TestEvent.open(system)
  category = await testEvent.category()
})
afterAll(() => mongo?.close())

const make = (fields: object, of = testEvent, guest_category_id = category) =>
  of.make('guests.json', { guest_category_id, last_name: 'Guest', ...fields })
const read = (_id: string) => testEvent.read(`guests/${_id}.json`)

describe('the status of a guest', () => {
  test('is registered unless given, takes each of its words, and refuses others by name', async () => {
    const made = await make({})
    expect([made.status, made.order_uid, made.registered_at]).toEqual(['registered', null, made.created_at])
    for (const status of guestStatuses) {
      await testEvent.change(`guests/${made._id}.json`, { status })
      expect((await read(made._id)).status).toBe(status)
    }
    const errors = await testEvent.refused(`guests/${made._id}.json`, { status: 'here' }, 'PUT')
    expect(Object.keys(errors)).toEqual(['status'])
  })

  // Each step is a change, and what the guest shows after it.
  test.each([
    ['the reply covers it', {}, [{ rsvp_status: 'declined' }, 'declined'], [{ rsvp_status: 'accepted' }, 'registered']],
    [
      'and it comes back',
      { status: 'imported' },
      [{ rsvp_status: 'declined' }, 'declined'],
      [{ last_name: 'X' }, 'declined'],
      [{ rsvp_status: 'not_replied' }, 'imported'],
    ],
    [
      'what was read and is sent back changes nothing',
      { status: 'invited', rsvp_status: 'declined' },
      [{ status: 'declined', rsvp_status: 'declined' }, 'declined'],
      [{ rsvp_status: 'accepted' }, 'invited'],
    ],
    [
      'another is kept for later',
      { rsvp_status: 'declined' },
      [{ status: 'email_sent' }, 'declined'],
      [{ rsvp_status: 'accepted' }, 'email_sent'],
    ],
    [
      'a new guest who has declined has registered otherwise',
      { status: 'declined', rsvp_status: 'declined' },
      [{ rsvp_status: 'accepted' }, 'registered'],
    ],
    [
      'declined by itself is a status as any other',
      { status: 'declined' },
      [{ rsvp_status: 'accepted' }, 'declined'],
      [{ status: 'registered' }, 'registered'],
    ],
  ] as [string, Record<string, unknown>, ...[object, string][]][])(
    'is declined while rsvp_status is: %s',
    async (_, given, ...steps) => {
      const { _id, status } = await make(given)
      expect(status).toBe(given.rsvp_status === 'declined' ? 'declined' : (given.status ?? 'registered'))
      for (const [change, shown] of steps) {
        await testEvent.change(`guests/${_id}.json`, change)
        expect((await read(_id)).status).toBe(shown)
      }
    },
  )
})

test('registered_at and order_uid are given and shown; without it the creation counts', async () => {
  const registered_at = '2026-03-01T08:00:00.000Z'
  const { _id, created_at, ...made } = await make({ registered_at: '2026-03-01T09:00:00+01:00', order_uid: 'ORD-7' })
  expect([made.registered_at, made.order_uid]).toEqual([registered_at, 'ORD-7'])
  await testEvent.change(`guests/${_id}.json`, { registered_at: null, order_uid: null })
  expect(await read(_id)).toMatchObject({ registered_at: created_at, order_uid: null })
})

describe('a search', () => {
  let own: TestEvent
  let visitors: string
  const search = async (query: string, more = ''): Promise<string[]> =>
    (await own.read(`guests.json?search=${encodeURIComponent(query)}${more}`)).map(({ uid }: { uid: string }) => uid)

  beforeAll(async () => {
    own = await TestEvent.open(system)
    visitors = await own.category()
    for (const [uid, fields] of Object.entries({
      a: { status: 'imported', registered_at: '2026-03-03', guest_metadata: { stand: 'W-110', enseigne: 'Café Zoé' } },
      b: { rsvp_status: 'accepted', registered_at: '2026-03-01', guest_metadata: { num_stand: 'B 22', empty: null } },
      c: {
        rsvp_status: 'declined',
        registered_at: '2026-03-02',
        guest_metadata: { note: 'x '.repeat(4_000), id: 'Q17' },
      },
      d: { status: 'email_opened', registered_at: '2026-03-04', guest_metadata: { tails: 'a.'.repeat(4_999) } },
    }))
      await make({ uid, ...fields }, own, visitors)
  })

  test.each([
    ['status:imported', ['a']],
    ['status:registered', ['b']],
    ['status:accepted', ['b']],
    ['status:declined', ['c']],
    ['status:imported,accepted', ['b', 'a']],
    ['status:not_replied', ['d', 'a']],
    ['status:not_replied,declined', ['d', 'c', 'a']],
    ['status:unheard-of', []],
    ['sort:registered-asc', ['b', 'c', 'a', 'd']],
    ['sort:registered-desc', ['d', 'a', 'c', 'b']],
    ['status:registered,imported sort:registered-desc', ['a', 'b']],
    ['w110', ['a']],
    ['W-110', ['a']],
    ['110', ['a']],
    ['cafe', ['a']],
    ['zoe status:imported', ['a']],
    ['b 22', ['b']],
    ['enseigne', []],
    ['q17', ['c']],
    ['guest sort:registered-asc', ['b', 'c', 'a', 'd']],
  ])('%s finds %j', async (query, uids) => {
    expect(await search(query)).toEqual(uids)
  })

  test('its pages follow each other in the order of registration', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => search('sort:registered-desc', `&per_page=2&page=${page}`)))
    expect(pages).toEqual([['d', 'a'], ['c', 'b'], []])
  })

  test('a guest is found by changed metadata, and not by what it had before', async () => {
    const [{ _id }] = await own.read('guests.json?uid=b')
    await own.change(`guests/${_id}.json`, { guest_metadata: { stand: 'C 33' } })
    expect([await search('33'), await search('22')]).toEqual([['b'], []])
  })

  test('an erasure takes the words of metadata along', async () => {
    const { _id } = await make({ uid: 'gone', order_uid: 'O-99', guest_metadata: { nick: 'Zebedee' } }, own, visitors)
    expect(await search('zebedee')).toEqual(['gone'])
    await own.make('erasures.json', { by: 'guest_uid', value: 'gone' })
    expect(await search('zebedee')).toEqual([])
    await expect.poll(async () => (await own.read(`guests/${_id}.json`)).order_uid).toBeNull()
  })
})

test('guests who are older than these fields show them, and can be changed', async () => {
  const own = await TestEvent.open(system)
  const visitors = await own.category()
  const old = await make({ uid: 'old' }, own, visitors)
  const no = await make({ uid: 'no', rsvp_status: 'declined' }, own, visitors)
  const stored = mongo.db(`${system.namespace}_guests`).collection<{ _id: string }>('guests')
  const $unset = { status: 1, own_status: 1, registered_at: 1, order_uid: 1 } as const
  await stored.updateMany({ _id: { $in: [old._id, no._id] } }, { $unset })
  const { qrcode_url: _, ...shown } = old
  const list = await own.read('guests.json')
  expect(list.map(({ status }: { status: string }) => status)).toEqual(['declined', 'registered'])
  expect(list[1]).toEqual(shown)
  expect(await own.read(`guests/${old._id}.json`)).toEqual(shown)
  await own.change(`guests/${no._id}.json`, { rsvp_status: 'accepted' })
  expect(await stored.findOne({ _id: no._id })).toMatchObject({
    status: 'registered',
    registered_at: new Date(no.created_at),
  })
})
