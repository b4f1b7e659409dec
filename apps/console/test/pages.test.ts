// @module-tag slow
import { join } from 'node:path'
import { tags } from '@gatehouse/proto/pages/languages.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { chosen, sampled, seed } from '@gatehouse/test/rounds.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evaluateBuilt } from './built-module.ts'
import { ConsoleBrowser } from './console-browser.ts'
import { keepPicture, overflowAt, violationsOf } from './looks.ts'
import { Overheard } from './overheard.ts'

const E = 'events/{event_id}'
const FILE = { name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from('Name,Type\nLovelace,VIP\nHopper,?\n') }
const TICKETS = {
  ...{ name: 'orders.csv', mimeType: 'text/csv' },
  buffer: Buffer.from(
    'Order code,Position ID,Status,Product,Attendee name,Ticket secret,Diet\nA,1,paid,Regular,Ida,s1,vegan\nA,2,hm,Regular,Otto,s2,\n',
  ),
}
/** Guests with short and long names. */
const GUESTS = [
  { first_name: 'Grace', last_name: 'Hopper', email: 'grace.hopper@navy.example', message: 'Vegetarian' },
  { first_name: 'Maximiliane', last_name: 'von Hohenstein-Wittgenstein', email: 'm.hohenstein@universitaet.example' },
  { first_name: 'Jō', last_name: 'Tanaka', company_name: 'Kyoto Instruments' },
  { last_name: 'O’Neill', email: 'oneill@example.org', company_name: 'Northern Press and Broadcasting Association' },
  { first_name: 'Zoë', last_name: 'Żmudzka', email: 'zoe@example.org' },
]
const showsOverview = (page: Page): Promise<void> => page.locator('.checklist').waitFor()
/** Has pages show all they can that are neither a list nor a form. */
const FILL: Record<string, (page: Page) => Promise<void>> = {
  [E]: showsOverview,
  'events/{id}': showsOverview,
  [`${E}/settings`]: (page) => page.locator('main form.form').waitFor(),
  [`${E}/settings/copy`]: (page) => page.locator('main form').waitFor(),
  [`${E}/guests/import`]: async (page) => {
    await page.locator('#file').setInputFiles(FILE)
    await page.locator('.notice.bad').waitFor()
  },
  bring: (page) => page.locator('main ul.rows a').first().waitFor(),
  [`${E}/bring`]: async (page) => {
    await page.locator('main ul.rows a').nth(1).click()
    await page.locator('#files').setInputFiles(TICKETS)
    await page.locator('main fieldset').waitFor()
  },
  [`${E}/access_controls/walk_in`]: (page) => page.locator('main form').waitFor(),
  'guides/{guide}': (page) => page.locator('.guide h2').first().waitFor(),
  [`${E}/devices/print_station`]: (page) => page.locator('main form .papers').waitFor(),
  [`${E}/devices/sheet`]: async (page) => {
    await page.locator('.sheet-choice button').click()
    await page.locator('.asking').waitFor()
  },
  [`${E}/invitation_types/{invitation_type_id}/partner_campaigns/{id}`]: (page) =>
    page.locator('main .send-link').waitFor(),
  [`${E}/connections/{id}`]: (page) => page.locator('main .facts a').first().waitFor(),
  [`${E}/live`]: (page) => page.locator('.tiles').waitFor(),
  [`${E}/scan_times`]: (page) => page.locator('main .waits').first().waitFor(),
  [`${E}/badge_templates/{id}`]: (page) => page.locator('.paper svg').waitFor(),
  audit_records: (page) => page.locator('main .audit li').first().waitFor(),
  personal_data: (page) => page.locator('main select').waitFor(),
  account: (page) => page.locator('.guest-page').waitFor(),
  [`${E}/registrations`]: (page) => page.locator('main .approvals').waitFor(),
  passkeys: async (page) => {
    await page.locator('button[aria-expanded]:not(.menu)').click()
    await page.locator('li form').waitFor()
  },
}

// All four take more than a minute: axe and two other widths take a third of a second for each of 44 pages. `npm test` has a third of them in one.
const system = await sharedSystem()

describe('the pages of the console', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
    await fill()
  })
  afterAll(() => browser?.close())

  /** Puts something into each list. */
  async function fill(): Promise<void> {
    await system.api('POST', 'webhooks.json', { url: 'https://hooks.example.com/', event_types: ['guest.created'] })
    await system.api('POST', 'tokens.json', { name: 'Ticket shop', scope: 'read' })
    await system.api('POST', 'contacts.json', { email: 'grace@example.org', first_name: 'Grace', last_name: 'Hopper' })
    await system.api('POST', 'oauth_apps.json', {
      name: 'Members',
      redirect_uris: ['https://members.example.com/back'],
    })
    const event = await TestEvent.open(system, { title: 'Opening Night', location: 'Somerset House' })
    const vip = await event.category('VIP')
    await event.make('guest_categories.json', { name: 'Evening', walk_in_enabled: true })
    const door = await event.point('Main entrance')
    await event.make('areas.json', { name: 'Great hall', capacity: 300 })
    await event.make('guest_fields.json', { key: 'diet', label: 'Diet', use_in_registration: true, on_device: true })
    await event.make('badge_templates.json', { name: 'Lanyard card' })
    await event.link(vip, door, 1)
    await event.guest(vip, 'ada', { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' })
    await event.make(
      'guests/batch_create.json',
      GUESTS.map((guest) => ({ guest_category_id: vip, ...guest })),
    )
    await event.scan(door, 'ada')
    await event.scan(door, 'stranger')
    const { code } = await event.make('devices.json', { name: 'North 1', accesspoint_ids: [door] })
    const { body } = await system.api('POST', `device_codes/${code}/exchange.json`)
    await event.make('devices.json', { name: 'North 2' })
    const self_test = { tested_at: '2026-09-17T07:12:00Z', camera: 'failed', sound: 'failed', guest_list: 'failed' }
    await system.api('PUT', 'devices/heartbeat.json', { self_test }, { token: body.token })
    const scans = [
      { accesspoint_id: door, ago_ms: 0, waited_ms: 4_321, gatehouse_ms: 38 },
      { accesspoint_id: door, ago_ms: 0, waited_ms: 15_000 },
      { accesspoint_id: door, ago_ms: 0 },
    ]
    await event.api('PUT', 'scan_times.json', { report_key: 'first', scans }, { token: body.token })
    await event.make('promo_codes.json', { text: 'EARLY', amount: 10, max_usage: 5 })
    const partner_id = (await event.make('partners.json', { name: 'Northern Press', recipients_quota: 20 }))._id
    const gala = (await event.make('invitation_types.json', { name: 'Gala', guest_category_id: vip }))._id
    await event.make(`invitation_types/${gala}/partner_campaigns.json`, { partner_id, quota: 10 })
    await event.make('mailings.json', {
      name: 'Codes',
      subject: 'Your code',
      message: 'Hello {{first_name}}, {{qrcode}}',
    })
    const { access_token } = await event.make('exhibitors.json', { name: 'Stand 7', email: 'stand@example.org' })
    const leads = [{ guest_uid: 'ada', author: 'Ann' }]
    await system.api('POST', `devices/${access_token}/connections/batch_create.json`, leads, { token: '' })
  }

  const ids = new Map([['guides', 'start']])
  /** The id of something in a list. */
  async function idIn(list: string): Promise<string> {
    const found = ids.get(list) ?? (await system.api('GET', `${list}.json`)).body[0]?._id
    if (found === undefined) throw new Error(`${list} is empty: fill() needs something for it`)
    ids.set(list, found)
    return found
  }

  /** Returns a route with ids for the parameters of a pattern. */
  async function routeOf(pattern: string): Promise<string> {
    const segments: string[] = []
    for (const segment of pattern.split('/'))
      segments.push(segment.startsWith('{') ? await idIn(segments.join('/')) : segment)
    return segments.join('/')
  }

  /** Passkeys need another address than that of the tests. */
  async function withPasskeys(page: Page): Promise<void> {
    await page.route('**/console/session.json', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), passkeys: { available: true } } })
    })
    const passkey = { _id: 'p', name: 'Laptop', created_at: '2026-05-01T08:30:00Z', last_used_at: null }
    await page.route('**/passkeys/list.json', (route) => route.fulfill({ json: [passkey] }))
  }

  test.each(
    chosen([
      ['light', 1280],
      ['dark', 1280],
      ['light', 360],
      ['dark', 360],
    ] as const),
  )(
    'each page, in %s colours and %i pixels wide, is without a violation of WCAG 2.2 AA, fits into 360 and 3840 pixels, and is told no token of the API but a new one',
    async (colorScheme, width) => {
      const size = { width, height: 800 }
      const locale = tags[seed % tags.length] as string
      const page = await browser.open('', { colorScheme, locale, viewport: size })
      await withPasskeys(page)
      const heard = await Overheard.by(page)
      await page.reload()
      const wrong: unknown[] = []
      // Pictures on request.
      const { SCREENSHOTS } = process.env
      const look = async (what: string): Promise<void> => {
        const name = what.replaceAll('/', ' ').replaceAll(/[{}]/g, '')
        if (SCREENSHOTS) await keepPicture(page, join(SCREENSHOTS, `${name} ${colorScheme} ${width}.png`))
        const found = [await violationsOf(page), await overflowAt(page, [3840, 360])]
        if (found.some(({ length }) => length > 0)) wrong.push([what, ...found])
        await page.setViewportSize(size)
      }
      // By the console's own list.
      const routes = await evaluateBuilt<string[][]>(page, 'view/all-routes.ts', 'built.allRoutes')
      for (const pattern of sampled([...new Set(routes.map((segments) => segments.join('/')))], 3)) {
        const route = await routeOf(pattern)
        await page.goto(browser.at(route))
        await page.locator(`main[data-route="${route}"] h1`).waitFor()
        const shown = /(new|\{id\})$/.test(pattern)
          ? 'form:not(.several form)'
          : ':is(td, .cards .heading):not(:has(.bone))'
        await (FILL[pattern]?.(page) ?? page.locator(`main ${shown}`).first().waitFor())
        await page.evaluate(
          "for (const each of document.querySelectorAll('main :is(.more-settings, .several)')) each.open = true",
        )
        await look(pattern)
      }
      await page.locator('details.person summary').click()
      await look('what the name at the top opens')
      await page.keyboard.press('Escape')
      if (width === 360) {
        await page.locator('button.menu').click()
        await look('the menu')
      }
      expect(await heard.tokens()).toEqual([])
      await page.goto(browser.at('tokens/new'))
      await page.locator('#field-name').fill('Ticket shop')
      await page.locator('#field-scope').selectOption('read')
      await page.locator('main button[type=submit]').click()
      const secret = await page.locator('.secret').innerText()
      expect(await heard.tokens()).toEqual([secret])
      await look('a new token')
      await page.context().clearCookies()
      await page.reload()
      await page.locator('#account').waitFor()
      await look('the way to the sign-in page')
      expect(wrong).toEqual([])
    },
  )
})
