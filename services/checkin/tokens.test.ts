import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { TestAccount } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const system = await sharedSystem()

const POINTS = { width: '1', height: '1', lines: [] }

describe('tokens at the door', () => {
  let testEvent: TestEvent
  let category: string
  let point: string
  let link: string
  let other: TestAccount
  const tokens: Record<string, string> = {}

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
    const elsewhere = await TestEvent.open(system)
    category = await testEvent.category()
    point = await testEvent.point()
    link = await testEvent.link(category, point)
    await testEvent.guest(category, 'ada')
    other = await system.account('second')
    const issued = {
      door: { scope: 'door' },
      read: { scope: 'read' },
      boundHere: { scope: 'door', event_id: testEvent.id },
      boundElsewhere: { scope: 'door', event_id: elsewhere.id },
      adminElsewhere: { scope: 'admin', event_id: elsewhere.id },
    }
    for (const [name, body] of Object.entries(issued)) {
      const answer = await system.api('POST', 'tokens.json', { name, ...body })
      expect(answer.status, answer.text).toBe(201)
      tokens[name] = answer.body.token
    }
    tokens.stranger = other.auth_token
    tokens.wrong = 'no-such-token'
    tokens.none = ''
  })

  type Request = [method: string, path: string, body?: unknown]

  const scan = (): object => ({ accesspoint_id: point, guest_uid: 'ada' })
  const reading = (): Request[] => [
    ['GET', 'accesspoints.json'],
    ['GET', `accesspoints/${point}.json`],
    ['GET', 'guest_category_accesspoints.json'],
    ['GET', 'access_controls.json'],
    ['GET', 'signatures.json'],
  ]
  const atTheDoor = (): Request[] => [
    ['POST', 'access_controls.json', scan()],
    ['POST', 'access_controls/batch_create.json', [scan()]],
    ['POST', 'signatures.json', { ...scan(), points: POINTS }],
    ['POST', 'signatures/batch_create.json', [{ ...scan(), points: POINTS }]],
  ]
  const organising = (): Request[] => [
    ['POST', 'accesspoints.json', { name: 'New' }],
    ['PUT', `accesspoints/${point}.json`, { name: 'Door' }],
    ['DELETE', `accesspoints/${'0'.repeat(24)}.json`],
    ['POST', 'guest_category_accesspoints.json', { guest_category_id: category, accesspoint_id: point }],
    ['PUT', `guest_category_accesspoints/${link}.json`, { max_allowed_accesses: -1 }],
    ['DELETE', `guest_category_accesspoints/${'0'.repeat(24)}.json`],
    ['DELETE', `access_controls/${'0'.repeat(24)}.json`],
  ]

  /** The statuses of requests made with a token, in both spellings. */
  async function statuses(token: string, requests: Request[]): Promise<Record<string, number[]>> {
    const found: Record<string, number[]> = {}
    for (const [method, path, body] of requests) {
      const [long, short] = [
        await testEvent.api(method, path, body, { token }),
        await testEvent.short(method, path, body, { token }),
      ]
      found[`${method} ${path}`] = [long.status, short.status]
    }
    return found
  }

  const all = (requests: Request[], status: number): Record<string, number[]> =>
    Object.fromEntries(requests.map(([method, path]) => [`${method} ${path}`, [status, status]]))

  test.for(['door', 'boundHere'])('a %s token reads, scans and signs, and may not change the event', async (name) => {
    const token = tokens[name] as string
    expect(await statuses(token, reading())).toEqual(all(reading(), 200))
    expect(await statuses(token, atTheDoor())).toEqual(all(atTheDoor(), 201))
    expect(await statuses(token, organising())).toEqual(all(organising(), 403))
  })

  test('a read token only reads', async () => {
    const token = tokens.read as string
    expect(await statuses(token, reading())).toEqual(all(reading(), 200))
    expect(await statuses(token, [...atTheDoor(), ...organising()])).toEqual(
      all([...atTheDoor(), ...organising()], 403),
    )
  })

  test.for(['boundElsewhere', 'adminElsewhere', 'wrong', 'none'])(
    'a token bound to another event, a wrong token and no token get 403: %s',
    async (name) => {
      const requests = [...reading(), ...atTheDoor(), ...organising()]
      expect(await statuses(tokens[name] as string, requests)).toEqual(all(requests, 403))
    },
  )

  test('the event of another account is 404 for all', async () => {
    const requests = [...reading(), ...atTheDoor(), ...organising()]
    expect(await statuses(tokens.stranger as string, requests)).toEqual(all(requests, 404))
  })

  test('refused requests store nothing', async () => {
    const own = await TestEvent.open(system)
    const door = await own.point()
    for (const name of ['read', 'boundHere', 'wrong', 'none', 'stranger']) {
      const token = tokens[name] as string
      await own.api('POST', 'access_controls.json', { accesspoint_id: door, guest_uid: 'ada' }, { token })
      await own.api('POST', 'accesspoints.json', { name: 'Mine' }, { token })
    }
    expect(await own.read('access_controls.json')).toEqual([])
    expect(await own.read('accesspoints.json')).toHaveLength(1)
  })

  test('a token works as Authorization: Bearer too', async () => {
    const headers = { authorization: `Bearer ${tokens.door}` }
    expect((await testEvent.api('POST', 'access_controls.json', scan(), { token: '', headers })).status).toBe(201)
  })

  test('a path without a suffix or with another one is 406', async () => {
    for (const path of ['accesspoints', 'access_controls.yaml', 'signatures.csv']) {
      expect((await testEvent.api('GET', path)).status).toBe(406)
    }
  })
})
