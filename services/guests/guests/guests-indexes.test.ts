import { OwnDatabase } from '@gatehouse/test/harness/own-database.ts'
import type { QueryPlan } from '@gatehouse/test/harness/query-plans.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { testGuest } from '../test-guest.ts'
import type { GuestFilter } from './list-plan.ts'
import { GuestLookups } from './lookups.ts'
import { disclosedFields } from './resource.ts'
import { readSearch } from './search.ts'
import { GuestStore } from './store.ts'
import type { NewGuest, StoredGuest } from './stored-guest.ts'

const GUESTS = 2_000
const CATEGORIES = 20
const START = Date.UTC(2027, 0, 1)
const CREATED = 'event_id_1_created_at_-1__id_-1'
const BY_NAME = 'event_id_1_sort_name_1__id_1'

describe('each list of guests is served by an index', () => {
  const database = new OwnDatabase()
  const { db } = database
  const lookups = new GuestLookups(db)
  let store: GuestStore

  beforeAll(async () => {
    store = new GuestStore(db)
    await store.prepare()
    for (let from = 0; from < GUESTS; from += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => store.insert(guestOf(from + index))))
    }
  })

  function guestOf(number: number): NewGuest {
    const at = new Date(START + number * 1000)
    return testGuest({
      _id: number.toString(16).padStart(24, '0'),
      guest_category_id: `category-${number % CATEGORIES}`,
      first_name: `First${number % 100}`,
      last_name: `Last${number}`,
      uid: `uid-${number}`,
      created_at: at,
      updated_at: at,
    })
  }

  /** The last query of a run, explained: the index it walks, whether it sorts what it found, how many documents it reads. */
  async function explained(run: () => Promise<unknown>): Promise<QueryPlan> {
    const [, plans] = await database.plansOf(run)
    return plans.at(-1) as QueryPlan
  }

  const page = (filter: GuestFilter, number = 1): (() => Promise<StoredGuest[]>) => {
    return async () => (await store.page('event', filter, { page: number, per_page: 50 }, false)).decoded()
  }

  const at = (number: number): Date => new Date(START + number * 1000)

  test.each<[string, GuestFilter, string]>([
    ['all', {}, CREATED],
    ['since', { since: at(100) }, CREATED],
    ['since and before', { since: at(100), before: at(1500) }, CREATED],
    ['one category', { categories: ['category-1'] }, 'event_id_1_guest_category_id_1_created_at_-1__id_-1'],
    ['by last name', { search: readSearch('sort:lastname-asc') }, BY_NAME],
    ['by last name, backwards', { search: readSearch('sort:lastname-desc') }, BY_NAME],
  ])('%s: found and ordered by it, with no document read in vain', async (_, filter, index) => {
    expect(await explained(page(filter))).toEqual({ indexes: [index], sorts: false, read: 50 })
  })

  test.each<[string, GuestFilter, string, number]>([
    ['uid', { uid: 'uid-77' }, 'event_id_1_uid_1', 1],
    ['updated since', { updated_since: at(1990) }, 'event_id_1_updated_at_-1_created_at_-1__id_-1', 10],
    ['a word', { search: readSearch('last199') }, 'event_id_1_search_words_1_created_at_-1__id_-1', 11],
    ['two words', { search: readSearch('first9 last1999') }, 'event_id_1_search_words_1_created_at_-1__id_-1', 1],
  ])('%s: found by it, and only the found guests are sorted', async (_, filter, index, most) => {
    const { indexes, read } = await explained(page(filter))
    expect(indexes).toEqual([index])
    expect(read).toBeLessThanOrEqual(most)
  })

  test.each<[string, GuestFilter]>([
    ['several categories', { categories: ['category-1', 'category-2', 'category-3'] }],
    ['a word that many have', { search: readSearch('first') }],
    ['an update long ago', { updated_since: at(0) }],
  ])('%s: found among the newest, and not all of them are read', async (_, filter) => {
    const { indexes, sorts, read } = await explained(page(filter))
    expect([indexes, sorts]).toEqual([[CREATED], false])
    expect(read).toBeLessThanOrEqual(1_000)
  })

  test.each<[string, GuestFilter]>([
    ['several categories', { categories: ['category-1', 'category-2'] }],
    ['a word', { search: readSearch('first7') }],
    ['a word and a category', { search: readSearch('first'), categories: ['category-7'] }],
    ['updated', { updated_since: at(300), updated_before: at(1700) }],
    ['by last name, a word', { search: readSearch('sort:lastname-asc first1') }],
  ])('%s: the same guests, wherever they are found', async (_, filter) => {
    const all = (await store.page('event', filter, { page: 1, per_page: 500 }, false)).decoded()
    const walked = []
    for (let number = 1; walked.length < all.length; number++) walked.push(...(await page(filter, number)()))
    const order = filter.search?.sort ? all : all.toSorted((one, other) => (one._id < other._id ? 1 : -1))
    expect(walked.slice(0, 500)).toEqual(order)
    expect(all.length).toBeGreaterThan(50)
  })

  test('a page after another begins where that one ended', async () => {
    // Walked to: who jumps to a page has places counted in the background, whose queries would be caught too.
    for (let number = 1; number < 30; number++) await page({}, number)()
    const { indexes, sorts, read } = await explained(page({}, 30))
    expect([indexes, sorts]).toEqual([[CREATED], false])
    // The one where it ended is looked at again.
    expect(read).toBeLessThanOrEqual(51)
  })

  test('a page of some guests, without the one before: only its own documents are read whole', async () => {
    const [guests, sent] = await database.queriesOf(page({ categories: ['category-9'] }, 2))
    expect(sent.map(({ filter, projection, skip }) => ({ filter, projection, skip }))).toEqual([
      { filter: { event_id: 'event', guest_category_id: { $in: ['category-9'] } }, projection: { _id: 1 }, skip: 50 },
      { filter: { _id: { $in: guests.map(({ _id }) => _id) } }, projection: { search_words: 0, guest_metadata: 0 } },
    ])
    expect(guests).toHaveLength(50)
  })

  test('the door finds its guests by uid', async () => {
    const { indexes, read } = await explained(() => lookups.doorGuests('event', ['uid-1', 'uid-2', 'nobody']))
    expect(indexes).toEqual(['event_id_1_uid_1'])
    expect(read).toBeLessThanOrEqual(2)
  })

  test(
    'the categories of all guests are read in the order of their uids, each page from where the one before ended',
    slow,
    async () => {
      const large = Array.from({ length: 5_010 }, (_, number) => ({
        ...guestOf(number),
        _id: `large ${number}`,
        event_id: 'large',
      }))
      await db.collection<NewGuest>('guests').insertMany(large)
      const first = await lookups.byUid('large', undefined)
      const { indexes, sorts, read } = await explained(() => lookups.byUid('large', first.last))
      expect([indexes, sorts, read]).toEqual([['event_id_1_uid_1'], false, 10])
      const { guests, ...rest } = await lookups.byUid('large', first.last)
      expect(rest).toEqual({})
      const categorized = large.map(({ uid, guest_category_id, party_size }) => ({
        uid,
        guest_category_id,
        party_size,
      }))
      const inOrder = categorized.toSorted((one, other) => (one.uid < other.uid ? -1 : 1))
      expect([...first.guests, ...guests]).toEqual(inOrder)
    },
  )

  test('exhibitors find their guests by uid, and no more is read of them than may be shown', async () => {
    const ask = () => lookups.disclosable('event', 'uid', ['uid-1', 'uid-2', 'nobody'], false)
    const { indexes, read } = await explained(ask)
    expect(indexes).toEqual(['event_id_1_uid_1'])
    expect(read).toBeLessThanOrEqual(2)
    const fields = ['_id', ...disclosedFields].toSorted()
    for (const guest of await ask()) expect(Object.keys(guest).toSorted()).toEqual(fields)
  })

  test('whether a category is empty is seen in it', async () => {
    const { indexes, read } = await explained(() => store.holdsCategory('event', 'category-empty'))
    expect(indexes).toEqual(['event_id_1_guest_category_id_1_created_at_-1__id_-1'])
    expect(read).toBe(0)
  })
})
