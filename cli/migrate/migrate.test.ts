// @module-tag slow

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { captured } from '../testing/captured-terminal.ts'
import { migrateInto } from '../testing/migrating.ts'
import type { MigrateOptions } from './command.ts'

const folder = await mkdtemp(join(tmpdir(), 'migrate-'))
let here: System

beforeAll(async () => {
  here = await startSystem({ with: ['partners', 'leads', 'promo'] })
})
afterAll(async () => {
  await here?.stop()
  await rm(folder, { recursive: true, force: true })
})

function run(from: string, token: string, options: Partial<MigrateOptions> = {}, stop = new AbortController().signal) {
  return migrateInto(here, { url: from, auth_token: token }, options, captured({ stop }))
}

describe('from another Gatehouse', () => {
  let there: System
  let event: TestEvent
  let door: string
  let exhibitors: string
  let ids: { ada: string; bob: string }

  beforeAll(async () => {
    there = await startSystem({ with: ['partners', 'leads', 'promo'] })
    event = await TestEvent.open(there, { title: 'Gala', start_date: '2027-05-04T18:00:00Z', timezone: 'Europe/Paris' })
    const category = await event.category('VIP')
    door = await event.point('Main entrance')
    await event.link(category, door, 1)
    await event.make('guest_fields.json', {
      key: 'diet',
      label: 'Diet',
      type: 'value_list',
      available_values: ['none'],
    })
    const metadata = [
      { name: 'diet', value: 'vegan' },
      { name: 'none', value: null },
    ]
    const ada = await event.guest(category, 'ada', {
      last_name: 'Lovelace',
      email: 'ada@example.org',
      guest_metadata: metadata,
    })
    const bob = await event.guest(category, 'bob', {
      last_name: 'Byron',
      rsvp_status: 'declined',
      access_privileges_attributes: [{ accesspoint_id: door, access_once: true }],
    })
    ids = { ada, bob }
    for (const uid of ['ada', 'ada', 'stranger']) await event.scan(door, uid)
    const points = { width: '100', height: '50', lines: [{ x1: '1', y1: '2', x2: '3', y2: '4', 'stroke-width': '2' }] }
    await event.make('promo_codes.json', { text: 'early', max_usage: 5, amount: 10 })
    const partner_id = (await event.make('partners.json', { name: 'Acme', recipients_quota: 5 }))._id
    const type = (await event.make('invitation_types.json', { name: 'Evening', guest_category_id: category }))._id
    await event.make(`invitation_types/${type}/partner_campaigns.json`, { partner_id, quota: 5 })
    const exhibitor = await event.make('exhibitors.json', { name: 'Stand 7', email: 'stand@example.org' })
    const leads = `devices/${exhibitor.access_token}/connections/batch_create.json`
    await there.api('POST', leads, [{ guest_uid: 'ada', author: 'Eve' }], { token: '' })
    exhibitors = `exhibitors/${exhibitor._id}/connections`
    await event.make('signatures.json', { accesspoint_id: door, guest_uid: 'ada', points })
  })
  afterAll(() => there?.stop())

  const PATHS = [
    ...[
      'guest_fields',
      'guest_categories',
      'accesspoints',
      'guest_category_accesspoints',
      'access_controls',
      'signatures',
    ],
    ...['guests', 'promo_codes', 'partners', 'invitation_types', 'exhibitors'],
  ]
  const shown = async (system: System, path: string): Promise<Answer['body']> => {
    const { body } = await system.api('GET', `events/${event.id}/${path}.json?guest_metadata=true`)
    return body
  }

  test('a plan says what would come, and stores nothing', async () => {
    const { code, out } = await run(there.url, there.auth_token, { plan: true })
    expect([code, out]).toEqual([0, expect.stringContaining(`Gala (${event.id}): 2 guests, 3 check-ins, 1 signature`)])
    expect((await here.api('GET', `events/${event.id}.json`)).status).toBe(404)
  })

  test('everything has its ids, uids and times here, and counts as there', async () => {
    expect(await run(there.url, there.auth_token)).toMatchObject({ code: 0 })
    const [own, other] = await Promise.all(
      [here, there].map(async (system) => (await system.api('GET', `events/${event.id}.json`)).body),
    )
    expect({ ...own, account_id: '' }).toEqual({ ...other, account_id: '' })
    const withoutLinks = ({ qrcode_url: _, ...item }: Answer['body']) => item
    for (const path of [...PATHS, exhibitors]) {
      const [mine, theirs] = await Promise.all([shown(here, path), shown(there, path)])
      expect([path, mine.map(withoutLinks)]).toEqual([path, theirs.map(withoutLinks)])
    }
    const { body: statistics } = await here.api('GET', `events/${event.id}/statistics.json`)
    expect(statistics).toMatchObject({ check_in_count: 3, checked_in_guest_count: 1 })
  })

  test('who has come in there is not let in twice here, and who has not is', async () => {
    const scan = async (guest_uid: string) => {
      const { body } = await here.api('POST', `events/${event.id}/access_controls.json`, {
        accesspoint_id: door,
        guest_uid,
      })
      return body.access_status
    }
    expect([await scan('ada'), await scan('bob'), await scan('bob')]).toEqual([3, 0, 3])
  })

  test('again, it takes nothing twice, keeps what was done here, and says what differs', async () => {
    const { code, err } = await run(there.url, there.auth_token)
    expect(code).toBe(1)
    // The scans here.
    expect(err).toContain(`access_controls of ${event.id}: 6 are here, 3 there`)
    await here.api('PUT', `events/${event.id}/guests/${ids.ada}.json`, { last_name: 'King' })
    const verified = await run(there.url, there.auth_token, { verify: true, event: [event.id] })
    expect(verified).toMatchObject({
      code: 1,
      err: expect.stringContaining(`guests ${ids.ada}: is here otherwise: updated_at, last_name`),
    })
    expect((await here.api('GET', `events/${event.id}/guests/${ids.ada}.json`)).body.last_name).toBe('King')
  })

  test('an event whose id another account has is an error that names it, and nothing of it is stored', async () => {
    const account = await here.account('other-migration')
    const { code, err } = await run(there.url, there.auth_token, { account: account.slug })
    expect([code, err]).toEqual([1, expect.stringMatching(new RegExp(`events ${event.id}: .*taken`))])
    expect((await here.api('GET', 'events.json', undefined, { token: account.auth_token })).body).toEqual([])
  })

  test('an event that the token does not reach, and a wrong token, are errors in words', async () => {
    await expect(run(there.url, there.auth_token, { event: ['f'.repeat(24)] })).rejects.toThrow('reaches no event ffff')
    await expect(run(there.url, 'wrong')).rejects.toThrow('refuses the token')
  })
})

describe('from a system that misbehaves', () => {
  const EVENT = 'a'.repeat(24)
  const [VIP, DOOR] = ['b'.repeat(24), 'c'.repeat(24)]
  const at = '2026-01-01T10:00:00+01:00'
  const guestOf = (number: number) => ({
    id: number.toString(16).padStart(24, '0'),
    guest_category_id: VIP,
    uid: number === 3 ? 700_003 : `g-${number}`,
    last_name: number % 2 === 0 ? null : `Guest\t${number}`,
    company_name: 'Works',
    email: number === 5 ? 'not an address' : null,
    phone_number: 33612345678,
    rsvp_status: 'maybe_later',
    guest_metadata: undefined,
    created_at: at,
    updated_at: '2026-01-01 10:00:00 +0100',
  })
  const guests = Array.from({ length: 407 }, (_, number) => guestOf(number + 1))
  const metadata = Array.from({ length: 272 }, (_, number) => ({
    name: `field ${number}`,
    value: number % 3 === 0 ? number : 'x'.repeat(70),
  }))
  const checkIns = guests.slice(0, 40).map(({ uid }, index) => ({
    _id: { $oid: `d${String(index).padStart(23, '0')}` },
    access_stamp: 1_767_258_000 + index,
    guest_uid: uid,
    access_status: index % 4,
    accesspoint_id: DOOR,
  }))

  /** Each first request fails in another way; pages are of 100, and beyond the last leads the first one. */
  async function start(): Promise<{ url: string; asked: string[]; most: () => number }> {
    const asked: string[] = []
    const failed = new Set<string>()
    let [running, most] = [0, 0]
    const lists: Record<string, unknown> = {
      events: [
        {
          id: EVENT,
          title: null,
          locale: null,
          guest_count: guests.length,
          check_in_count: 40,
          start_date: at,
          created_at: at,
        },
      ],
      [`events/${EVENT}/guest_fields`]: {
        guest_fields: [{ id: 'e'.repeat(24), key: 'diet', label: null, type: 'unheard_of', use_in_export: 'true' }],
      },
      [`events/${EVENT}/guest_categories`]: [{ _id: VIP, name: 'VIP', badge_enabled: null }],
      [`events/${EVENT}/accesspoints`]: [{ _id: DOOR, name: null }],
      [`events/${EVENT}/guest_category_accesspoints`]: [
        { id: '1'.repeat(24), guest_category_id: VIP, accesspoint_id: DOOR, max_allowed_accesses: '1' },
        { id: '2'.repeat(24), guest_category_id: 'another', accesspoint_id: DOOR, max_allowed_accesses: 1 },
      ],
    }
    lists[`events/${EVENT}/promo_codes`] = [{ _id: '3'.repeat(24), text: 'early', max_usage: 3, times_used: 2 }]
    const campaign = { _id: '4'.repeat(24), invitation_type_id: '5'.repeat(24), quota: 10, nb_email_sent: 4 }
    const partner = { _id: '6'.repeat(24), name: 'Acme', uid: null, recipients_quota: 5, nb_recipients: 4 }
    lists[`events/${EVENT}/partners`] = [{ ...partner, partner_campaigns: [campaign] }]
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      const url = new URL(request.url ?? '', 'http://localhost')
      const path = url.pathname.replace('/api/v1/', '').replace('.json', '')
      asked.push(path)
      const json = (body: unknown) => response.end(JSON.stringify(body))
      if (url.searchParams.get('auth_token') !== 'secret') return void response.writeHead(403).end()
      if (path === `events/${EVENT}`) return void json((lists.events as object[])[0])
      const [, one] = /guests\/(\w+)$/.exec(path) ?? []
      if (one) return void json({ ...guests.find(({ id }) => id === one), guest_metadata: metadata })
      const key = `${path} ${url.searchParams.get('page')}`
      if (!failed.has(key) && failed.add(key)) {
        const ways = [
          () => response.writeHead(429, { 'retry-after': '0' }).end(),
          () => response.writeHead(503).end('<html>'),
          () => response.end('[{"_id": "cut'),
          () => response.destroy(),
        ]
        return void ways[failed.size % ways.length]?.()
      }
      const all = path.endsWith('guests') ? guests : path.endsWith('access_controls') ? checkIns : undefined
      if (!all) return void json(lists[path] ?? [])
      const page = Number(url.searchParams.get('page') ?? 0)
      const from = (page - 1) * 100
      if (page === 0 || from >= all.length)
        return void response.writeHead(302, { location: `${url.pathname}?page=1` }).end()
      // What was created meanwhile moves the last of a page to the next.
      json(all.slice(Math.max(0, from - 1), from + 100))
    }
    const server = createServer((request, response) => {
      most = Math.max(most, ++running)
      response.on('close', () => running--)
      setImmediate(answer, request, response)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    onTestFinished(() => void server.close())
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, most: () => most }
  }

  test('all that can be taken comes, and what cannot is named', async () => {
    const source = await start()
    const report = join(folder, 'report.jsonl')
    const { code, err } = await run(source.url, 'secret', { report })
    expect(err).not.toContain('secret')
    expect([code, err.match(/^ {2}guests.*$/m)?.[0]]).toEqual([
      0,
      '  guests                       407 new, 4 here already',
    ])
    expect(await readFile(report, 'utf8')).toBe('')
    const { body: event } = await here.api('GET', `events/${EVENT}.json`)
    expect(event).toMatchObject({
      title: 'Untitled',
      guest_count: 407,
      check_in_count: 40,
      created_at: '2026-01-01T09:00:00.000Z',
    })
    const { body: guest } = await here.api('GET', `events/${EVENT}/guests/${guestOf(5).id}.json?guest_metadata=true`)
    expect(guest).toMatchObject({
      ...{ last_name: 'Guest 5', phone_number: '33612345678', email: 'not an address', rsvp_status: 'not_replied' },
      updated_at: '2026-01-01T09:00:00.000Z',
    })
    expect([guest.guest_metadata.length, guest.guest_metadata[3].value]).toEqual([272, '3'])
    expect(source.most()).toBeLessThanOrEqual(3)
  })

  test('uses of discount codes there count here, and e-mails of campaigns', async () => {
    const use = async (uid: string) => {
      const guest = { guest_category_id: VIP, uid, last_name: 'Byron', promo_code: 'EARLY' }
      return (await here.api('POST', `events/${EVENT}/guests.json`, guest)).status
    }
    expect([await use('first'), await use('second')]).toEqual([201, 422])
    const code = await here.api('GET', `events/${EVENT}/promo_codes/${'3'.repeat(24)}.json`)
    expect(code.body).toMatchObject({ text: 'EARLY', times_used: 3, max_usage: 3 })
    const { body: partner } = await here.api('GET', `events/${EVENT}/partners/${'6'.repeat(24)}.json`)
    expect(partner.partner_campaigns).toMatchObject([{ quota: 10, nb_email_sent: 4 }])
    const type = `events/${EVENT}/invitation_types/${'5'.repeat(24)}.json`
    expect((await here.api('GET', type)).body).toMatchObject({ name: `Invitation ${'5'.repeat(24)}` })
  })

  test('stopped and killed at any request, it ends the same in the end', async () => {
    const source = await start()
    for (const requests of [1, 9, 120, 320]) {
      const stop = new AbortController()
      const watching = setInterval(() => source.asked.length >= requests && stop.abort(), 1)
      const { code } = await run(source.url, 'secret', {}, stop.signal)
      clearInterval(watching)
      expect(code).toBe(130)
    }
    // The guest of the test before, who used a code.
    const { code, err } = await run(source.url, 'secret', { verify: true })
    expect([code, err.match(/^guests.*$/gm)]).toEqual([1, [`guests of ${EVENT}: 408 are here, 407 there`]])
  })
})
