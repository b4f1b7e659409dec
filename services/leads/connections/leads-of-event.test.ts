import { OwnDatabase } from '@gatehouse/test/harness/own-database.ts'
import { planOf } from '@gatehouse/test/harness/query-plans.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { cases, deep } from '@gatehouse/test/rounds.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { BY_CREATION, BY_EXHIBITOR, BY_RATING } from './indexes.ts'
import { type LeadFilter, LeadPages } from './pages.ts'
import { LeadStore, leadId, type StoredLead } from './store.ts'

const FIRST = 1_700_000_000_000
const SECOND = 1_000

describe('pages of the leads of an event', () => {
  const database = new OwnDatabase()
  const pages = new LeadPages(database.db)
  const store = new LeadStore(database.db)

  /** The lead with a number; of three, two were made at the same time. */
  function leadOf(n: number, event_id = 'event'): StoredLead {
    const at = new Date(FIRST + Math.floor(n / 1.5) * SECOND)
    const [exhibitor_id, guest_uid] = [`${event_id} stand ${n % 3}`, `uid ${n}`]
    return {
      ...{ _id: leadId(exhibitor_id, guest_uid), event_id, exhibitor_id, guest_uid, guest_id: `guest ${n % 50}` },
      ...{ author: n % 7 ? 'Ann' : 'Bob (50%)', comments: n % 11 ? [] : ['Call back', { text: 'call' }] },
      ...(n % 4 && { note: n % 5 ? null : 'Call in May', rating: n % 6 || null, revision: 1 }),
      ...{ created_at: at, updated_at: at },
    }
  }
  const all = Array.from({ length: 400 }, (_, n) => leadOf(n))

  beforeAll(async () => {
    await store.prepare()
    for (const event of ['event', 'other'])
      for (let stand = 0; stand < 3; stand++)
        await store.insertMissing(all.map((_, n) => leadOf(n, event)).filter((_, n) => n % 3 === stand))
  })

  /** The ids that a filter lets through, newest first. */
  function expected({ exhibitor_id, rating, search, since, before }: LeadFilter): string[] {
    const text = search?.text.toLowerCase() ?? ''
    return all
      .filter((each) => exhibitor_id === undefined || each.exhibitor_id === exhibitor_id)
      .filter((each) => rating === undefined || each.rating === rating)
      .filter(({ created_at }) => (!since || created_at >= since) && (!before || created_at < before))
      .filter(({ note, author, comments = [], guest_uid, guest_id }) => {
        const texts = [note, author, guest_uid, ...comments].filter((each) => typeof each === 'string')
        return texts.some((each) => each.toLowerCase().includes(text)) || search?.guest_ids.includes(guest_id)
      })
      .sort((one, other) => Number(other.created_at) - Number(one.created_at) || (one._id < other._id ? 1 : -1))
      .map(({ _id }) => _id)
  }

  test('each page of any combination of filters is exact', async () => {
    const moment = fc.integer({ min: -10, max: 280 }).map((seconds) => new Date(FIRST + seconds * SECOND))
    const search = fc.record({
      text: fc.constantFrom('call', 'CALL BACK', 'bob (50%)', '.*', 'uid 39', 'May'),
      guest_ids: fc.subarray(['guest 7', 'guest 12', 'nobody']),
    })
    const filters = fc.record(
      {
        exhibitor_id: fc.constantFrom('event stand 0', 'event stand 2', 'other stand 1'),
        rating: fc.integer({ min: 1, max: 5 }),
        search,
        since: moment,
        before: moment,
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 40 }), async (...given) => {
        const [filter, page, per_page] = given
        const found = await pages.page('event', filter, { page, per_page })
        expect(found.map(({ _id }) => _id)).toEqual(expected(filter).slice((page - 1) * per_page, page * per_page))
      }),
      cases(40, 400),
    )
  })

  test.each([
    ['without a filter', {}, BY_CREATION],
    ['of an exhibitor', { exhibitor_id: 'event stand 1' }, BY_EXHIBITOR],
    ['with a rating', { rating: 5 }, BY_RATING],
    ['since a time', { since: new Date(FIRST), before: new Date(FIRST + 200 * SECOND) }, BY_CREATION],
  ] as const)('%s are found and ordered by an index, and no others are read', async (_, filter, index) => {
    const [, queries] = await database.queriesOf(() => pages.page('event', filter, { page: 1, per_page: 20 }))
    const plan = await planOf(database.db, queries[0] ?? {})
    expect(plan).toEqual({ indexes: [index], sorts: false, read: 20 })
  })

  test('in which a text is looked for are read in the order of the list, until the page is full', async () => {
    const search = { text: 'ann', guest_ids: [] }
    const [, queries] = await database.queriesOf(() => pages.page('event', { search }, { page: 1, per_page: 20 }))
    const plan = await planOf(database.db, queries[0] ?? {})
    expect([plan.indexes, plan.sorts]).toEqual([[BY_CREATION], false])
    expect(plan.read).toBeLessThan(30)
  })

  test('are counted for all exhibitors, and for one, by an index', async () => {
    const [counts, queries] = await database.queriesOf(() => store.counts('event'))
    expect(counts).toEqual(
      new Map([
        ['event stand 0', 134],
        ['event stand 1', 133],
        ['event stand 2', 133],
      ]),
    )
    expect(await store.count('event', 'event stand 0')).toBe(134)
    expect(await planOf(database.db, queries[0] ?? {})).toMatchObject({ indexes: [BY_EXHIBITOR], sorts: false })
  })
})

describe('the list of the leads of an event (docs/interface.md 13.14)', async () => {
  const system = await sharedSystem()
  let own: TestEvent
  const stands: Record<string, { _id: string; access_token: string }> = {}

  /** Has a stand scan a guest, whom it rates. */
  async function scan(stand: string, guest_uid: string, rating: number | null = null, note: string | null = null) {
    const { access_token = '' } = stands[stand] ?? {}
    const of = `devices/${access_token}/connections`
    const { body } = await system.api('POST', `${of}/batch_create.json`, [{ guest_uid, author: 'Ann' }], { token: '' })
    if (rating || note) await system.api('PUT', `${of}/${guest_uid}.json`, { rating, note }, { token: '' })
    return body[0]
  }

  beforeAll(async () => {
    own = await TestEvent.open(system)
    const category = await own.category()
    await own.guest(category, 'ada', { first_name: 'Ada', last_name: 'Lovelace' })
    await own.guest(category, 'bob', { last_name: 'Byron' })
    await own.guest(category, 'cy', { last_name: 'Clement' })
    for (const name of ['Acme', '=Engines']) stands[name] = await own.make('exhibitors.json', { name })
    await scan('Acme', 'ada', 5, 'Wants a larger one')
    await scan('=Engines', 'ada')
    await scan('Acme', 'bob', 2)
    await scan('=Engines', 'cy', 5)
  })

  const found = async (query: string): Promise<string[]> => {
    const leads: { exhibitor_id: string; guest_uid: string }[] = await own.read(`connections.json?${query}`)
    const nameOf = (id: string) => Object.keys(stands).find((name) => stands[name]?._id === id)
    return leads.map(({ exhibitor_id, guest_uid }) => `${nameOf(exhibitor_id)} ${guest_uid}`)
  }

  test('is newest first; exhibitor, rating, text and time hold together, and a text finds guests by name too', async () => {
    const [latest] = await own.read('connections.json?per_page=1')
    for (const [query, expected] of [
      ['', ['=Engines cy', 'Acme bob', '=Engines ada', 'Acme ada']],
      [`exhibitor_id=${stands.Acme?._id}`, ['Acme bob', 'Acme ada']],
      ['rating=5', ['=Engines cy', 'Acme ada']],
      ['search=LARGER', ['Acme ada']],
      ['search=love', ['=Engines ada', 'Acme ada']],
      ['search=%20', ['=Engines cy', 'Acme bob', '=Engines ada', 'Acme ada']],
      [`search=lovelace&exhibitor_id=${stands.Acme?._id}&rating=5&since=2020-01-01`, ['Acme ada']],
      [`since=${latest.created_at}`, ['=Engines cy']],
      [`before=${latest.created_at}&rating=5`, ['Acme ada']],
      ['per_page=3&page=2', ['Acme ada']],
      [`exhibitor_id=${'0'.repeat(24)}`, []],
    ] as const)
      expect([query, await found(query)]).toEqual([query, expected])
    const xml = await own.api('GET', 'connections.xml?rating=2')
    expect([xml.status, xml.text.match(/<connection>/g)?.length]).toEqual([200, 1])
  })

  test('names what a filter cannot be: 422', async () => {
    for (const [name, value] of [
      ['rating', '6'],
      ['rating', 'good'],
      ['since', 'yesterday'],
      ['search', 'x'.repeat(501)],
    ]) {
      const { status, body } = await own.api('GET', `connections.json?${name}=${value}`)
      expect([status, Object.keys(body.errors)]).toEqual([422, [name]])
    }
  })

  test('comes as CSV by the same filters, with the exhibitor, and what exhibitors see of the guests', async () => {
    const { text, headers } = await own.api('GET', 'connections.csv?rating=5')
    expect(headers.get('content-disposition')).toContain('leads.csv')
    const [header, ...lines] = text.trim().split('\n')
    expect(header).toBe(
      '_id,guest_uid,author,created_at,updated_at,comments,email,first_name,last_name,company_name,uid,lead_note,lead_rating,exhibitor_name,exhibitor_id',
    )
    expect(lines.map((line) => line.split(',').slice(6))).toEqual([
      ['', '', 'Clement', '', 'cy', '', '5', "'=Engines", stands['=Engines']?._id],
      ['', 'Ada', 'Lovelace', '', 'ada', 'Wants a larger one', '5', 'Acme', stands.Acme?._id],
    ])
  })

  test('has only the event’s own leads, and one lead is read by its _id in its event alone', async () => {
    const theirs = await TestEvent.open(system)
    expect(await theirs.read('connections.json')).toEqual([])
    const [lead] = await own.read('connections.json?rating=2')
    expect(await own.read(`connections/${lead._id}.json`)).toEqual(lead)
    expect((await theirs.api('GET', `connections/${lead._id}.json`)).status).toBe(404)
    expect((await own.api('GET', `connections/${'0'.repeat(24)}.json`)).status).toBe(404)
  })

  test('is counted beside each exhibitor, in the list and at the exhibitor', async () => {
    await own.make('exhibitors.json', { name: 'Nobody' })
    const list: { name: string; lead_count: number }[] = await own.read('exhibitors.json')
    expect(list.map(({ name, lead_count }) => [name, lead_count])).toEqual([
      ['Acme', 2],
      ['=Engines', 2],
      ['Nobody', 0],
    ])
    expect(await own.read(`exhibitors/${stands.Acme?._id}.json`)).toMatchObject({ lead_count: 2 })
  })
})

describe('an event with 100,000 leads', () => {
  const { db } = new OwnDatabase()
  const pages = new LeadPages(db)

  test('answers a search for a text that no lead has within the deadline, three at once', deep, async () => {
    await new LeadStore(db).prepare()
    const at = (n: number) => new Date(FIRST + n * SECOND)
    for (let from = 0; from < 100_000; from += 5_000)
      await db.collection<StoredLead>('leads').insertMany(
        Array.from({ length: 5_000 }, (_, index): StoredLead => {
          const n = from + index
          const ids = { _id: `lead ${n}`, event_id: 'event', exhibitor_id: `stand ${n % 300}`, guest_uid: `uid ${n}` }
          const texts = { guest_id: `guest ${n}`, author: 'Ann', note: 'Wants to be called in May. '.repeat(5) }
          return { ...ids, ...texts, rating: 1 + (n % 5), created_at: at(n), updated_at: at(n) }
        }),
      )
    const guest_ids = Array.from({ length: 1_000 }, (_, n) => `nobody ${n}`)
    const begun = performance.now()
    const searches = ['zebra', 'quagga', 'okapi'].map((text) =>
      pages.page('event', { search: { text, guest_ids } }, { page: 1, per_page: 100 }),
    )
    expect((await Promise.all(searches)).flat()).toEqual([])
    expect(performance.now() - begun).toBeLessThan(5_000)
  })
})
