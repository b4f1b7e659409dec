import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe('lead guests', () => {
  let system: System
  let testEvent: TestEvent
  let category: string
  let token: string

  beforeAll(async () => {
    system = await sharedSystem()
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
    token = (await testEvent.make('exhibitors.json', { name: 'Acme' })).access_token
    await testEvent.guest(category, 'ada', {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.org',
      company_name: 'Engines & co',
      position: 'Countess',
      phone_number: '+33 1',
      message: 'secret message',
      guest_metadata: [
        ['Diet', 'none'],
        ['1st choice', '<b>&"'],
        ['a b', 'x'],
        ['é', 'y'],
        ['__proto__', 'z'],
      ].map(([name, value]) => ({ name, value })),
    })
  })
  afterAll(() => system?.stop())

  const read = (uid: string, suffix = '.json', access_token = token): Promise<Answer> =>
    system.api('GET', `lead_guests/${encodeURIComponent(uid)}${suffix}?access_token=${access_token}`, undefined, {
      token: '',
    })
  const whitelist = (lead_guest_fields: string[]): Promise<Answer> =>
    system.api('PUT', `events/${testEvent.id}.json`, { lead_guest_fields })

  test('hold five fields by default, and no others', async () => {
    const { status, body } = await read('ada')
    expect(status).toBe(200)
    expect(body).toEqual({
      email: 'ada@example.org',
      first_name: 'Ada',
      last_name: 'Lovelace',
      company_name: 'Engines & co',
      uid: 'ada',
    })
    const xml = await read('ada', '.xml')
    expect(xml.text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<lead-guest><email>ada@example.org</email><first-name>Ada</first-name><last-name>Lovelace</last-name><company-name>Engines &amp; co</company-name><uid>ada</uid></lead-guest>',
    )
  })

  test('hold the whitelisted fields as soon as the whitelist is answered: own fields and metadata, or null', async () => {
    await testEvent.guest(category, 'bare', { last_name: 'Bare' })
    for (const fields of [['position', 'phone_number', 'Diet'], ['uid'], [], ['last_name', 'nothing']]) {
      expect((await whitelist(fields)).status).toBe(204)
      const { body } = await read('ada')
      expect(Object.keys(body)).toEqual(fields)
    }
    expect((await read('bare')).body).toEqual({ last_name: 'Bare', nothing: null })
    expect((await read('bare', '.xml')).text).toMatch(/<last-name>Bare<\/last-name><nothing nil="true"\/>/)
    await whitelist([])
    expect((await read('ada', '.xml')).text).toMatch(/<lead-guest\/>$/)
  })

  test('never hold fields that are not for exhibitors, whatever the whitelist says', async () => {
    await whitelist(['message', '_id', 'guest_category_id', 'badge_url', 'guest_metadata', 'constructor', 'toString'])
    const { body, text } = await read('ada')
    expect(Object.values(body)).toEqual(Array(7).fill(null))
    expect(text).not.toContain('secret')
  })

  test('names that no XML element can have are entries', async () => {
    await whitelist(['1st choice', 'a b', 'é', '__proto__', '<x>', 'xml:lang', 'uid'])
    const json = await read('ada')
    expect(json.text).toBe(
      '{"1st choice":"<b>&\\"","a b":"x","é":"y","__proto__":"z","<x>":null,"xml:lang":null,"uid":"ada"}',
    )
    const xml = await read('ada', '.xml')
    expect(xml.text).toMatch(
      /<lead-guest><entry key="1st choice">&lt;b&gt;&amp;&quot;<\/entry><entry key="a b">x<\/entry><entry key="é">y<\/entry><entry key="__proto__">z<\/entry><entry key="&lt;x&gt;" nil="true"\/><entry key="xml:lang" nil="true"\/><uid>ada<\/uid><\/lead-guest>$/,
    )
  })

  test('an unknown uid is 404, and so is a guest of another event; a uid may be anything', async () => {
    const other = await TestEvent.open(system)
    await other.guest(await other.category(), 'foreign')
    await whitelist(['uid'])
    for (const uid of ['nobody', 'foreign', 'no body', 'x'.repeat(300), '$gt', '../ada', 'ada.json']) {
      const [json, xml] = [await read(uid), await read(uid, '.xml')]
      expect([uid, json.status, xml.status]).toEqual([uid, 404, 404])
      expect(xml.text).toContain('<errors><error>')
    }
    for (const uid of ['a/b', 'dot.ted', 'é ü', '%41']) {
      await testEvent.guest(category, uid)
      expect((await read(uid)).body).toEqual({ uid })
    }
  })

  test('a wrong access token is 401 for known and unknown uids, in JSON and XML', async () => {
    for (const wrong of ['', 'gh_exhibitor_wrong', `${token}x`, token.slice(-43), system.auth_token]) {
      for (const uid of ['ada', 'nobody']) {
        expect((await read(uid, '.json', wrong)).status).toBe(401)
        expect((await read(uid, '.xml', wrong)).status).toBe(401)
      }
    }
    expect((await system.api('GET', 'lead_guests/ada.json', undefined, { token: '' })).status).toBe(401)
    expect((await system.api('GET', 'lead_guests/ada.json')).status).toBe(401)
  })

  test('can be read without /api/v1, and while the event lets no exhibitor create leads', async () => {
    await whitelist(['uid'])
    const bare = await system.api('GET', `../../lead_guests/ada.json?access_token=${token}`, undefined, { token: '' })
    expect([bare.status, bare.body]).toEqual([200, { uid: 'ada' }])
    await system.api('PUT', `events/${testEvent.id}.json`, { network_enabled: false })
    expect((await read('ada')).status).toBe(200)
    await system.api('PUT', `events/${testEvent.id}.json`, { network_enabled: true })
  })

  test('a change or deletion of the guest is seen at once', async () => {
    await whitelist(['last_name'])
    const id = await testEvent.guest(category, 'brief', { last_name: 'Old' })
    await testEvent.change(`guests/${id}.json`, { last_name: 'New' })
    expect((await read('brief')).body).toEqual({ last_name: 'New' })
    await testEvent.remove(`guests/${id}.json`)
    expect((await read('brief')).status).toBe(404)
  })
})

describe('who guesses uids or access tokens', () => {
  let system: System

  beforeAll(async () => {
    system = await startSystem({ with: ['leads'], gateway: { rate_limits: 'on', rate_limit_per_stranger: 10 } })
  })
  afterAll(() => system?.stop())

  /** Reads guests by one access token. */
  const reader =
    (access_token: string) =>
    (uid: string): Promise<Answer> =>
      system.api('GET', `lead_guests/${uid}.json?access_token=${access_token}`, undefined, { token: '' })

  test('is refused soon, and an exhibitor at the same address is not: 429 with Retry-After', slow, async () => {
    const testEvent = await TestEvent.open(system)
    const made = async (): Promise<string> => (await testEvent.make('exhibitors.json', { name: 'Acme' })).access_token
    const [guesser, honest, stranger] = [reader(await made()), reader(await made()), reader('gh_exhibitor_wrong')]
    await testEvent.guest(await testEvent.category(), 'ada')
    for (let n = 0; n < 30; n++) expect((await guesser('ada')).status).toBe(200)
    for (let n = 0; n < 11; n++) expect((await guesser(`guess-${n}`)).status).toBe(n < 10 ? 404 : 429)
    for (let n = 0; n < 11; n++) expect((await stranger('ada')).status).toBe(n < 10 ? 401 : 429)
    for (const refused of [await guesser('ada'), await stranger('ada')])
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await honest('ada')).status).toBe(200)
  })
})
