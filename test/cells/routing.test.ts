// @module-tag slow

import { TestCampaign } from '@gatehouse/partners/test-campaign'
import { deliveryReport } from '@gatehouse/partners/test-reports'
import { sendAll } from '@gatehouse/partners/test-sending'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, apiOf } from '../harness/api.ts'
import { BrowserSession } from '../harness/browser-session.ts'
import { LiveClient } from '../harness/live-client.ts'
import { SsoSite } from '../harness/sso-site.ts'
import { TestEvent } from '../harness/test-event.ts'
import { startTwoCells, type TwoCells } from './two-cells.ts'

const SECRET = 'secret-of-the-mail-server'

describe('any gateway answers for the accounts of all cells (docs/adr/0022)', () => {
  let cells: TwoCells
  let event: TestEvent
  /** The account of the west, at the gateway of the east. */
  let abroad: Api
  beforeAll(async () => {
    cells = await startTwoCells({ with: ['hooks', 'leads', 'partners'], partners: { mail_events_dsn_secret: SECRET } })
    const { east, west } = cells
    abroad = apiOf(east.url, west.auth_token)
    event = await TestEvent.open({ ...west, api: abroad })
  })
  afterAll(() => cells?.stop())
  /** A browser that opens addresses of the west at the gateway of the east: both have one public address. */
  const browserAbroad = (): BrowserSession => {
    const { east, west } = cells
    return new BrowserSession(west.url, {}, (url) => url.replace(west.url, east.url))
  }

  test('what is created through the gateway of another cell is in the cell of the account alone', async () => {
    const path = `events/${event.id}.json`
    expect((await abroad('GET', path)).body).toMatchObject({ _id: event.id, account_id: cells.west.account_id })
    expect((await cells.west.api('GET', path)).status).toBe(200)
    expect((await cells.east.api('GET', path)).status).toBe(404)
    expect((await cells.east.api('GET', 'events.json')).body).toEqual([])
    expect((await abroad('GET', 'events.json')).body).toHaveLength(1)
  })

  test('a guest is let in once, through whichever gateway', async () => {
    const point = await event.point()
    const category = await event.category()
    await event.link(category, point, 1)
    await event.guest(category, 'ada1815')
    expect(await event.scan(point, 'ada1815')).toMatchObject({ access_status: 0 })
    const scan = { accesspoint_id: point, guest_uid: 'ada1815' }
    const again = await cells.west.api('POST', `events/${event.id}/access_controls.json`, scan)
    expect(again.body).toMatchObject({ access_status: 3 })
  })

  test('a live feed shows what happens in the cell of the account, and goes on after a position', async () => {
    const point = await event.point()
    const path = `${cells.east.url}/api/v1/events/${event.id}/live?auth_token=${cells.west.auth_token}`
    const idsOf = ({ happened }: LiveClient): string[] => happened.map(({ data }) => data.data._id)
    const client = await LiveClient.open(path)
    const first = await event.scan(point, 'nobody')
    await client.until(() => client.happened.length > 0)
    expect(idsOf(client)).toEqual([first._id])
    const id = client.happened.at(-1)?.id
    client.close()
    const second = await event.scan(point, 'nobody else')
    const again = await LiveClient.open(`${path}&last_event_id=${id}`)
    await again.until(() => again.happened.length > 0)
    expect(idsOf(again)).toEqual([second._id])
    again.close()
  })

  test('a registration page of another cell is shown, and whoever registers there is its guest', async () => {
    const settings = { name: 'Public', registration_enabled: true, registration_confirms_email: false }
    const { _id } = await event.make('guest_categories.json', settings)
    const page = `${cells.east.url}/register/${event.id}/${_id}`
    expect((await fetch(page)).status).toBe(200)
    const body = new URLSearchParams({ email: 'ada@example.org' })
    expect((await fetch(page, { method: 'POST', body })).status).toBe(200)
    const emails = async () => (await event.read('guests.json')).map(({ email }: { email: string }) => email)
    await expect.poll(emails).toContain('ada@example.org')
    expect((await fetch(`${cells.east.url}/register/${event.id}/${event.id}`)).status).toBe(404)
  })

  test('a partner invites on the pages at the gateway of another cell, and one whose link is wrong finds nothing', async () => {
    const campaign = await TestCampaign.open(cells.west, { testEvent: event, quota: 2 })
    const browser = browserAbroad()
    const form = await browser.open(`${(await browser.open(campaign.page)).url}/new`)
    expect(form.status).toBe(200)
    const body = new FormData()
    body.set('csrf', /name="csrf" value="([^"]+)"/.exec(form.text)?.[1] ?? '')
    body.set('addresses', 'grace@example.org')
    await browser.submit(await browser.open(form.url, { method: 'POST', body }), {})
    expect((await campaign.invitations()).map(({ email }) => email)).toEqual(['grace@example.org'])
    expect((await browserAbroad().open(`${campaign.page.slice(0, -1)}_`)).status).toBe(404)
  })

  test('a mail server reports a returned e-mail at the gateway of another cell', async () => {
    const campaign = await TestCampaign.open(cells.west, { testEvent: event })
    await campaign.invite(['ada@example.org'])
    const [id = ''] = await sendAll(campaign)
    const headers = { 'content-type': 'message/rfc822', authorization: `Bearer ${SECRET}` }
    const report = async (secret = headers.authorization) =>
      apiOf(cells.east.url, '')('POST', 'mail_events/dsn', deliveryReport({ to: `bounces+${id}@gatehouse.example` }), {
        headers: { ...headers, authorization: secret },
      })
    expect((await report('Bearer of-nobody')).status).toBe(401)
    expect((await report()).status).toBe(200)
    expect(await campaign.invitations()).toMatchObject([{ state: 'bounced' }])
  })

  test.each([
    ['below the account’s path', (site: SsoSite) => `/sso/${site.slug}`],
    ['at the root', () => ''],
  ])(
    'a contact signs in at the gateway of another cell, and the site exchanges the code there: %s',
    async (_, path) => {
      const site = await SsoSite.open(cells.west, `acme-${path.length}`)
      const [app, { email }] = [await site.app(), await site.contact()]
      const below = (place: SsoSite, origin: string): SsoSite =>
        Object.assign(Object.create(SsoSite.prototype), place, { sso: `${origin}${path(place)}` })
      const code = await below(site, cells.west.url).code(browserAbroad(), app, email)
      const abroad = below(site, cells.east.url)
      const { status, body } = await abroad.token(app, code)
      expect(status).toBe(200)
      expect((await abroad.me(body.access_token)).body).toMatchObject({ email })
      expect((await abroad.token(app, code)).status).toBe(400)
      expect((await abroad.me('unknown')).status).toBe(401)
    },
  )

  test('a secret of an exhibitor is known at the gateway of another cell; a wrong one is refused', async () => {
    const { access_token } = await event.make('exhibitors.json', { name: 'Stand 1' })
    const ownLeads = (secret: string) => apiOf(cells.east.url, '')('GET', `devices/${secret}/connections.json`)
    expect(await ownLeads(access_token)).toMatchObject({ status: 200, body: [] })
    expect((await ownLeads(`${access_token}x`)).status).toBe(401)
  })

  test('a set-up code is exchanged at the gateway of another cell, where its device goes on; a wrong one is refused', async () => {
    const { code } = await event.make('devices.json', { name: 'Door' })
    const exchange = (secret: string) => apiOf(cells.east.url, '')('POST', `device_codes/${secret}/exchange.json`)
    expect((await exchange('AAAA-AAAA')).status).toBe(401)
    const { status, body } = await exchange(code)
    expect(status).toBe(201)
    expect((await apiOf(cells.east.url, body.token)('PUT', 'devices/heartbeat.json', {})).body).toMatchObject({
      name: 'Door',
    })
  })

  test('a token that no cell knows is refused, and one of another account sees nothing', async () => {
    for (const token of ['x'.repeat(43), ''])
      expect((await apiOf(cells.east.url, token)('GET', 'events.json')).status).toBe(403)
    const stranger = await cells.west.account('stranger')
    const answer = await apiOf(cells.east.url, stranger.auth_token)('GET', `events/${event.id}/guests.json`)
    expect(answer.status).toBe(404)
  })

  test('a revoked token is forgotten by the gateways of all cells', async () => {
    const { body } = await cells.west.api('POST', 'tokens.json', { name: 'x', scope: 'read' })
    const api = apiOf(cells.east.url, body.token)
    expect((await api('GET', 'events.json')).status).toBe(200)
    expect((await cells.west.api('DELETE', `tokens/${body._id}.json`)).status).toBe(204)
    await expect.poll(async () => (await api('GET', 'events.json')).status).toBe(403)
  })

  test('an event that is archived in its cell is so for the gateways of all', async () => {
    const other = await TestEvent.open({ ...cells.west, api: abroad })
    expect((await other.api('GET', 'guests.json')).status).toBe(200)
    expect((await cells.west.api('PUT', `events/${other.id}.json`, { archived: true })).status).toBe(204)
    await expect.poll(() => other.status('POST', 'guest_categories.json', { name: 'x' })).toBe(409)
  })
})
