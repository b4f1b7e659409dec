import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { guests } from '@gatehouse/guests/resources'
import { execute } from '@gatehouse/local/execute'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { tags } from '@gatehouse/proto/pages/languages.ts'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { SESSION_COOKIE, StaffVisitor } from '@gatehouse/test/harness/staff-visitor.ts'
import { proxyTo } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { chosen, rounds, sampled, seed } from '@gatehouse/test/rounds.ts'
import axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

/** Guests of the large list. */
const MANY = rounds(800, 20_000)
/** Guests which are stored by one request: few, since the machine may be busy. */
const BATCH = 250
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
type Cookie = Parameters<BrowserContext['addCookies']>[0][number]

const viewport = { width: 1280, height: 800 }

await execute(process.execPath, [join(import.meta.dirname, '../../main.ts')])
const system = await sharedSystem()

describe('the console in a browser', () => {
  let browser: Browser
  /** The cookies of staff members by their roles. */
  const cookies = new Map<string, Cookie>()
  let event: TestEvent
  let press: string
  let door: string
  let ada: string
  let device: string
  let stand: string
  let gala: string
  let webhook: string
  /** An event with many guests. */
  let crowd: string
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    for (const role of ['owner', 'organizer', 'viewer']) cookies.set(role, await cookieOf(role))
    browser = await startChromium()
    await system.api('PUT', 'account.json', { name: 'Acme Events' })
    event = await TestEvent.open(system, {
      title: 'Opening Night',
      location: 'Somerset House',
      start_date: '2027-09-17T18:00:00Z',
    })
    const vip = await event.category('VIP')
    press = await event.category('Press')
    door = await event.point('Main entrance')
    await event.link(vip, door, 1)
    ada = await event.guest(vip, 'ada', { first_name: 'Ada', last_name: 'Lovelace' })
    await event.scan(door, 'ada')
    device = (await event.make('devices.json', { name: 'North 1', accesspoint_ids: [door] }))._id
    stand = (await event.make('exhibitors.json', { name: 'Stand 7' }))._id
    gala = (await event.make('invitation_types.json', { name: 'Gala', guest_category_id: vip }))._id
    webhook = (
      await system.api('POST', 'webhooks.json', { url: 'https://hooks.example.com/', event_types: ['guest.created'] })
    ).body._id
    crowd = await crowdOf(MANY)
  })
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
  })
  afterAll(async () => {
    await browser?.close()
  })

  /** A staff member who is signed in. */
  async function cookieOf(role: string, event_id: string | null = null): Promise<Cookie> {
    const visitor = await StaffVisitor.of(system, system, { role, event_id })
    return {
      name: SESSION_COOKIE,
      value: (await visitor.cookie()) ?? '',
      url: `${system.url}/console/`,
      httpOnly: true,
    }
  }

  /** Opens a place in the console, signed in as an owner. */
  const open = async (place = '', { role = 'owner', ...options }: BrowserContextOptions & { role?: string } = {}) => {
    const context = await browser.newContext({ viewport, locale: 'en-GB', ...options })
    // The machine may be busy.
    context.setDefaultTimeout(90_000)
    contexts.push(context)
    const cookie = cookies.get(role)
    if (cookie) await context.addCookies([cookie])
    const page = await context.newPage()
    await page.goto(at(place))
    return page
  }
  const at = (place: string): string => `${system.url}/console/${place && `#/${place}`}`

  /** A new event with so many guests, which the service stores at once. */
  async function crowdOf(count: number): Promise<string> {
    const crowded = await TestEvent.open(system, { title: 'Harbour Summit' })
    const { id } = crowded
    const categories = [await crowded.category('VIP'), await crowded.category('Press')]
    for (let first = 0; first < count; first += BATCH) {
      const body = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) =>
        personOf(first + index, categories),
      )
      await clientOf(system.bus, guests).create_many({ query: { event_id: id }, body: body as never })
    }
    return id
  }

  test('an event is created, listed and changed; errors of the API appear beside the field they name', async () => {
    const page = await open()
    await page.getByRole('link', { name: 'New' }).click()
    await page.getByLabel('Title').fill('Spring Fair')
    await page.getByLabel('Replies go to').fill('nobody')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#field-reply_to_email-error').waitFor()
    expect(
      await page.locator('#field-reply_to_email').evaluate((field) => field === field.ownerDocument.activeElement),
    ).toBe(true)
    await page.getByLabel('Replies go to').fill('fair@acme.test')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Spring Fair' }).waitFor()
    await page.getByLabel('Place').fill('Hall 1')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Events' }).click()
    await page.getByRole('row', { name: /Spring Fair.*Hall 1/ }).waitFor()
  })

  test('the live page counts each scan as it happens, names refusals and silent devices, and is exact after a cut', async () => {
    const doors = await TestEvent.open(system, { title: 'Harbour Summit' })
    const [south, north] = [await doors.point('South gate'), await doors.point('North gate')]
    const [vip, visitors] = [await doors.category('VIP'), await doors.category('Visitors')]
    await doors.link(visitors, north)
    await doors.link(vip, south)
    const early = Array.from({ length: 64 }, (_, index) => `g${index}`)
    await Promise.all(early.map((uid) => doors.guest(visitors, uid)))
    for (const uid of ['ada', 'grace', 'mary']) await doors.guest(vip, uid)
    const { code } = await doors.make('devices.json', { name: 'South 1' })
    // They came in the hour before, more of them in its middle.
    const stampOf = (index: number) => new Date(Date.now() - 60_000 * (30 + 25 * Math.sin(index * 2) * Math.sin(index)))
    await doors.make(
      'access_controls/batch_create.json',
      early
        .slice(0, 60)
        .map((guest_uid, index) => ({ guest_uid, accesspoint_id: north, access_stamp: stampOf(index) })),
    )
    await doors.scan(south, 'stranger')
    const network = await proxyTo(system.url)
    try {
      const page = await open('')
      await page.goto(at(`events/${doors.id}/live`).replace(system.url, network.url))
      const inside = (count: string) =>
        page.locator('.tiles > div', { hasText: 'Guests who are here' }).getByText(count, { exact: true }).waitFor()
      await inside('60')
      // It was refused before the page was opened.
      await page.getByRole('listitem').filter({ hasText: 'Unknown guest' }).getByText('stranger').waitFor()
      await page.getByText('0 of 0 report').waitFor()
      await system.api('POST', `device_codes/${code}/exchange.json`)
      await page.getByRole('listitem').filter({ hasText: 'South 1' }).getByText('Never seen').waitFor()
      await doors.scan(south, 'ada')
      await inside('61')
      await doors.scan(south, 'gate-crasher')
      await page.getByRole('listitem').filter({ hasText: 'South gate' }).getByText('gate-crasher').waitFor()
      network.cut()
      await page.getByText('No connection').waitFor()
      await doors.scan(south, 'grace')
      await doors.scan(south, 'mary')
      await doors.scan(south, 'second-crasher')
      network.mend()
      await inside('63')
      await page.getByRole('listitem').filter({ hasText: 'South gate' }).getByText('second-crasher').waitFor()
      await page.getByRole('img', { name: /^63 arrivals in 90 minutes/ }).waitFor()
      await page.getByRole('strong').filter({ hasText: '3 of 3' }).waitFor()
      if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, 'live.png') })
    } finally {
      await network.close()
    }
  })

  test('without a session the way to the account’s sign-in page is shown', async () => {
    const page = await open('', { role: 'nobody' })
    await page.getByLabel('Account').fill(system.slug)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/sso\//)
    await page.getByLabel('E-mail').waitFor()
  })

  test('what was typed stays when the session ends, and goes up after the next sign-in', async () => {
    const page = await open('events/new')
    await page.getByLabel('Title').fill('Autumn Fair')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Sign in again' }).waitFor()
    await page.context().addCookies([cookies.get('owner') as Cookie])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Autumn Fair' }).waitFor()
  })

  test('a list which could not be read is read when somebody tries again', async () => {
    const page = await open('tokens')
    await page.locator('h1').waitFor()
    await page.route('**/promo_codes.json*', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.goto(at(`events/${event.id}/promo_codes`))
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.unrouteAll()
    await again.click()
    await page.getByText('There is nothing yet.').waitFor()
  })

  test('what a role may not do is not offered, and a page which it may not see says so', async () => {
    const page = await open('', { role: 'viewer' })
    await page.getByRole('link', { name: 'Opening Night' }).click()
    await page.getByRole('heading', { name: 'Opening Night' }).waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    expect(
      await page
        .getByRole('navigation')
        .getByRole('link', { name: /Tokens|Webhooks|Audit/ })
        .count(),
    ).toBe(0)
    await page.goto(at('tokens'))
    await page.getByText('Your role does not allow this.').waitFor()
  })

  test('who is limited to an event begins there, may do there what the role allows, and is offered nothing of the account', async () => {
    cookies.set('bound', await cookieOf('door_manager', event.id))
    const page = await open('', { role: 'bound' })
    await page.getByRole('heading', { name: 'Opening Night' }).waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    const navigation = page.getByRole('navigation')
    expect(await navigation.getByRole('link', { name: /Tokens|Webhooks|Audit|Staff/ }).count()).toBe(0)
    await navigation.getByRole('link', { name: 'Events' }).click()
    await page.getByRole('link', { name: 'Opening Night' }).waitFor()
    expect(await page.getByRole('link', { name: 'New' }).count()).toBe(0)
    await page.goto(at(`events/${event.id}/accesspoints`))
    await page.getByRole('link', { name: 'New' }).waitFor()
    await page.goto(at('webhooks'))
    await page.getByText('Your role does not allow this.').waitFor()
  })

  test('the language and the colours which somebody chooses stay', async () => {
    const page = await open('events')
    await page.getByText('Ada Lovelace').click()
    await page.getByLabel('Colours').selectOption('dark')
    await page.getByLabel('Language').selectOption('de')
    await page.getByRole('navigation').getByText('Team').waitFor()
    await page.reload()
    await page.getByRole('navigation').getByText('Team').waitFor()
    expect(await page.locator('html').evaluate(({ lang, dataset }) => [lang, dataset.theme])).toEqual(['de', 'dark'])
  })

  test('who signs out is no longer signed in', async () => {
    const page = await open('events', { role: 'organizer' })
    await page.getByText('Ada Lovelace').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Account').waitFor()
    expect((await page.request.get(`${system.url}/console/session.json`)).status()).toBe(401)
  })

  test('a guest is found while somebody types, and the page has its check-ins', async () => {
    const page = await open(`events/${event.id}/guests`)
    await page.getByRole('searchbox').pressSequentially('lovel')
    await page.getByRole('link', { name: 'Lovelace' }).click()
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await page.getByText('Main entrance').waitFor()
    expect(await page.locator('.check-ins li').allInnerTexts()).toEqual([expect.stringContaining('Let in')])
  })

  test('a list of several pages scrolls to its end, and the document holds those which are seen', async () => {
    const page = await open(`events/${crowd}/guests`)
    const cellOf = (number: number) => page.getByRole('cell', { name: uidOf(number), exact: true })
    await cellOf(MANY - 1).waitFor()
    const rows = page.locator('tbody tr')
    expect(await rows.count()).toBeLessThan(40)
    const { SCREENSHOTS } = process.env
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, 'console.png') })
    await page.locator('.list').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await cellOf(0).waitFor()
    expect(await rows.count()).toBeLessThan(40)
    expect(await rows.last().getAttribute('aria-rowindex')).toBe(String(MANY + 1))
  })

  test('guests are imported from a file; a row with an error is shown with its line and reason', async () => {
    const page = await open(`events/${event.id}/guests/import`)
    const text =
      'Vorname;Nachname;E-Mail;Kategorie;Tisch\nGrace;Hopper;grace@x.test;vip;7\nBad;Mail;nowhere;VIP;8\nNo;Category;;Staff;\nMary;Ward;;;\n'
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.getByLabel('Category of rows which name none').selectOption({ label: 'VIP' })
    expect(await page.getByLabel('Column E-Mail').inputValue()).toBe('email')
    await page.getByRole('button', { name: 'Import 3 rows' }).click()
    await page.getByText('2 guests imported').waitFor()
    expect(await page.locator('.rows li').allInnerTexts()).toEqual([
      expect.stringMatching(/^Line 3: email is not valid/),
      expect.stringMatching(/^Line 4: There is no category Staff/),
    ])
    const [found] = await event.read('guests.json?search=hopper&guest_metadata=true')
    expect(found).toMatchObject({
      first_name: 'Grace',
      email: 'grace@x.test',
      guest_metadata: [{ name: 'Tisch', value: '7' }],
    })
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save these rows' }).click()
    expect((await saving).suggestedFilename()).toBe('guests-not-imported.csv')
  })

  test('an import which is stopped goes on where it was, and no row goes in twice', async () => {
    const other = await TestEvent.open(system, { title: 'Import' })
    await other.category('VIP')
    const page = await open(`events/${other.id}/guests/import`)
    const held = Promise.withResolvers<void>()
    await page.route('**/guests.json', async (route) => {
      await held.promise
      await route.continue()
    })
    const names = Array.from({ length: 30 }, (_, index) => `Guest ${index}`)
    const buffer = Buffer.from(['Name,Type', ...names.map((name) => `${name},VIP`)].join('\n'))
    await page.getByLabel('CSV file').setInputFiles({ name: 'guests.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Import 30 rows' }).click()
    await page.getByRole('button', { name: 'Stop' }).click()
    held.resolve()
    await page.getByRole('button', { name: 'Go on' }).waitFor()
    await page.getByText('6 of 30 rows').waitFor()
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByText('30 guests imported').waitFor()
    const stored: { last_name: string }[] = await other.read('guests.json')
    expect(stored.map(({ last_name }) => last_name).sort()).toEqual(names.sort())
  })

  test('all guests are exported as a file which an import reads, and no cell of it is a formula', async () => {
    const other = await TestEvent.open(system, { title: 'Export' })
    await other.guest(await other.category('VIP'), 'x1', { last_name: '=1+1' })
    const page = await open(`events/${other.id}/guests`)
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const text = await readFile(await (await saving).path(), 'utf8')
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      'uid,first_name,last_name,email,company_name,position,phone_number,guest_category,rsvp_status,message,promo_code',
      `x1,,"'=1+1",,,,,VIP,not_replied,,`,
    ])
  })

  test('rights are changed in the grid: given, without limit, and taken', async () => {
    const page = await open(`events/${event.id}/rights`)
    const cell = page.getByLabel('Press at Main entrance')
    const rights = async () => {
      const links = await event.read(`guest_category_accesspoints.json?guest_category_id=${press}`)
      return links.map(({ max_allowed_accesses }: { max_allowed_accesses: number }) => max_allowed_accesses)
    }
    for (const [typed, stored] of [
      ['2', [2]],
      ['∞', [-1]],
      ['', []],
    ] as const) {
      await cell.fill(typed)
      await cell.press('Enter')
      await expect.poll(rights).toEqual(stored)
    }
    await cell.fill('many')
    await cell.press('Enter')
    await expect.poll(() => cell.getAttribute('aria-invalid')).toBe('true')
  })

  test('a right which is typed while the one before is being saved stays, and is stored after it', async () => {
    const page = await open(`events/${event.id}/rights`)
    const cell = page.getByLabel('Press at Main entrance')
    const first = Promise.withResolvers<void>()
    const isSending = page.waitForRequest((request) => request.method() === 'POST')
    await page.route('**/guest_category_accesspoints.json', async (route) => {
      if (route.request().method() === 'POST') await first.promise
      await route.continue()
    })
    await cell.fill('2')
    await cell.press('Enter')
    await isSending
    await cell.fill('3')
    await cell.press('Enter')
    first.resolve()
    await expect
      .poll(async () => {
        const links = await event.read(`guest_category_accesspoints.json?guest_category_id=${press}`)
        return links.map(({ max_allowed_accesses }: { max_allowed_accesses: number }) => max_allowed_accesses)
      })
      .toEqual([3])
    await expect.poll(() => cell.inputValue()).toBe('3')
    await cell.fill('')
    await cell.press('Enter')
  })

  test('a new device has a QR code which opens the scanner, and its code works', async () => {
    const page = await open(`events/${event.id}/devices/new`)
    await page.getByLabel('Name').fill('North 2')
    await page.getByLabel('Main entrance').check()
    await page.getByRole('button', { name: 'Save' }).click()
    const picture = page.locator('.qr-code svg')
    await picture.waitFor()
    expect((await picture.boundingBox())?.width).toBeGreaterThan(300)
    const code = await page.locator('.secret').innerText()
    const exchanged = await system.api('POST', `device_codes/${code}/exchange.json`, undefined, { token: '' })
    expect(exchanged.body).toMatchObject({ event_id: event.id, accesspoint_ids: [door] })
  })

  test('a token is shown once, works, and is revoked', async () => {
    const page = await open('tokens/new')
    await page.getByLabel('Name').fill('Ticket shop')
    await page.getByLabel('Scope').selectOption('read')
    await page.getByRole('button', { name: 'Save' }).click()
    const token = await page.locator('.secret').innerText()
    const status = async () => (await system.api('GET', 'me.json', undefined, { token })).status
    expect(await status()).toBe(200)
    await page.getByRole('navigation').getByRole('link', { name: 'Tokens' }).click()
    const row = page.getByRole('row', { name: 'Ticket shop' })
    await row.getByRole('button', { name: 'Revoke' }).click()
    expect(await page.getByText(token).count()).toBe(0)
    await row.getByRole('alert').getByRole('button', { name: 'Revoke' }).click()
    await expect.poll(status).toBe(403)
  })

  test.each(chosen(['light', 'dark'] as const))(
    'each page in %s colours is without a violation of WCAG 2.2 AA, and fits into 360 and 3840 pixels',
    async (colorScheme) => {
      const e = `events/${event.id}`
      const places = [
        ...['events', 'events/new', e, `${e}/guests`, `${e}/guests/new`, `${e}/guests/${ada}`, `${e}/guests/import`],
        ...[
          `${e}/rights`,
          `${e}/guest_categories`,
          `${e}/guest_categories/${press}`,
          `${e}/accesspoints`,
          `${e}/devices`,
        ],
        `${e}/live`,
        ...[`${e}/devices/${device}`, `${e}/promo_codes`, `${e}/promo_codes/new`, `${e}/partners`, `${e}/partners/new`],
        ...[
          `${e}/invitation_types`,
          `${e}/invitation_types/${gala}`,
          `${e}/invitation_types/${gala}/partner_campaigns`,
        ],
        ...[`${e}/exhibitors`, `${e}/exhibitors/${stand}/connections`, 'webhooks', 'webhooks/new'],
        ...[`webhooks/${webhook}/deliveries`, 'tokens', 'tokens/new', 'passkeys', 'staff_members', 'audit_records'],
      ]
      const locale = tags[seed % tags.length] as string
      const page = await open('', { colorScheme, locale })
      await page.evaluate(axe.source)
      const wrong = []
      for (const place of sampled(places, 8)) {
        await page.setViewportSize(viewport)
        await page.goto(at(place))
        await page.locator(`main[data-place="${place}"] h1`).waitFor()
        const ids = await page.evaluate(`axe.run({ runOnly: ${JSON.stringify(wcag)}, resultTypes: ['violations'] })
        .then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`)
        const wider = []
        for (const width of [3840, 360]) {
          await page.setViewportSize({ width, height: 800 })
          wider.push(
            ...(await page
              .locator('html, main')
              .evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth))),
          )
        }
        if ((ids as string[]).length > 0 || wider.some((pixels) => pixels > 0)) wrong.push([place, ids, wider])
      }
      expect(wrong).toEqual([])
    },
  )
})

/** The guest with a number: the names are those of a screenshot. */
function personOf(number: number, categories: readonly string[]): object {
  const pick = (words: string): string => {
    const all = words.split(' ')
    return (all[Math.floor((number * 7) / 3) % all.length] ?? '').replace('_', ' ')
  }
  const first_name = pick('Ada Grace Mary Emmy Sofia Hedy Lise Rosalind Dorothy Katherine Chien Barbara Maryam')
  const last_name = pick('Lovelace Hopper Somerville Noether Kovalevskaya Lamarr Meitner Franklin Hodgkin Johnson Wu')
  return {
    _id: number.toString(16).padStart(24, '0'),
    guest_category_id: categories[number % 3 === 0 ? 0 : 1],
    uid: uidOf(number),
    first_name,
    last_name,
    company_name: pick('Analytical_Society Royal_Institution Harbour_Labs Northern_Press Meridian'),
    email: `${first_name}.${last_name}@example.org`.toLowerCase(),
  }
}

function uidOf(number: number): string {
  return `g${String(number).padStart(6, '0')}`
}
