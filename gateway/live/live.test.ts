import { once } from 'node:events'
import { connect } from 'node:net'
import { LiveClient as Client, type SseEvent } from '@gatehouse/test/harness/live-client.ts'
import { type System, startSystem, type TestAccount } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { rounds, slow } from '@gatehouse/test/rounds.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

describe('live feeds', () => {
  let system: System
  let other: TestAccount
  let testEvent: TestEvent
  let point: string
  const clients: Client[] = []

  beforeAll(async () => {
    system = await startSystem({ with: ['hooks'], gateways: 2, gateway: { live_feeds_per_token: 5 } })
    other = await system.account('other')
    testEvent = await TestEvent.open(system)
    point = await testEvent.point()
  })
  afterEach(() => {
    for (const client of clients.splice(0)) client.close()
  })
  afterAll(() => system?.stop())

  const pathOf = (token: string, query = '', gateway = 0) =>
    `${system.urls[gateway]}/api/v1/events/${testEvent.id}/live?auth_token=${token}${query}`

  async function open(query = '', { headers = {}, gateway = 0, token = system.auth_token } = {}): Promise<Client> {
    const client = await Client.open(pathOf(token, query, gateway), headers)
    clients.push(client)
    return client
  }

  const ids = (client: Client): string[] => client.happened.map(({ data }) => data.data._id)

  test('show changes as they happen, in the form of the API, to all clients of all gateways', async () => {
    const listening = [await open(), await open(), await open('', { gateway: 1 })]
    const scanned = await testEvent.scan(point, 'nobody')
    const category = await testEvent.category()
    const guest = await testEvent.make('guests.json', { guest_category_id: category, uid: 'ada' })
    for (const client of listening) {
      await client.until(() => client.happened.length >= 2)
      const [first] = client.happened.filter(({ event }) => event === 'check_in.created')
      expect(first?.data).toEqual({
        type: 'check_in.created',
        timestamp: expect.any(String),
        event_id: testEvent.id,
        data: scanned,
      })
      expect(client.happened.find(({ event }) => event === 'guest.created')?.data.data._id).toBe(guest._id)
      expect(client.happened.length).toBe(2)
    }
  })

  test('show a check-in that is deleted, as it was', async () => {
    const scanned = await testEvent.scan(point, 'nobody')
    const client = await open()
    await testEvent.remove(`access_controls/${scanned._id}.json`)
    await client.until(() => client.happened.some(({ event }) => event === 'check_in.deleted'))
    const deleted = client.happened.find(({ event }) => event === 'check_in.deleted')
    expect(deleted?.data).toMatchObject({ type: 'check_in.deleted', event_id: testEvent.id, data: scanned })
  })

  test('have both spellings of the path, and take the token as a header', async () => {
    const client = await Client.open(`${system.url}/api/v1/${testEvent.id}/live`, {
      authorization: `Bearer ${system.auth_token}`,
    })
    clients.push(client)
  })

  test('are neither cached nor sniffed: no-store and nosniff', async () => {
    const answer = await fetch(pathOf(system.auth_token))
    await answer.body?.cancel()
    const headers = ['content-type', 'cache-control', 'x-content-type-options'].map((name) => answer.headers.get(name))
    expect([answer.status, ...headers]).toEqual([200, 'text/event-stream; charset=utf-8', 'no-store', 'nosniff'])
  })

  test('show nothing of other events', async () => {
    const client = await open()
    const elsewhere = await TestEvent.open(system)
    await elsewhere.scan(await elsewhere.point(), 'nobody')
    const here = await testEvent.scan(point, 'nobody')
    await client.until(() => client.happened.length > 0)
    expect(ids(client)).toEqual([here._id])
  })

  test('continue after Last-Event-ID without gap or duplicate, also at another gateway and before the first message', async () => {
    const first = await open()
    const position = first.lastId as string
    first.close()
    const missed = []
    for (let count = 0; count < 5; count++) missed.push((await testEvent.scan(point, `missed-${count}`))._id)
    const second = await open('', { headers: { 'last-event-id': position }, gateway: 1 })
    await second.until(() => second.happened.length >= 5)
    // In the order in which they were published.
    expect(ids(second).toSorted()).toEqual(missed.toSorted())
    const middle = second.happened[2]?.id as string
    const third = await open(`&last_event_id=${middle}`)
    const next = (await testEvent.scan(point, 'next'))._id
    await third.until(() => third.happened.length >= 3)
    expect(ids(third)).toEqual([...ids(second).slice(3, 5), next])
  })

  test('continue within a message that several check-ins share, as those of a batch do', async () => {
    const first = await open()
    const items = Array.from({ length: 10 }, (_, index) => ({ accesspoint_id: point, guest_uid: `together-${index}` }))
    await testEvent.make('access_controls/batch_create.json', items)
    await first.until(() => first.happened.length >= 10)
    expect(new Set(first.happened.map(({ id }) => id)).size).toBe(10)
    for (const place of [0, 4, 9]) {
      const again = await open(`&last_event_id=${first.happened[place]?.id}`)
      await again.until(() => again.happened.length >= 9 - place)
      expect(ids(again)).toEqual(ids(first).slice(place + 1))
    }
  })

  test('show a scan once that is sent again', async () => {
    const client = await open()
    const access_stamp = new Date().toISOString()
    const items = Array.from({ length: 3 }, (_, index) => ({
      accesspoint_id: point,
      guest_uid: `again-${index}`,
      access_stamp,
    }))
    const answers = []
    for (let sent = 0; sent < 3; sent++) answers.push(await testEvent.make('access_controls/batch_create.json', items))
    expect(answers[2]).toEqual(answers[0])
    const later = await testEvent.scan(point, 'after-again')
    const wanted = [...answers[0].map(({ _id }: { _id: string }) => _id), later._id]
    await client.until(() => wanted.every((id) => ids(client).includes(id)))
    // What was published until now comes before the next check-in.
    wanted.push((await testEvent.scan(point, 'after-later'))._id)
    await client.until(() => ids(client).includes(wanted.at(-1)))
    expect(ids(client).toSorted()).toEqual(wanted.toSorted())
  })

  test('under load, clients that come and go see each check-in once', slow, async () => {
    const start = await open()
    const seen: SseEvent[] = []
    let last = start.lastId as string
    let scanning = true
    const scans: string[] = []
    const scanner = (async () => {
      for (let count = 0; count < 40; count++) {
        const items = Array.from({ length: 10 }, (_, index) => ({
          accesspoint_id: point,
          guest_uid: `load-${count}-${index}`,
        }))
        const batch = await testEvent.make('access_controls/batch_create.json', items)
        scans.push(...batch.map(({ _id }: { _id: string }) => _id))
      }
      scanning = false
    })()
    while (scanning || seen.length < 400) {
      const client = await open('', { headers: { 'last-event-id': last }, gateway: seen.length % 2 })
      await new Promise((resolve) => setTimeout(resolve, 150))
      client.close()
      seen.push(...client.happened)
      last = seen.at(-1)?.id ?? last
    }
    await scanner
    expect(new Set(seen.map(({ data }) => data.data._id)).size).toBe(seen.length)
    expect(seen.map(({ data }) => data.data._id).toSorted()).toEqual(scans.toSorted())
  })

  test('send reset if the stream no longer holds the id', async () => {
    const client = await open('&last_event_id=999999999')
    expect(client.events[0]?.event).toBe('reset')
  })

  test('add statistics on request, at most once a second', slow, async () => {
    const client = await open('&statistics=true')
    const without = await open()
    const statistics = () => client.events.filter(({ event }) => event === 'statistics')
    await client.until(() => statistics().length === 1)
    const before = statistics()[0]?.data.check_in_count
    const started = performance.now()
    for (let count = 0; count < 30; count++) await testEvent.scan(point, `counted-${count}`)
    await client.until(() => statistics().at(-1)?.data.check_in_count === before + 30)
    const seconds = (performance.now() - started) / 1_000
    expect(statistics().length).toBeLessThanOrEqual(seconds + 2)
    expect(statistics().at(-1)?.data).toEqual(await testEvent.read('statistics.json'))
    expect(without.events.some(({ event }) => event === 'statistics')).toBe(false)
  })

  test('send statistics when they change, also by changes that are not published, and only then', slow, async () => {
    const own = await TestEvent.open(system)
    const door = await own.point()
    const scanned = await own.scan(door, 'ada')
    await own.guest(await own.category(), 'ada')
    const url = `${system.url}/api/v1/events/${own.id}/live?auth_token=${system.auth_token}&statistics=true`
    const [client, later] = [await Client.open(url), await Client.open(url)]
    clients.push(client, later)
    const statistics = ({ events }: Client) => events.filter(({ event }) => event === 'statistics')
    const latest = () => statistics(client).at(-1)?.data
    const changes: (() => Promise<unknown>)[] = [
      () => own.remove(`access_controls/${scanned._id}.json`),
      () =>
        own.make('signatures.json', {
          accesspoint_id: door,
          guest_uid: 'ada',
          points: { width: '1', height: '1', lines: [] },
        }),
      () => own.category('Press'),
    ]
    for (const change of changes) {
      await change()
      const now = await own.read('statistics.json')
      await client.until(() => JSON.stringify(latest()) === JSON.stringify(now))
    }
    expect(latest()).toMatchObject({ check_in_count: 0, signature_count: 1 })
    expect(latest().by_guest_category.length).toBe(2)
    // A new listener causes a new request for them.
    const last = await Client.open(url)
    clients.push(last)
    await last.until(() => statistics(last).length > 0)
    for (const each of [client, later]) {
      const texts = statistics(each).map(({ data }) => JSON.stringify(data))
      expect(texts).toEqual(texts.filter((text, index) => text !== texts[index - 1]))
    }
  })

  test('are for reading tokens of the account: 403 and 404 otherwise; an id of another form is 422', async () => {
    const statusOf = async (token: string, query = '') => {
      const response = await fetch(pathOf(token, query))
      await response.body?.cancel()
      return response.status
    }
    const door = await system.api('POST', 'tokens.json', { name: 'door', scope: 'door' })
    expect(await statusOf('')).toBe(403)
    expect(await statusOf('gh_wrong')).toBe(403)
    expect(await statusOf(door.body.token)).toBe(403)
    expect(await statusOf(other.auth_token)).toBe(404)
    expect(await statusOf(system.auth_token, '&last_event_id=abc')).toBe(422)
    expect(await statusOf(system.auth_token, '&statistics=perhaps')).toBe(422)
  })

  test('a revoked token ends its feeds, and no others', async () => {
    const issued = await system.api('POST', 'tokens.json', { name: 'screen', scope: 'read' })
    const theirs = await open('', { token: issued.body.token })
    const mine = await open()
    expect((await system.api('DELETE', `tokens/${issued.body._id}.json`)).status).toBe(204)
    await theirs.until(() => theirs.ended)
    await testEvent.scan(point, 'nobody')
    await mine.until(() => mine.happened.length > 0)
  })

  test('a token has a limited number at once: 429 beyond it, until one ends', async () => {
    const issued = await system.api('POST', 'tokens.json', { name: 'screens', scope: 'read' })
    const token = issued.body.token
    const many = await Promise.all(Array.from({ length: 5 }, () => open('', { token })))
    const refused = await fetch(pathOf(token))
    const headers = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining'].map((name) => refused.headers.get(name))
    expect([refused.status, ...headers]).toEqual([429, '1', '5', '0'])
    many[0]?.close()
    const again = async () => {
      const answer = await fetch(pathOf(token))
      await answer.body?.cancel()
      return answer.status
    }
    await expect.poll(again).toBe(200)
  })

  test('an account and a gateway have a limited number at once: 429 and 503 beyond them', slow, async () => {
    const own = await startSystem({
      with: ['hooks'],
      gateway: { live_feeds_per_token: 1, live_feeds_per_account: 2, live_feeds: 3 },
    })
    const tokenOf = async (account: TestAccount): Promise<string> => {
      const { auth_token: token } = account
      return (await own.api('POST', 'tokens.json', { name: 'screen', scope: 'read' }, { token })).body.token
    }
    const eventOf = async ({ account_id, auth_token: token }: TestAccount): Promise<string> =>
      (await own.api('POST', 'events.json', { title: 'Fair', account_id }, { token })).body._id
    const accounts = [await own.account('one'), await own.account('two'), await own.account('three')] as const
    const [one, two, three] = [await eventOf(accounts[0]), await eventOf(accounts[1]), await eventOf(accounts[2])]
    const pathOf = (event: string, token: string) => `${own.url}/api/v1/events/${event}/live?auth_token=${token}`
    const refusal = async (event: string, token: string) => {
      const answer = await fetch(pathOf(event, token))
      const { error } = (await answer.json()) as { error: string }
      return [answer.status, answer.headers.get('retry-after'), error]
    }
    for (let n = 0; n < 2; n++) clients.push(await Client.open(pathOf(one, await tokenOf(accounts[0]))))
    expect(await refusal(one, accounts[0].auth_token)).toEqual([429, '1', 'An account may have 2 live feeds at once'])
    clients.push(await Client.open(pathOf(two, accounts[1].auth_token)))
    expect(await refusal(two, accounts[1].auth_token)).toEqual([429, '1', 'A token may have 1 live feeds at once'])
    expect(await refusal(three, accounts[2].auth_token)).toEqual([503, '1', 'Too many live feeds; try again later'])
    clients[0]?.close()
    clients.push(await Client.open(pathOf(three, accounts[2].auth_token)))
    await own.stop()
  })

  test('a client that leaves at any moment, also with feeds behind others in its connection, is no longer counted', async () => {
    const { body } = await system.api('POST', 'tokens.json', { name: 'screens', scope: 'read' })
    const { hostname, port } = new URL(system.url)
    const request = `GET /api/v1/events/${testEvent.id}/live?auth_token=${body.token} HTTP/1.1\r\nhost: x\r\n\r\n`
    for (let n = 0; n < rounds(20, 200); n++) {
      const leaving = connect(Number(port), hostname)
      leaving.on('error', () => {})
      await once(leaving, 'connect')
      leaving.write(request.repeat(4))
      if (n % 4 === 0) await once(leaving, 'data')
      else for (let turn = 0; turn < n % 10; turn++) await new Promise(setImmediate)
      leaving.destroy()
    }
    const open5 = async () => {
      const opened = await Promise.all(Array.from({ length: 5 }, () => fetch(pathOf(body.token))))
      for (const answer of opened) await answer.body?.cancel()
      return opened.map(({ status }) => status)
    }
    await expect.poll(open5).toEqual([200, 200, 200, 200, 200])
  })

  test('a client that does not read is cut off', slow, async () => {
    const other = await open()
    const { hostname, port } = new URL(system.url)
    const deaf = connect(Number(port), hostname)
    await once(deaf, 'connect')
    const request = `GET /api/v1/events/${testEvent.id}/live?auth_token=${system.auth_token} HTTP/1.1\r\nhost: x\r\n\r\n`
    deaf.write(request)
    const [head] = await once(deaf, 'data')
    deaf.pause()
    expect(String(head)).toContain('200 OK')
    const category = await testEvent.category()
    const guest_metadata = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [index, 'x'.repeat(9_800)]))
    const make = () =>
      testEvent.make('guests.json', { guest_category_id: category, company_name: 'Large', guest_metadata })
    // More than fits into the buffers of the sockets.
    for (let round = 0; round < 15; round++) await Promise.all(Array.from({ length: 20 }, make))
    // By now a reading client has received everything.
    await other.until(() => other.happened.length >= 15 * 20)
    const ended = once(deaf, 'close')
    deaf.on('error', () => {})
    deaf.resume()
    await ended
  })

  test('are 503 with Retry-After while the hooks service is away', slow, async () => {
    const own = await startSystem()
    const event = await TestEvent.open(own)
    const answer = await event.api('GET', 'live')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    await own.stop()
  })

  test('end cleanly when the gateway stops', slow, async () => {
    const own = await startSystem({ with: ['hooks'] })
    const event = await TestEvent.open(own)
    const client = await Client.open(`${own.url}/api/v1/events/${event.id}/live?auth_token=${own.auth_token}`)
    await own.stop()
    await client.until(() => client.ended)
  })
})
