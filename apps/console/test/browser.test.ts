// @module-tag slow
import { join } from 'node:path'
import { guests } from '@gatehouse/guests/resources'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { proxyTo } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep, rounds } from '@gatehouse/test/rounds.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'
import { Keyboard } from './keyboard.ts'

/** Guests of the large list. */
const MANY = rounds(800, 20_000)
/** Guests that are stored by one request: few, since the machine may be busy. */
const BATCH = 250

/** Rows of a list that browsers would not lay out at its full height. */
const MILLION = 1_000_000
/** Minutes of arc that characters need to be read at ease (ISO 9241-303), and for a glance: twice what full sight makes out. */
const COMFORTABLE = 20
const LEAST = 10
/** The height of a digit, of its font's size. */
const DIGIT = 0.7

const system = await sharedSystem()

describe('the console in a browser', () => {
  let browser: ConsoleBrowser
  let event: TestEvent
  let press: string
  let door: string
  /** An event with many guests. */
  let crowd: string

  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
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
    await event.guest(vip, 'ada', { first_name: 'Ada', last_name: 'Lovelace' })
    await event.scan(door, 'ada')
    crowd = await crowdOf(MANY)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  const open: ConsoleBrowser['open'] = (...how) => browser.open(...how)
  const at = (place: string): string => browser.at(place)

  /** A new event with a number of guests, which the service stores at once. */
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
    const page = await open('', { timezoneId: 'Europe/Berlin' })
    await page.getByRole('link', { name: 'Add event' }).click()
    await page.getByLabel('Title').fill('Spring Fair')
    await page.getByText('More settings').click()
    await page.getByLabel('Reply-to address').fill('nobody')
    await page.getByText('More settings').click()
    await page.getByLabel('Reply-to address').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .locator('#field-reply_to_email-error')
      .getByText('Enter an e-mail address, such as ada@example.com.')
      .waitFor()
    expect(
      await page.locator('#field-reply_to_email').evaluate((field) => field === field.ownerDocument.activeElement),
    ).toBe(true)
    await page.getByLabel('Reply-to address').fill('fair@acme.test')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Spring Fair' }).waitFor()
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Location').fill('Hall 1')
    await page.getByRole('button', { name: 'Save' }).click()
    // Not the word that stood there from before.
    await page.locator('button[type=submit]:disabled', { hasText: 'Save' }).waitFor()
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Events' }).click()
    await page.getByRole('row', { name: /Spring Fair.*Hall 1/ }).waitFor()
  })

  // A second.
  test('a place that the address names before the page follows it is shown', deep, async () => {
    const page = await open('events')
    await page.addInitScript({
      content: `new MutationObserver((_, observer) => {
        if (!document.querySelector('[data-route=events]')) return
        observer.disconnect()
        location.hash = '#/tokens'
      }).observe(document, { childList: true, subtree: true })`,
    })
    await page.reload()
    await page.getByRole('heading', { name: 'Tokens' }).waitFor()
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
        page.locator('.tiles > div', { hasText: 'Guests checked in' }).getByText(count, { exact: true }).waitFor()
      await inside('60')
      // It was refused before the page was opened.
      await page.getByRole('listitem').filter({ hasText: 'Unknown guest' }).getByText('stranger').waitFor()
      await page.getByText('Reporting: 0 of 0 set up').waitFor()
      await system.api('POST', `device_codes/${code}/exchange.json`)
      await page.getByRole('listitem').filter({ hasText: 'South 1' }).getByText('Never connected').waitFor()
      await doors.scan(south, 'ada')
      await inside('61')
      await doors.scan(south, 'gate-crasher')
      await page.getByRole('listitem').filter({ hasText: 'South gate' }).getByText('gate-crasher').waitFor()
      const pointIs = (name: string, text: string) =>
        page.locator('.bar', { hasText: name }).locator('strong').getByText(text, { exact: true }).waitFor()
      await pointIs('South gate', '1 · 2 refused')
      await pointIs('North gate', '60 · 0 refused')
      network.cut()
      await page.getByText('No connection').waitFor()
      await doors.scan(south, 'grace')
      await doors.scan(south, 'mary')
      await doors.scan(south, 'second-crasher')
      network.mend()
      await inside('63')
      await page.getByRole('listitem').filter({ hasText: 'South gate' }).getByText('second-crasher').waitFor()
      await pointIs('South gate', '3 · 3 refused')
      await pointIs('North gate', '60 · 0 refused')
      await page.getByRole('img', { name: /^Scans in 90 minutes: 63 let in/ }).waitFor()
      await page.getByRole('strong').filter({ hasText: '3 of 3' }).waitFor()
      if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, 'live.png') })
    } finally {
      await network.close()
    }
  })

  // Four seconds: the focus goes round twice.
  test(
    'the live page says how long devices have been silent, the longest first, and is used by keyboard',
    deep,
    async () => {
      const doors = await TestEvent.open(system, { title: 'Silent doors' })
      for (const name of ['Gate 1', 'Gate 2', 'Gate 3', 'Gate 4', 'In its box']) {
        const { code } = await doors.make('devices.json', { name })
        if (name === 'In its box') continue
        const { token } = (await system.api('POST', `device_codes/${code}/exchange.json`, undefined, { token: '' }))
          .body
        if (name !== 'Gate 4') await system.api('PUT', 'devices/heartbeat.json', {}, { token })
      }
      const page = await open('events')
      // A page that is still loading would wait for timers of the clock that was.
      await page.locator('main h1').waitFor()
      await page.clock.install()
      /** For how many seconds each device has been silent, as if it had reported then and not just now. */
      let silence: Record<string, number> = { 'Gate 1': 20, 'Gate 2': 200, 'Gate 3': 3_700 }
      let asked = 0
      const first = Promise.withResolvers<void>()
      await page.route(`**/events/${doors.id}/devices.json`, async (route) => {
        asked++
        await first.promise
        const response = await route.fetch()
        const json = (await response.json()).map((device: { name: string }) => {
          const seconds = silence[device.name]
          return seconds === undefined
            ? device
            : { ...device, last_seen_at: new Date(Date.parse(response.headers().date ?? '') - seconds * 1_000) }
        })
        await route.fulfill({ response, json })
      })
      await page.goto(at(`events/${doors.id}/live`))
      const panel = page.locator('.panel', { has: page.getByRole('heading', { name: 'Devices' }) })
      // An answer that takes long is waited for.
      await expect.poll(() => asked).toBe(1)
      await page.clock.fastForward(12_000)
      first.resolve()
      await panel.getByText('Reporting: 1 of 4 set up').waitFor()
      expect(asked).toBe(1)
      const silent = () => panel.getByRole('listitem').allInnerTexts()
      expect((await silent()).map((text) => text.split('\n'))).toEqual([
        ['Gate 4', 'Never connected'],
        ['Gate 3', 'No contact for 61 min'],
        ['Gate 2', 'No contact for 3 min'],
      ])
      silence = { 'Gate 1': 60, 'Gate 2': 5, 'Gate 3': 59 }
      await page.clock.fastForward(10_000)
      await panel.getByText('Reporting: 2 of 4 set up').waitFor()
      expect((await silent()).map((text) => text.split('\n'))).toEqual([
        ['Gate 4', 'Never connected'],
        ['Gate 1', 'No contact for 1 min'],
      ])
      const keyboard = new Keyboard(page)
      await keyboard.goRound('Full screen')
      await page.keyboard.press('Enter')
      await expect.poll(() => isFull(page)).toBe(true)
      await page.evaluate('document.exitFullscreen()')
      await expect.poll(() => isFull(page)).toBe(false)
      await keyboard.goRound('Full screen')
    },
  )

  // Two seconds.
  test(
    'the live page is readable from four metres on a television of 1920 pixels, its counts at ease',
    deep,
    async () => {
      const doors = await TestEvent.open(system, { title: 'Television' })
      const gate = await doors.point('South gate')
      await doors.scan(gate, 'stranger')
      const page = await open(`events/${doors.id}/live`, { viewport: { width: 1920, height: 1080 } })
      const tile = page.locator('.tiles dd').first()
      await page.getByRole('listitem').getByText('stranger').waitFor()
      const texts = page.locator('.live :not(:has(*)):visible').filter({ hasText: /./ })
      /** How high digits are, seen from four metres, in minutes of arc: on 16:9 with a diagonal of 125 cm (50 inches) a pixel has 0.57 mm. */
      const seen = async (text: ReturnType<Page['locator']>): Promise<number> => {
        const size = await text.evaluate((element) =>
          parseFloat(element.ownerDocument.defaultView?.getComputedStyle(element).fontSize ?? ''),
        )
        const pixel = (1_250 * Math.cos(Math.atan2(9, 16))) / 1_920
        return (Math.atan2(size * DIGIT * pixel, 4_000) * 180 * 60) / Math.PI
      }
      expect(await seen(tile)).toBeGreaterThan(COMFORTABLE)
      await page.getByRole('button', { name: 'Full screen' }).click()
      await expect.poll(() => isFull(page)).toBe(true)
      expect(await seen(tile)).toBeGreaterThan(COMFORTABLE)
      for (const text of await texts.all()) expect(await seen(text), await text.innerText()).toBeGreaterThan(LEAST)
    },
  )

  test('without a session the way to the account’s sign-in page is shown', deep, async () => {
    const page = await open('', { role: null })
    await page.getByLabel('Account').fill(system.slug)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/sso\//)
    await page.getByLabel('E-mail').waitFor()
  })

  test('what was typed stays when the session ends, and goes up after the next sign-in', deep, async () => {
    const page = await open('events/new', { timezoneId: 'Europe/Berlin' })
    await page.getByLabel('Title').fill('Autumn Fair')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Sign in again' }).waitFor()
    await page.context().addCookies([await browser.cookieOf('owner')])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Autumn Fair' }).waitFor()
  })

  test('a list that could not be read is read when someone tries again', deep, async () => {
    const page = await open('tokens')
    await page.locator('h1').waitFor()
    await page.route('**/promo_codes.json*', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.goto(at(`events/${event.id}/promo_codes`))
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.unrouteAll()
    await again.click()
    await page.getByText('Nothing here yet.').waitFor()
  })

  test('what a role may not do is not offered, and a page that it may not see says so', async () => {
    const page = await open('', { role: 'viewer' })
    await page.getByRole('link', { name: 'Opening Night' }).click()
    await page.getByRole('heading', { name: 'Opening Night' }).waitFor()
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByText('Reply-to address').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    expect(
      await page
        .getByRole('navigation', { name: 'Menu' })
        .getByRole('link', { name: /Tokens|Webhooks|Audit/ })
        .count(),
    ).toBe(0)
    await page.goto(at('tokens'))
    await page.getByText('Your role does not allow this.').waitFor()
  })

  test(
    'who is limited to an event begins there with its menu, may do there what the role allows, and is offered nothing of the account and no other event',
    deep,
    async () => {
      const page = await open('', { role: 'door_manager', event_id: event.id })
      await page.getByRole('heading', { name: 'Opening Night' }).waitFor()
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
      const navigation = page.getByRole('navigation', { name: 'Menu' })
      expect(await navigation.getByRole('link', { name: /Tokens|Webhooks|Audit|Staff|Events/ }).count()).toBe(0)
      expect(await page.getByRole('combobox', { name: 'Event' }).count()).toBe(0)
      await navigation.getByRole('link', { name: 'Door' }).click()
      await page.goto(at('passkeys'))
      await page.locator('header .brand').click()
      await page.getByRole('heading', { name: 'Opening Night' }).waitFor()
      await page.goto(at(`events/${event.id}/accesspoints`))
      await page.getByRole('link', { name: 'Add check-in point' }).waitFor()
      await page.goto(at('webhooks'))
      await page.getByText('Your role does not allow this.').waitFor()
    },
  )

  test('the language and the colours that someone chooses stay', deep, async () => {
    const page = await open('events')
    await page.getByText('Ada Lovelace').click()
    await page.getByLabel('Colours').selectOption('dark')
    await page.getByLabel('Language').selectOption('de')
    await page.locator('.jobs').getByText('Team').waitFor()
    await page.reload()
    await page.locator('.jobs').getByText('Team').waitFor()
    expect(await page.locator('html').evaluate(({ lang, dataset }) => [lang, dataset.theme])).toEqual(['de', 'dark'])
  })

  test('who signs out is no longer signed in', deep, async () => {
    const page = await open('events', { role: 'organizer' })
    await page.getByText('Ada Lovelace').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Account').waitFor()
    expect((await page.request.get(`${system.url}/console/session.json`)).status()).toBe(401)
  })

  test('a guest is found while someone types, and the page has its check-ins', deep, async () => {
    const page = await open(`events/${event.id}/guests`)
    await page.getByRole('searchbox').pressSequentially('lovel')
    await page.getByRole('link', { name: 'Lovelace' }).click()
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await page.locator('.check-ins').getByText('Main entrance').waitFor()
    expect(await page.locator('.check-ins li').allInnerTexts()).toEqual([expect.stringContaining('Let in')])
  })

  test('a list of several pages scrolls to its end, and the document holds those that are seen', deep, async () => {
    const page = await open(`events/${crowd}/guests?sort=-created_at`)
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

  // Six seconds on a busy machine. The rows are made up: a million guests take minutes to store.
  test(
    'a list of a million scrolls to its end, to its middle, and by keyboard without leaving out a row',
    deep,
    async () => {
      const page = await open('events')
      await page.route(`**/events/${event.id}.json`, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), guest_count: MILLION } })
      })
      await page.route(`**/events/${event.id}/guests.json?*`, (route) => {
        const query = new URL(route.request().url()).searchParams
        const [number, size] = [Number(query.get('page')), Number(query.get('per_page'))]
        const numbers = Array.from({ length: size }, (_, index) => (number - 1) * size + index)
        return route.fulfill({ json: numbers.filter((each) => each < MILLION).map((each) => personOf(each, [press])) })
      })
      await page.goto(at(`events/${event.id}/guests`))
      const list = page.locator('.list')
      /** The numbers of the rows that are shown, each of which has its guest. */
      const shown = async (): Promise<number[]> => {
        const rows = await page
          .locator('tbody tr')
          .evaluateAll((all) =>
            all.map((row) => [Number(row.getAttribute('aria-rowindex')) - 2, row.lastElementChild?.textContent]),
          )
        return rows.every(([number, uid]) => uid === uidOf(Number(number)))
          ? rows.map(([number]) => Number(number))
          : []
      }
      const first = async () => (await shown())[0]
      const last = async () => (await shown()).at(-1)
      await expect.poll(first).toBe(0)
      expect(await page.locator('.list table').getAttribute('aria-rowcount')).toBe('-1')
      const { length } = await shown()

      await list.evaluate((each) => each.scrollTo(0, each.scrollHeight))
      await expect.poll(last).toBe(MILLION - 1)
      expect(await shown()).toHaveLength(length)
      await list.evaluate((each) => each.scrollTo(0, (each.scrollHeight - each.clientHeight) / 2))
      await expect.poll(first).toBe(Math.round((MILLION - length) / 2))

      await list.focus()
      await page.keyboard.press('Home')
      await expect.poll(first).toBe(0)
      // What follows is below what was seen: pages by keys leave no row out.
      for (let pages = 1; pages <= 3; pages++) {
        const before = await last()
        await page.keyboard.press(pages === 2 ? 'Space' : 'PageDown')
        await expect.poll(first).toBe(before)
      }
      const top = Number(await first())
      await page.keyboard.press('ArrowDown')
      await expect.poll(first).toBe(top + 1)
      await page.keyboard.press('ArrowUp')
      await expect.poll(first).toBe(top)
      await page.locator('tbody a').nth(5).focus()
      await page.keyboard.press('PageUp')
      await expect.poll(last).toBe(top)
      await list.focus()
      await page.keyboard.press('End')
      await expect.poll(last).toBe(MILLION - 1)
    },
  )

  test('rights are chosen in the grid: once, several times, without a limit, and not at all', async () => {
    const page = await open(`events/${event.id}/rights`)
    const cell = page.getByLabel('Press at Main entrance', { exact: true })
    const rights = async () => {
      const links = await event.read(`guest_category_accesspoints.json?guest_category_id=${press}`)
      return links.map(({ max_allowed_accesses }: { max_allowed_accesses: number }) => max_allowed_accesses)
    }
    for (const [label, stored] of [
      ['Once here', [1]],
      ['Several times', [2]],
      ['No limit', [-1]],
      ['Not at all', []],
    ] as const) {
      await cell.selectOption({ label })
      await expect.poll(rights).toEqual(stored)
    }
  })

  test('a right that was taken comes back with its terms by Undo', async () => {
    const fair = await TestEvent.open(system, { title: 'Fair' })
    const terms = { max_allowed_accesses: 3, period: 'day', reentry: true, valid_from: '2030-05-04T10:00:00Z' }
    const link = { guest_category_id: await fair.category('VIP'), accesspoint_id: await fair.point('Gate'), ...terms }
    await fair.make('guest_category_accesspoints.json', link)
    const [before] = await fair.read('guest_category_accesspoints.json')
    const page = await open(`events/${fair.id}/rights`)
    const cell = page.getByLabel('VIP at Gate', { exact: true })
    await cell.selectOption({ label: 'Not at all' })
    await page.getByRole('status').filter({ hasText: 'VIP at Gate: Not at all' }).waitFor()
    expect(await fair.read('guest_category_accesspoints.json')).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('status').filter({ hasText: 'Undone' }).waitFor()
    const { _id, id, ...same } = before
    expect(await fair.read('guest_category_accesspoints.json')).toMatchObject([same])
    expect(await page.getByLabel('VIP at Gate: Number of times').inputValue()).toBe('3')
  })

  test('the same right is given everywhere but at exits at once, and Undo brings back each as it was', async () => {
    const fair = await TestEvent.open(system, { title: 'Fair' })
    const vip = await fair.category('VIP')
    const [gate, hall] = [await fair.point('Gate'), await fair.point('Hall')]
    await fair.make('accesspoints.json', { name: 'Exit', direction: 'out' })
    await fair.make('guest_category_accesspoints.json', {
      ...{ guest_category_id: vip, accesspoint_id: gate },
      ...{ max_allowed_accesses: 3, period: 'day' },
    })
    const rights = async (): Promise<object> =>
      Object.fromEntries(
        (await fair.read('guest_category_accesspoints.json')).map(
          (each: { accesspoint_id: string; max_allowed_accesses: number; period: string }) => [
            each.accesspoint_id,
            [each.max_allowed_accesses, each.period],
          ],
        ),
      )
    const before = await rights()
    const page = await open(`events/${fair.id}/rights`)
    for (const [words, stored, shown] of [
      ['Once here', { [gate]: [1, 'day'], [hall]: [1, 'event'] }, 'once'],
      ['Not at all', {}, 'none'],
    ] as const) {
      await page.getByLabel('VIP: Everywhere').selectOption({ label: words })
      await page
        .getByRole('status')
        .filter({ hasText: `VIP · Everywhere: ${words}` })
        .waitFor()
      expect(await rights()).toEqual(stored)
      expect(await page.getByLabel('VIP at Hall', { exact: true }).inputValue()).toBe(shown)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('status').filter({ hasText: 'Undone' }).waitFor()
      expect(await rights()).toEqual(before)
      await expect.poll(() => page.getByLabel('VIP at Gate', { exact: true }).inputValue()).toBe('several')
    }
  })

  test('of choices whose answers come late, what is said and undone is the last one', async () => {
    const fair = await TestEvent.open(system, { title: 'Fair' })
    const [gate] = [await fair.point('Gate'), await fair.category('Crew'), await fair.category('Press')]
    const page = await open(`events/${fair.id}/rights`)
    const late = Promise.withResolvers<void>()
    let count = 0
    await page.route('**/guest_category_accesspoints.json', async (route) => {
      const isFirst = route.request().method() === 'POST' && count++ === 0
      if (isFirst) await late.promise
      await route.continue()
    })
    const choose = (category: string) => page.getByLabel(`${category} at Gate`, { exact: true }).selectOption('once')
    await choose('Crew')
    await choose('Press')
    const said = page.getByRole('status').filter({ hasText: 'at Gate: Once here' })
    await said.waitFor()
    late.resolve()
    await expect.poll(() => page.locator('td').getByText('Saved').count()).toBe(2)
    expect(await said.innerText()).toBe('Press at Gate: Once here')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('status').filter({ hasText: 'Undone' }).waitFor()
    expect(await page.getByLabel('Press at Gate', { exact: true }).inputValue()).toBe('none')
    expect(await fair.read('guest_category_accesspoints.json')).toMatchObject([{ accesspoint_id: gate }])
  })

  test('a right says whether it counts anew each day and comes back to who comes out, which its options change', async () => {
    const fair = await TestEvent.open(system, { title: 'Fair' })
    await fair.link(await fair.category('VIP'), await fair.point('Main entrance'), 2)
    const page = await open(`events/${fair.id}/rights`)
    const stored = async () => {
      const [{ period, reentry, max_allowed_accesses }] = await fair.read('guest_category_accesspoints.json')
      return { period, reentry, max_allowed_accesses }
    }
    await page.getByText('Options').click()
    await page.getByLabel('Counts anew each day').check()
    await page.getByLabel('Those who come out may come in again').check()
    await expect.poll(stored).toEqual({ period: 'day', reentry: true, max_allowed_accesses: 2 })
    await page.getByText('per day · re-entry').waitFor()
    await page.getByLabel('Counts anew each day').uncheck()
    await expect.poll(stored).toEqual({ period: 'event', reentry: true, max_allowed_accesses: 2 })
    const viewer = await open(`events/${fair.id}/rights`, { role: 'viewer' })
    await viewer.getByText('re-entry').waitFor()
  })

  test('a right that is typed while the one before is being saved stays, and is stored after it', deep, async () => {
    const page = await open(`events/${event.id}/rights`)
    const cell = page.getByLabel('Press at Main entrance', { exact: true })
    const first = Promise.withResolvers<void>()
    const isSending = page.waitForRequest((request) => request.method() === 'POST')
    await page.route('**/guest_category_accesspoints.json', async (route) => {
      if (route.request().method() === 'POST') await first.promise
      await route.continue()
    })
    const number = page.getByLabel('Press at Main entrance: Number of times')
    await cell.selectOption({ label: 'Several times' })
    await isSending
    await number.fill('3')
    await number.press('Enter')
    first.resolve()
    await expect
      .poll(async () => {
        const links = await event.read(`guest_category_accesspoints.json?guest_category_id=${press}`)
        return links.map(({ max_allowed_accesses }: { max_allowed_accesses: number }) => max_allowed_accesses)
      })
      .toEqual([3])
    await expect.poll(() => number.inputValue()).toBe('3')
    await cell.selectOption({ label: 'Not at all' })
  })

  test('a new device has a QR code that opens the scanner where phones reach it, and its code works', async () => {
    const page = await open(`events/${event.id}/devices/new`)
    await page.route('**/devices.json', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), url: 'https://example.org/scanner/' } })
    })
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

  test('the list of devices and each device’s page say how its test of itself ended, or that there was none', async () => {
    const [tested, failing, untested] = await Promise.all(
      ['Tested', 'Failing', 'Untested'].map((name) => event.make('devices.json', { name })),
    )
    const passed = { tested_at: '2026-09-17T07:12:00Z', camera: 'passed', sound: 'passed', vibration: 'skipped' }
    for (const [device, self_test] of [
      [tested, passed],
      [failing, { ...passed, sound: 'failed', network: 'failed' }],
    ]) {
      const { body } = await system.api('POST', `device_codes/${device.code}/exchange.json`, undefined, { token: '' })
      await system.api('PUT', 'devices/heartbeat.json', { self_test }, { token: body.token })
    }
    const page = await open(`events/${event.id}/devices`)
    const row = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name: `${name} Scanner`, exact: true }) })
    await expect.poll(() => row('Tested').innerText()).toMatch(/✓ Passed, .*2026/)
    expect(await row('Failing').innerText()).toMatch(/✗ Failed: Sound and Network\. .*2026/)
    expect(await row('Untested').innerText()).toContain('Not tested')
    await row('Failing').getByRole('link').click()
    await page.getByText(/Failed: Sound and Network/).waitFor()
    for (const { _id } of [tested, failing, untested]) await event.api('DELETE', `devices/${_id}.json`)
  })

  // Two seconds.
  test(
    'a device gets another name, then another code that ends its token when it is exchanged, and is revoked',
    deep,
    async () => {
      const made = await event.make('devices.json', { name: 'North 3', accesspoint_ids: [door] })
      const exchange = async (code: string): Promise<string> =>
        (await system.api('POST', `device_codes/${code}/exchange.json`, undefined, { token: '' })).body.token
      const statusOf = async (token: string) =>
        (await system.api('PUT', 'devices/heartbeat.json', {}, { token })).status
      const token = await exchange(made.code)
      const page = await open(`events/${event.id}/devices/${made._id}`)
      await page.getByLabel('Name').fill('North 4')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'North 4' }).waitFor()
      expect(await event.read(`devices/${made._id}.json`)).toMatchObject({ name: 'North 4', accesspoint_ids: [door] })

      await page.getByRole('button', { name: 'New code' }).click()
      await page.locator('.device-code').waitFor()
      expect(await statusOf(token)).toBe(200)
      const next = await exchange(await page.locator('.secret').innerText())
      await expect.poll(() => statusOf(token)).toBe(401)
      expect(await statusOf(next)).toBe(200)

      await page.getByRole('button', { name: 'Revoke' }).click()
      const sure = page.getByRole('alert')
      await sure.getByRole('button', { name: 'Cancel' }).click()
      expect(await statusOf(next)).toBe(200)
      await page.getByRole('button', { name: 'Revoke' }).click()
      await sure.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('heading', { name: 'Devices' }).waitFor()
      await expect.poll(() => statusOf(next)).toBe(401)
      expect((await event.api('GET', `devices/${made._id}.json`)).status).toBe(404)
    },
  )

  // A second.
  test('a delivery of a webhook is sent again from its row, that one alone', deep, async () => {
    const receiver = await startReceiver()
    try {
      const hooked = await TestEvent.open(system, { title: 'Hooked' })
      const hook = { url: receiver.url, event_id: hooked.id, event_types: ['guest.created', 'guest.deleted'] }
      const { _id } = (await system.api('POST', 'webhooks.json', hook)).body
      await hooked.remove(`guests/${await hooked.guest(await hooked.category(), 'ada')}.json`)
      await receiver.until(({ length }) => length === 2)
      const path = `webhooks/${_id}/deliveries.json`
      const created = async () =>
        (await system.api('GET', path)).body.find(
          ({ event_type }: { event_type: string }) => event_type === 'guest.created',
        )
      await expect.poll(async () => (await created()).state).toBe('delivered')
      const before = await created()
      const page = await open(`webhooks/${_id}/deliveries`)
      await page
        .getByRole('row', { name: /Guest added/ })
        .getByRole('button', { name: 'Send again' })
        .click()
      const [, , again] = await receiver.until(({ length }) => length === 3)
      expect(again?.headers['webhook-id']).toBe(before._id)
      expect(again?.json.type).toBe('guest.created')
      await expect.poll(created).toMatchObject({ state: 'delivered', attempt_count: 1 })
      expect(Date.parse((await created()).last_attempt_at)).toBeGreaterThan(Date.parse(before.last_attempt_at))
    } finally {
      await receiver.close()
    }
  })

  test('a token is shown once, works, and is revoked', deep, async () => {
    const page = await open('tokens/new')
    await page.getByLabel('Name').fill('Ticket shop')
    await page.getByLabel('Access', { exact: true }).selectOption('read')
    await page.getByRole('button', { name: 'Save' }).click()
    const token = await page.locator('.secret').innerText()
    const status = async () => (await system.api('GET', 'me.json', undefined, { token })).status
    expect(await status()).toBe(200)
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Tokens' }).click()
    const row = page.getByRole('row', { name: 'Ticket shop' })
    await row.getByRole('button', { name: 'Revoke' }).click()
    expect(await page.getByText(token).count()).toBe(0)
    await row.getByRole('alert').getByRole('button', { name: 'Revoke' }).click()
    await expect.poll(status).toBe(403)
  })
})

/** Whether a part of a page fills the screen. */
function isFull(page: Page): Promise<boolean> {
  return page.evaluate('document.fullscreenElement !== null')
}

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
