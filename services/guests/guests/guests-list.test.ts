import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { guests } from './resource.ts'

const system = await sharedSystem()

describe('the guest list', () => {
  let event: TestEvent
  let press: string
  let crew: string
  const created = new Map<string, Answer['body']>()

  /** In the order of creation. */
  const people = [
    { uid: 'ada', first_name: 'Ada', last_name: 'Lovelace', company_name: 'Analytical Engines', position: 'Poet' },
    { uid: 'grace', first_name: 'Grace', last_name: 'Hopper', company_name: 'Navy', position: 'Rear Admiral' },
    { uid: 'eloise', first_name: 'Éloïse', last_name: 'Ångström', email: 'elo@example.org', position: 'CEO' },
    {
      uid: 'alan',
      first_name: 'Alan',
      last_name: 'Turing',
      phone_number: '+44 20 7946 0000',
      company_name: 'NAVY yard',
    },
    { uid: 'VIP-7', last_name: 'bond', rsvp_status: 'accepted', company_name: 'Big Corp' },
    { uid: 'no', last_name: 'Dr. No', rsvp_status: 'declined' },
  ]

  beforeAll(async () => {
    event = await TestEvent.open(system)
    press = await event.category('Press')
    crew = await event.category('Crew')
    for (const person of people) {
      const guest_category_id = person.uid === 'ada' || person.uid === 'no' ? crew : press
      created.set(person.uid, await event.make('guests.json', { ...person, guest_category_id }))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })

  const list = async (query: string, of = event): Promise<string[]> =>
    (await of.read(`guests.json?${query}`)).map(({ uid }: { uid: string }) => uid)
  const search = (query: string, more = ''): Promise<string[]> => list(`search=${encodeURIComponent(query)}${more}`)
  const at = (uid: string, ms = 0): string =>
    encodeURIComponent(new Date(Date.parse(created.get(uid).created_at) + ms).toISOString())

  test('is an array, newest creation first, in JSON and XML', async () => {
    expect(await list('')).toEqual(['no', 'VIP-7', 'alan', 'eloise', 'grace', 'ada'])
    const { text } = await event.api('GET', 'guests.xml')
    expect(text).toMatch(/^<\?xml [^>]+>\n<guests type="array"><guest><_id>/)
    expect([...text.matchAll(/<uid>([^<]+)<\/uid>/g)].map(([, uid]) => uid)).toEqual(await list(''))
  })

  test('has only those with an e-mail address, or only those without, if that is asked for', async () => {
    expect(await list('has_email=true')).toEqual(['eloise'])
    expect(await list('has_email=false')).toEqual(['no', 'VIP-7', 'alan', 'grace', 'ada'])
    expect(await list('has_email=false&rsvp_status=accepted')).toEqual(['VIP-7'])
  })

  test('by uid holds one guest or none', async () => {
    expect(await list('uid=ada')).toEqual(['ada'])
    expect(await list('uid=ad')).toEqual([])
    expect(await list('uid=nobody')).toEqual([])
  })

  test('by category[] holds the guests of the given categories, one or several', async () => {
    expect(await list(`category[]=${crew}`)).toEqual(['no', 'ada'])
    expect(await list(`category%5B%5D=${crew}&category%5B%5D=${press}`)).toHaveLength(6)
    expect(await list(`category[]=unknown`)).toEqual([])
    expect(await list(`category[]=`)).toHaveLength(6)
  })

  test('since is inclusive and before exclusive, on the creation', async () => {
    expect(await list(`since=${at('alan')}`)).toEqual(['no', 'VIP-7', 'alan'])
    expect(await list(`since=${at('alan', 1)}`)).toEqual(['no', 'VIP-7'])
    expect(await list(`before=${at('eloise')}`)).toEqual(['grace', 'ada'])
    expect(await list(`since=${at('grace')}&before=${at('alan')}`)).toEqual(['eloise', 'grace'])
  })

  test('date filters read ISO 8601 with and without offset, days and Unix seconds; anything else is 422', async () => {
    for (const since of [
      '2001-01-01',
      '2001-01-01T00:00:00',
      '2001-01-01T00:00:00%2B02:00',
      '2001-01-01T00:00Z',
      '978307200',
    ]) {
      expect(await list(`since=${since}`)).toHaveLength(6)
      expect(await list(`before=${since}`)).toEqual([])
    }
    for (const field of ['since', 'before', 'updated_since', 'updated_before']) {
      const errors = await event.refused(`guests.json?${field}=yesterday`, undefined, 'GET')
      expect(errors).toEqual({ [field]: ['is not a valid date-time'] })
    }
  })

  test('updated_since and updated_before bound the update', async () => {
    const { _id } = created.get('grace')
    await event.change(`guests/${_id}.json`, { message: 'moved' })
    const { updated_at } = await event.read(`guests/${_id}.json`)
    expect(await list(`updated_since=${updated_at}`)).toEqual(['grace'])
    expect(await list(`updated_before=${updated_at}`)).toEqual(['no', 'VIP-7', 'alan', 'eloise', 'ada'])
    expect(await list(`updated_since=${at('alan')}&updated_before=${updated_at}`)).toEqual(['no', 'VIP-7', 'alan'])
  })

  test.each([
    ['lovelace', ['ada']],
    ['LOVE', ['ada']],
    ['lace', []],
    ['ada love', ['ada']],
    ['ada hopper', []],
    ['eloise', ['eloise']],
    ['angstrom', ['eloise']],
    ['ÅNGSTRÖM', ['eloise']],
    ['navy', ['alan', 'grace']],
    ['rear', ['grace']],
    ['elo@example.org', ['eloise']],
    ['example', ['eloise']],
    ['+44 20', ['alan']],
    ['4420794', ['alan']],
    ['vip-7', ['VIP-7']],
    ['', ['no', 'VIP-7', 'alan', 'eloise', 'grace', 'ada']],
    ['.*', []],
    ['^a', ['alan', 'eloise', 'grace', 'ada']],
    ['{"$gt":""}', []],
    ['status:accepted', ['VIP-7']],
    ['status:accepted,declined', ['no', 'VIP-7']],
    ['status:unheard-of', []],
    ['status:declined no', ['no']],
    ['company_name:navy', ['alan', 'grace']],
    ['company_name:"big corp"', ['VIP-7']],
    ['company_name:ada', []],
    ['position:ceo', ['eloise']],
    ['navy position:admiral', ['grace']],
    ['sort:lastname-asc', ['eloise', 'VIP-7', 'no', 'grace', 'ada', 'alan']],
    ['sort:lastname-desc', ['alan', 'ada', 'grace', 'no', 'VIP-7', 'eloise']],
    ['navy sort:lastname-asc', ['grace', 'alan']],
  ])('search=%s finds %j', async (query, uids) => {
    expect(await search(query)).toEqual(uids)
  })

  test('a guest whose code is the whole search comes first in any order, once, and the pages after it miss nobody', async () => {
    const other = await TestEvent.open(system)
    const category = await other.category()
    for (const uid of ['T1', 'T10', 'T11', 'T12', 't1x'])
      await other.guest(category, uid, { last_name: uid === 'T1' ? 'Zola' : `Name ${uid}` })
    const page = (number: number, per_page: number, search = 'T1') =>
      list(`search=${search}&sort=last_name&page=${number}&per_page=${per_page}`, other)
    const sorted = ['T1', 'T10', 'T11', 'T12', 't1x']
    expect(await page(1, 50)).toEqual(sorted)
    expect(await page(1, 50, 't1')).toEqual(sorted)
    expect(await page(1, 50, 'T')).toEqual(['T10', 'T11', 'T12', 't1x', 'T1'])
    for (const size of [1, 2]) {
      expect(await page(2, size)).toEqual(sorted.slice(size, 2 * size))
      const walked = []
      for (let number = 1; number <= 5; number++) walked.push(...(await page(number, size)))
      expect(walked).toEqual(sorted)
    }
  })

  test('a changed guest is found by its new words and not by its old ones', async () => {
    const { _id } = created.get('no')
    await event.change(`guests/${_id}.json`, { company_name: 'Spectre' })
    expect(await search('spectre')).toEqual(['no'])
    await event.change(`guests/${_id}.json`, { company_name: null })
    expect(await search('spectre')).toEqual([])
  })

  test('all filters can be combined', async () => {
    expect(await search('navy', `&category[]=${press}&since=${at('alan')}`)).toEqual(['alan'])
    expect(await search('navy', `&category[]=${crew}`)).toEqual([])
    expect(await list(`uid=ada&category[]=${press}`)).toEqual([])
    expect(
      await search(
        'ada',
        `&uid=ada&category[]=${crew}&since=${at('ada')}&before=${at('grace')}&updated_since=${at('ada')}&updated_before=${at('grace')}`,
      ),
    ).toEqual(['ada'])
  })

  test('guest_metadata=true works on the list too, as the other flags do', async () => {
    const flags = ['guest_metadata', 'qrcode_url', 'badges', 'files']
    const [plain] = await event.read('guests.json?uid=ada')
    expect(Object.keys(plain).filter((name) => flags.includes(name))).toEqual([])
    expect(await event.read(`guests.json?uid=ada&${flags.map((flag) => `${flag}=true`).join('&')}`)).toMatchObject([
      { guest_metadata: [], qrcode_url: expect.stringMatching(/\.png$/), badges: [], files: [] },
    ])
  })

  test('a page has 500 guests by default, and the list ends with an empty array, in JSON and XML', async () => {
    const large = await TestEvent.open(system)
    const guest_category_id = await large.category()
    const client = clientOf(system.bus, guests)
    for (const count of [250, 251]) {
      const body = Array.from({ length: count }, (_, n) => ({
        _id: crypto.randomUUID().replaceAll('-', '').slice(0, 24),
        uid: `guest-${count}-${n}`,
        guest_category_id,
      }))
      await client.create_many({ query: { event_id: large.id }, body: body as never })
    }
    const pages = [await list('', large), await list('page=2', large), await list('page=3', large)]
    expect(pages.map(({ length }) => length)).toEqual([500, 1, 0])
    expect(new Set(pages.flat()).size).toBe(501)
    expect((await large.api('GET', 'guests.xml?page=1')).text.match(/<guest><_id>/g)).toHaveLength(500)
    expect((await large.api('GET', 'guests.xml?page=3')).text).toMatch(/\n<guests type="array"\/>$/)
  })

  test('pages follow each other without gap or repetition until the empty one, with any filter', async () => {
    for (const query of ['', `category[]=${press}&`, 'search=sort:lastname-asc&', `updated_since=2001-01-01&`]) {
      const all = await list(query)
      const walked: string[] = []
      let page = 1
      while (true) {
        const part = await list(`${query}per_page=2&page=${page++}`)
        if (part.length === 0) break
        walked.push(...part)
      }
      expect(walked).toEqual(all)
      // The same without those before it.
      expect(await list(`${query}per_page=3&page=2`)).toEqual(all.slice(3, 6))
    }
  })

  test('a page asked for after a change is as it is now, not as it was', async () => {
    const moving = await TestEvent.open(system)
    const category = await moving.category()
    const guests = []
    for (const uid of ['1', '2', '3', '4', '5', '6']) guests.push(await moving.guest(category, uid))
    expect(await list('per_page=2', moving)).toEqual(['6', '5'])
    await moving.guest(category, '7')
    expect(await list('per_page=2&page=2', moving)).toEqual(['5', '4'])
    expect(await list('per_page=2&page=3', moving)).toEqual(['3', '2'])
    await moving.remove(`guests/${guests[5]}.json`)
    expect(await list('per_page=2&page=3', moving)).toEqual(['2', '1'])
  })

  test("another event's guests are never in it", async () => {
    const other = await TestEvent.open(system)
    for (const query of ['uid=ada', `category[]=${press}`, 'search=navy']) expect(await list(query, other)).toEqual([])
  })
})
