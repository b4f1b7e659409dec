import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedSystem } from './harness/shared-system.ts'
import { type Answer, type System, startSystem } from './harness/system.ts'
import { TestEvent } from './harness/test-event.ts'
import { slow } from './rounds.ts'

const XML = { 'content-type': 'application/xml; charset=utf-8' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
/** Of JSON that is called a form: it has the limit of JSON (docs/interface.md 1.12). */
const CALLED_A_FORM = { ...FORM }
const PROBLEM = { accept: 'application/problem+json' }
const MIB = 1024 * 1024

describe('limits of a request', () => {
  let system: System
  let testEvent: TestEvent
  let point: string
  let secret: string

  beforeAll(async () => {
    system = await sharedSystem()
    testEvent = await TestEvent.open(system)
    point = await testEvent.point()
    secret = (await testEvent.make('exhibitors.json', { name: 'Acme' })).access_token
  })

  describe('a body larger than its action takes is 413 and stores nothing', () => {
    const KIB = 1024
    /** Bodies of exactly `size` bytes. */
    const json = (size: number): string => `{"name":"Large"${' '.repeat(size - 16)}}`
    const xml = (size: number): string => `<accesspoint><name>Large</name>${' '.repeat(size - 45)}</accesspoint>`
    const form = (size: number): string => `name=Large&x=${'x'.repeat(size - 13)}`

    test.each([
      ['JSON', json, {}],
      ['XML', xml, XML],
      ['a form', form, FORM],
    ])('%s: 256 KiB unless declared', async (_name, make, headers) => {
      const before = (await testEvent.read('accesspoints.json')).length
      const [fits, exceeds] = [make(256 * KIB), make(256 * KIB + 1)]
      expect(Buffer.byteLength(exceeds)).toBe(256 * KIB + 1)
      const tooLarge = await testEvent.api('POST', 'accesspoints.json', exceeds, { headers })
      expect([tooLarge.status, tooLarge.body]).toEqual([413, { error: 'The body is larger than 256 KiB' }])
      expect((await testEvent.read('accesspoints.json')).length).toBe(before)
      const justFits = await testEvent.api('POST', 'accesspoints.json', fits, { headers })
      expect(justFits.status, justFits.text.slice(0, 200)).toBe(201)
    })

    test.each([
      ['POST events/:event/access_controls/batch_create', 10 * MIB, '10 MiB', {}],
      ['POST events/:event/signatures/batch_create', 10 * MIB, '10 MiB', {}],
      ['POST events/:event/guest_fields/batch_create', 10 * MIB, '10 MiB', {}],
      ['POST events/:event/guests/batch_create', 10 * MIB, '10 MiB', {}],
      ['POST events/:event/signatures', 2 * MIB, '2 MiB', {}],
      ['POST events/:event/access_controls/batch_create', MIB, '1 MiB', FORM],
      ['POST events/:event/access_controls/batch_create', 10 * MIB, '10 MiB', CALLED_A_FORM],
      ['POST devices/:secret/connections/batch_create', MIB, '1 MiB', {}],
      ['PUT events/:event/exhibitors/:secret/activate_license', 4 * KIB, '4 KiB', {}],
    ])('%s takes %i bytes', slow, async (route, size, words, headers) => {
      const [method = '', path = ''] = route.replace(':event', testEvent.id).replace(':secret', secret).split(' ')
      // What begins like JSON would be read as JSON, in a form too.
      const [first, status] = headers === FORM ? ['x', 422] : ['[', 400]
      const send = (bytes: number): Promise<Answer> =>
        system.api(method, `${path}.json`, `${first}${' '.repeat(bytes - 1)}`, { headers })
      const tooLarge = await send(size + 1)
      expect([tooLarge.status, tooLarge.body]).toEqual([413, { error: `The body is larger than ${words}` }])
      // A body that just fits is read, and is not a valid list.
      const fits = await send(size)
      expect(fits.status, fits.text).toBe(status)
    })

    test('also without a Content-Length', async () => {
      const chunk = new TextEncoder().encode(' '.repeat(64 * KIB))
      let sent = 0
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => (sent++ < 12 ? controller.enqueue(chunk) : controller.close()),
      })
      const address = `${system.url}/api/v1/events/${testEvent.id}/accesspoints.xml?auth_token=${system.auth_token}`
      const answer = await fetch(address, { method: 'POST', body, headers: XML, duplex: 'half' } as RequestInit)
      expect(answer.status).toBe(413)
      expect(await answer.text()).toContain('<errors><error>The body is larger than 256 KiB</error></errors>')
    })

    test('as a problem for clients that accept problems', async () => {
      const answer = await testEvent.api('POST', 'accesspoints.json', json(MIB), { headers: PROBLEM })
      expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
      expect(answer.body).toMatchObject({ status: 413, title: 'Payload Too Large', type: 'about:blank' })
    })
  })

  describe('a batch of more than 10,000 items is 413 and stores nothing', () => {
    const items = (count: number, item: string): string => Array.from({ length: count }, () => item).join('')
    const batches: [string, string, string][] = [
      ['access_controls', 'access-controls', 'access_controls'],
      ['signatures', 'signatures', 'signatures'],
      ['guest_fields', 'guest-fields', 'guest_fields'],
      ['guests', 'guests', 'guests'],
    ]

    test.each(batches)('%s', slow, async (path, root, key) => {
      const list = items(10_001, '{},').slice(0, -1)
      const many = items(10_001, '<a/>')
      const before = await testEvent.read(`${path}.json`)
      for (const answer of [
        await testEvent.api('POST', `${path}/batch_create.json`, `[${list}]`),
        await testEvent.api('POST', `${path}/batch_create.json`, `{"${key}":[${list}]}`),
        await testEvent.xml('POST', `${path}/batch_create.xml`, `<${root} type="array">${many}</${root}>`),
      ]) {
        expect(answer.status).toBe(413)
        expect(answer.text).toContain('A batch may have at most 10000 items')
      }
      expect(await testEvent.read(`${path}.json`)).toEqual(before)
      // One item less is accepted and validated.
      const judged = await testEvent.api('POST', `${path}/batch_create.json`, `[${items(10_000, '{},').slice(0, -1)}]`)
      expect([judged.status, judged.body.length]).toEqual([422, 10_000])
    })
  })

  test('a body of millions of mistakes is answered within the deadline', slow, async () => {
    const lines = `[${'{},'.repeat(5_000)}{}]`
    const body = `{"accesspoint_id":"${point}","guest_uid":"ada","points":{"width":1,"height":1,"lines":${lines}}}`
    const answer = await testEvent.api('POST', 'signatures.json', body)
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        errors: {
          'points.lines': ['has too many entries (maximum is 5000)'],
          guest_uid: ['is not a guest of the event'],
        },
      },
    ])
    const batch = Array.from({ length: 200 }, () => `{"points":{"lines":${lines}}}`).join(',')
    const judged = await testEvent.api('POST', 'signatures/batch_create.json', `[${batch}]`)
    expect([judged.status, judged.body.length]).toEqual([422, 200])
    expect((await testEvent.api('GET', 'signatures.json')).status).toBe(200)
  })
})

describe('limits a minute', () => {
  const BYTES = 8_000
  let system: System
  beforeAll(async () => {
    system = await startSystem({
      gateways: 2,
      gateway: {
        rate_limits: 'on',
        trust_proxy: 'true',
        rate_limit_per_token: 5,
        rate_limit_per_account: 12,
        rate_limit_per_stranger: 30,
        rate_limit_bytes_per_token: BYTES,
        rate_limit_bytes_per_account: 3 * BYTES,
      },
    })
  })
  afterAll(() => system?.stop())

  async function issued(): Promise<string> {
    // Each token has an account of its own, so that no test counts against another.
    const { auth_token: token } = await system.account(`a${crypto.randomUUID().slice(0, 8)}`)
    return token
  }

  const me = (token: string, path = 'me.json', headers: Record<string, string> = {}): Promise<Answer> =>
    system.api('GET', path, undefined, { token, headers })

  function rates({ headers }: Answer): (string | null)[] {
    return ['ratelimit-limit', 'ratelimit-remaining'].map((name) => headers.get(name))
  }

  /** Checks a 429, whose Retry-After is in whole seconds within the minute. */
  function expectTooMany(answer: Answer): void {
    expect(answer.status).toBe(429)
    const wait = Number(answer.headers.get('retry-after'))
    expect(Number.isInteger(wait) && wait >= 1 && wait <= 60, String(wait)).toBe(true)
    expect(rates(answer)[1]).toBe('0')
    expect(Number(answer.headers.get('ratelimit-reset'))).toBe(wait)
  }

  test('of one token: each answer gives the remaining requests, and more get 429 in every format', slow, async () => {
    const token = await issued()
    for (let left = 4; left >= 0; left--) {
      const answer = await me(token, left % 2 ? 'me.json' : 'me.xml')
      expect(answer.status).toBe(200)
      expect(rates(answer)).toEqual(['5', String(left)])
      expect(Number(answer.headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60)
      expect(answer.headers.get('retry-after')).toBeNull()
    }
    const json = await me(token)
    expectTooMany(json)
    expect(json.body).toEqual({ error: 'Too many requests' })
    const xml = await me(token, 'me.xml')
    expectTooMany(xml)
    expect(xml.text).toContain('<errors><error>Too many requests</error></errors>')
    const problem = await me(token, 'me.json', PROBLEM)
    expectTooMany(problem)
    expect(problem.body).toMatchObject({ status: 429, title: 'Too Many Requests' })
    // The same token in a header counts as the same.
    const bearer = await system.api('GET', 'me.json', undefined, {
      token: '',
      headers: { authorization: `Bearer ${token}` },
    })
    expectTooMany(bearer)
  })

  test('RateLimit and RateLimit-Policy name each limit that counts, on 429 the one that was exceeded', async () => {
    const token = await issued()
    const named = ({ headers }: Answer): (string | null)[] =>
      ['ratelimit-policy', 'ratelimit'].map((name) => headers.get(name))
    // The minute of an address, a token or an account begins with its first request.
    const window = expect.stringMatching(/t=(60|59)\b/)
    expect(named(await me(token))).toEqual(['"door";q=5;w=60, "door-account";q=12;w=60', window])
    const list = (headers: Record<string, string> = {}) =>
      system.api('GET', 'tokens.json', undefined, { token, headers })
    const first = named(await list())
    expect(first[0]).toBe('"token";q=5;w=60, "account";q=12;w=60')
    expect(first[1]).toMatch(/^"token";r=4;t=\d+, "account";r=11;t=\d+$/)
    for (let n = 0; n < 4; n++) expect((await list()).status).toBe(200)
    const beyond = await list(PROBLEM)
    expectTooMany(beyond)
    expect(named(beyond)).toEqual(['"token";q=5;w=60', expect.stringMatching(/^"token";r=0;t=\d+$/)])
  })

  test('the door has a budget of its own: a token and an account at their limits by lists still scan', async () => {
    const account = await system.account('busy-lists')
    const made = async (scope: string): Promise<string> =>
      (await system.api('POST', 'tokens.json', { name: scope, scope }, { token: account.auth_token })).body.token
    const [door, reader] = [await made('door'), await made('read')]
    const body = { title: 'Fair', account_id: account.account_id }
    const event = (await system.api('POST', 'events.json', body, { token: account.auth_token })).body._id
    const list = (token: string): Promise<Answer> =>
      system.api('GET', `events/${event}/guests.json`, undefined, { token })
    // Three of the account's 12 requests made what is used here.
    for (const token of [account.auth_token, reader]) for (let n = 0; n < 6; n++) await list(token)
    expectTooMany(await list(reader))
    expectTooMany(await list(account.auth_token))
    const scan = { accesspoint_id: event, guest_uid: 'ada' }
    for (const token of [door, account.auth_token]) {
      const answer = await system.api('POST', `events/${event}/access_controls.json`, scan, { token })
      // There is no such check-in point.
      expect([answer.status, ...rates(answer)]).toEqual([422, '5', '4'])
    }
    // A door token's lists are for the door too.
    const lists = await list(door)
    expect([lists.status, ...rates(lists)]).toEqual([200, '5', '3'])
  })

  test('another token has its own limit', async () => {
    expect(rates(await me(await issued()))).toEqual(['5', '4'])
  })

  test('refused requests count too, and requests beyond the limit do nothing', async () => {
    const account = await system.account('counted')
    const send = (body: object) => system.api('POST', 'events.json', body, { token: account.auth_token })
    for (let n = 0; n < 5; n++) expect((await send({})).status).toBe(422)
    expectTooMany(await send({ title: 'Too late', account_id: account.account_id }))
    const elsewhere = { token: account.auth_token, base: system.urls[1] as string }
    expect((await system.api('GET', 'events.json', undefined, elsewhere)).body).toEqual([])
  })

  test('of one address with invalid tokens: guesses get 429, while valid tokens work, new ones too', slow, async () => {
    const known = await issued()
    expect((await me(known)).status).toBe(200)
    let answer = await me('gh_guess')
    for (let n = 0; n < 100 && answer.status === 403; n++) answer = await me(`gh_guess_${n}`)
    expectTooMany(answer)
    expect(answer.headers.get('ratelimit-limit')).toBe('30')
    expect((await me(known)).status).toBe(200)
    // Devices at the same address, whose tokens this gateway has not cached.
    const devices = await Promise.all(Array.from({ length: 20 }, () => issued()))
    const first = await Promise.all(devices.map((token) => me(token)))
    expect(first.map(({ status }) => status)).toEqual(devices.map(() => 200))
  })

  test('the first requests of a new token do not count as guesses, however many are simultaneous', async () => {
    const base = system.urls[1] as string
    const tokens = await Promise.all(Array.from({ length: 10 }, () => issued()))
    const answers = await Promise.all(
      tokens.flatMap((token) =>
        Array.from({ length: 5 }, () => system.api('GET', 'me.json', undefined, { token, base })),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    // 50 are more guesses than an address may make.
    expect((await system.api('GET', 'me.json', undefined, { token: 'gh_guess', base })).status).toBe(403)
  })

  test('of one address with sessions of the console that nobody has: guesses get 429, also at its pages', async () => {
    const base = system.urls[1] as string
    const guess = (cookie: string) => fetch(`${base}/console/session.json`, { headers: { cookie } })
    // Who is not signed in guesses nothing.
    for (let n = 0; n < 40; n++) expect((await guess('other=1')).status).toBe(401)
    let answer = await guess('console=gh_console_guess')
    for (let n = 0; n < 100 && answer.status === 401; n++) answer = await guess(`console=gh_console_${n}`)
    expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([429, '30'])
  })

  test('of all tokens of one account: more requests get 429, and another account works', async () => {
    const { auth_token } = await system.account('many-tokens')
    const tokens = [auth_token]
    for (let n = 0; n < 3; n++) {
      const made = await system.api('POST', 'tokens.json', { name: 'one', scope: 'read' }, { token: auth_token })
      expect(made.status, made.text).toBe(201)
      tokens.push(made.body.token)
    }
    // Each token by itself may send five.
    for (const token of [...tokens, ...tokens, ...tokens]) expect((await me(token)).status).toBe(200)
    const beyond = await me(tokens[3] as string)
    expectTooMany(beyond)
    expect(beyond.headers.get('ratelimit-limit')).toBe('12')
    expect((await me(await issued())).status).toBe(200)
  })

  /** Sends a body of all the bytes that a token may send in a minute. */
  const sendLarge = (token: string, headers: Record<string, string> = {}): Promise<Answer> =>
    system.api('POST', 'events.json', `{${' '.repeat(BYTES - 2)}}`, { token, headers })

  test('of the bytes of bodies of one token: more get 429 with that limit, and requests without a body work', async () => {
    const token = await issued()
    const first = await sendLarge(token)
    expect([first.status, ...rates(first)]).toEqual([422, '5', '4'])
    const beyond = await sendLarge(token)
    expectTooMany(beyond)
    expect(beyond.body).toEqual({ error: 'Too many bytes of bodies this minute' })
    expect(beyond.headers.get('ratelimit-limit')).toBe(String(BYTES))
    const problem = await sendLarge(token, PROBLEM)
    expectTooMany(problem)
    expect(problem.body).toMatchObject({ status: 429, detail: 'Too many bytes of bodies this minute' })
    expect(rates(await me(token, 'tokens.json'))).toEqual(['5', '1'])
  })

  test('of the bytes of bodies of all tokens of one account: more get 429, and another account works', async () => {
    const { auth_token } = await system.account('many-bytes')
    const tokens = [auth_token]
    for (let n = 0; n < 3; n++) {
      const made = await system.api('POST', 'tokens.json', { name: 'one', scope: 'admin' }, { token: auth_token })
      expect(made.status, made.text).toBe(201)
      tokens.push(made.body.token)
    }
    for (const token of tokens.slice(0, 3)) expect((await sendLarge(token)).status).toBe(422)
    const beyond = await sendLarge(tokens[3] as string)
    expectTooMany(beyond)
    expect(beyond.headers.get('ratelimit-limit')).toBe(String(3 * BYTES))
    expect((await sendLarge(await issued())).status).toBe(422)
  })

  test('a known token does not count as a guess again after a revocation invalidated the cache', slow, async () => {
    const base = system.urls[1] as string
    const holders = await Promise.all(Array.from({ length: 25 }, () => issued()))
    // An address that has not guessed yet.
    const headers = { 'x-forwarded-for': '192.0.2.7' }
    const use = (token: string) => system.api('GET', 'me.json', undefined, { token, base, headers })
    for (const token of holders) expect((await use(token)).status).toBe(200)
    const [revoked, ...others] = holders as [string, ...string[]]
    const { body } = await use(revoked)
    expect(
      (await system.api('DELETE', `tokens/${body.token_id}.json`, undefined, { token: revoked, base })).status,
    ).toBe(204)
    // Its limit leaves three more tries.
    await expect.poll(async () => (await use(revoked)).status, { interval: 1_000 }).toBe(403)
    for (const token of others) expect((await use(token)).status).toBe(200)
    // The revoked token counts as a guess from now on.
    let answer = await use(revoked)
    for (let n = 0; n < 100 && answer.status === 403; n++) answer = await use(revoked)
    expectTooMany(answer)
  })
})

describe('errors on a path with a secret', () => {
  let system: System
  let testEvent: TestEvent
  beforeAll(async () => {
    const gateway = { rate_limits: 'on', rate_limit_per_stranger: 10 } as const
    system = await startSystem({ with: ['leads'], gateway })
    testEvent = await TestEvent.open(system)
  })
  afterAll(() => system?.stop())

  const exhibitor = async (): Promise<string> =>
    (await testEvent.make('exhibitors.json', { name: 'Acme' })).access_token
  const send = async (secret: string, body: string, type = 'application/json'): Promise<number> => {
    const headers = { 'content-type': type }
    const path = `${system.url}/api/v1/devices/${secret}/connections/batch_create.json`
    return (await fetch(path, { method: 'POST', headers, body })).status
  }

  test(
    'count against a known secret, whatever their kind; another secret of the same address works',
    slow,
    async () => {
      const [wrong, right] = [await exhibitor(), await exhibitor()]
      const statuses = [
        await send(wrong, '{'),
        await send(wrong, '[]', 'text/plain'),
        await send(wrong, `[${'x'.repeat(2 * MIB)}`),
        await send(wrong, '{"a":1}'),
      ]
      expect(statuses).toEqual([400, 415, 413, 422])
      for (let n = 0; n < 6; n++) expect(await send(wrong, '{')).toBe(400)
      expect(await send(wrong, '{')).toBe(429)
      expect(await send(wrong, '[]')).toBe(429)
      expect(await send(right, '[]')).toBe(201)
    },
  )

  test('count against the address if the secret is unknown', async () => {
    for (let n = 0; n < 10; n++) expect(await send(`junk${n}`, '{')).toBe(401)
    expect(await send('junk', '{')).toBe(429)
    const good = await exhibitor()
    expect(await send(good, '[]')).toBe(201)
    // A known secret works however many guesses follow, also where the handler checks it.
    const category = await testEvent.category()
    await testEvent.make('guests.json', { guest_category_id: category, uid: 'ada', last_name: 'Lovelace' })
    const read = async (secret: string): Promise<number> =>
      (await fetch(`${system.url}/api/v1/lead_guests/ada.json?access_token=${secret}`)).status
    for (let n = 0; n < 20; n++) expect(await read(`junk${n}`)).toBe(429)
    expect(await read(good)).toBe(200)
  })

  test('count against the address if the code of a device is wrong, while a right one is exchanged', async () => {
    const { code } = await testEvent.make('devices.json', { name: 'Phone' })
    const exchange = async (given: string): Promise<number> =>
      (await system.api('POST', `device_codes/${given}/exchange.json`, undefined, { token: '' })).status
    const wrong = []
    for (let n = 0; n < 11; n++) wrong.push(await exchange(`wrong${n}`))
    expect(wrong.at(-1)).toBe(429)
    expect(await exchange(code)).toBe(201)
  })
})

describe('RATE_LIMITS=off', () => {
  test('counts nothing and sends no headers', slow, async () => {
    const system = await startSystem({
      gateway: { rate_limits: 'off', rate_limit_per_token: 1, rate_limit_per_stranger: 1 },
    })
    try {
      for (let n = 0; n < 5; n++) {
        const answer = await system.api('GET', 'me.json')
        expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([200, null])
        expect((await system.api('GET', 'me.json', undefined, { token: `gh_${n}` })).status).toBe(403)
      }
    } finally {
      await system.stop()
    }
  })
})
