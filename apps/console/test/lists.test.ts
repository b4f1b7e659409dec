// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'
import { violationsOf } from './looks.ts'

const PHONE = { width: 360, height: 740 }
const LONG = 'ada.lovelace@analytical-society.example.org'
const SPONSORS = 'Sponsors, partners and their accompanying guests'
/** Enough that a phone does not show all of them. */
const GUESTS = 30

const system = await sharedSystem()

describe('the lists of the console', () => {
  let browser: ConsoleBrowser
  let event: TestEvent

  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
    event = await TestEvent.open(system, { title: 'Opening Night', timezone: 'Asia/Tokyo' })
    const vip = await event.category('VIP')
    const door = await event.point('Main entrance')
    await event.link(vip, door, 1)
    for (let number = 1; number < GUESTS; number++)
      await event.guest(vip, `g${number}`, { first_name: 'Grace', last_name: `Turing ${number}` })
    await event.guest(vip, 'ada', { first_name: 'Ada', last_name: 'Lovelace', email: LONG })
    await event.make('access_controls.json', {
      accesspoint_id: door,
      guest_uid: 'ada',
      access_stamp: '2026-03-09T20:05:00Z',
    })
    await event.make('guest_categories.json', { name: SPONSORS, badge_enabled: true })
    await event.make('promo_codes.json', { text: 'EARLY', amount: 0.2, percentage_of_total: true })
    await event.make('promo_codes.json', { text: 'FLAT', amount: 1500, max_usage: 5 })
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  const open = (list: string, how: Parameters<ConsoleBrowser['open']>[1] = {}): Promise<Page> =>
    browser.open(`events/${event.id}/${list}`, how)

  test('columns are as wide as what is in them: an e-mail address is not cut', async () => {
    const page = await open('guests')
    const cell = page.getByRole('cell', { name: LONG })
    await cell.waitFor()
    expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  })

  test('in a narrow window rows are cards: each has its name and what the columns have, uncut, and scrolling reaches the last', async () => {
    const page = await open('guests', { viewport: PHONE })
    const cards = page.locator('.cards > li')
    const ada = cards.filter({ hasText: 'Ada Lovelace' })
    await ada.getByText('VIP').waitFor()
    expect((await ada.locator('dl > div').allInnerTexts()).map((text) => text.split('\n'))).toContainEqual([
      'E-mail',
      LONG,
    ])
    const ends = await cards.evaluateAll((all) =>
      all.map((card) => [
        card.lastElementChild?.getBoundingClientRect().bottom,
        card.getBoundingClientRect().bottom,
        card.scrollWidth - card.clientWidth,
      ]),
    )
    for (const [content, card, beyond] of ends) {
      expect(content).toBeLessThanOrEqual(card as number)
      expect(beyond).toBe(0)
    }
    await page.locator('.list').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await cards
      .filter({ hasText: /^Grace Turing 9(?!\d)/ })
      .getByText('g9', { exact: true })
      .waitFor()
    expect(await cards.last().getAttribute('aria-posinset')).toBe(String(GUESTS))
    expect(await cards.count()).toBeLessThan(GUESTS)
  })

  test.each([
    ['short', 'guest_categories', SPONSORS],
    ['long', 'guests', 'Ada Lovelace'],
  ])('in a %s list each card is as high as what is in it', async (_, list, text) => {
    const page = await open(list, { viewport: PHONE })
    const cards = page.locator('.cards > li')
    await cards.filter({ hasText: text }).waitFor()
    const spare = await cards.evaluateAll((all) =>
      all.map(
        (card) => card.getBoundingClientRect().bottom - (card.lastElementChild?.getBoundingClientRect().bottom ?? 0),
      ),
    )
    expect(Math.max(...spare)).toBeLessThan(20)
  })

  test('cards that were not seen before move none that is in sight', async () => {
    const page = await open('guests', { viewport: PHONE })
    const list = page.locator('.list')
    const card = (name: string) => page.locator('.cards > li').filter({ hasText: name })
    await card('Ada Lovelace').waitFor()
    await list.evaluate((each) => each.scrollTo(0, each.scrollHeight))
    await card('Grace Turing 9').last().waitFor()
    const tops = await page.evaluate<number[]>(`(async () => {
      const list = document.querySelector('.list')
      const found = []
      for (let step = 0; step < 40 && list.scrollTop > 0; step++) {
        const [, second] = list.querySelectorAll('.cards > li')
        const number = second.getAttribute('aria-posinset')
        const before = second.getBoundingClientRect().top
        list.scrollTop -= 50
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
        const after = list.querySelector(\`[aria-posinset="\${number}"]\`)
        if (after && list.scrollTop > 0) found.push(after.getBoundingClientRect().top - before)
      }
      return found
    })()`)
    expect(tops.length).toBeGreaterThan(10)
    for (const moved of tops) expect(moved).toBeCloseTo(50, -1)
  })

  test.each([360, 1280])(
    'the filters of a list are behind one button, which says how many are in use, in a window of %i pixels',
    async (width) => {
      const page = await open('access_controls', { viewport: { width, height: 740 } })
      const button = page.getByText('Filters', { exact: true })
      const result = page.getByLabel('Result', { exact: true })
      await page.getByText('Ada Lovelace', { exact: true }).last().waitFor()
      expect(await result.isVisible()).toBe(false)
      await button.click()
      await result.selectOption({ label: 'Already used' })
      await page.getByText('No results.').waitFor()
      await page.getByText('Filters (1)').click()
      expect(await result.isVisible()).toBe(false)
    },
  )

  test('a table whose columns are cut keeps the name in sight, and a column of ticks is as wide as a tick', async () => {
    const page = await open('guests', { viewport: { width: 800, height: 740 } })
    const [tick, name] = [page.locator('tbody td').first(), page.locator('tbody tr').first().locator('td').nth(1)]
    await name.getByRole('link').waitFor()
    expect((await tick.getByRole('checkbox').boundingBox())?.width).toBe(18)
    const [ofTick, before] = [await tick.boundingBox(), await name.boundingBox()]
    expect(ofTick?.width).toBeLessThan(50)
    // Beside each other, so that the name covers nothing.
    expect((ofTick?.x ?? 0) + (ofTick?.width ?? 0)).toBeCloseTo(before?.x ?? 0, 0)
    await page.locator('.list').evaluate((list) => list.scrollTo(200, 0))
    expect((await name.boundingBox())?.x).toBeCloseTo(before?.x ?? 0, -1)
  })

  test('a reply has one line where other cells have two', async () => {
    const fair = await TestEvent.open(system)
    const more = {
      email: 'grace.hopper@example.org',
      company_name: 'Acme Broadcasting Corporation of Northern England',
    }
    await fair.guest(await fair.category('Press and broadcasting'), 'grace', { last_name: 'Hopper', ...more })
    const page = await browser.open(`events/${fair.id}/guests`, { viewport: { width: 1280, height: 740 } })
    await page.locator('table.folded').waitFor()
    const reply = page.getByRole('cell', { name: 'No reply' })
    const { height = 0 } = (await reply.locator('.held').boundingBox()) ?? {}
    expect(height).toBeLessThan(20)
    expect(await reply.locator('.held').evaluate((held) => held.scrollWidth - held.clientWidth)).toBe(0)
  })

  test('an e-mail address has its host in a second line where a table would not fit otherwise', async () => {
    const fair = await TestEvent.open(system)
    const email = 'rosalind.daubechies117@example.org'
    const more = { email, first_name: 'Rosalind', company_name: 'University of Southern England' }
    await fair.guest(await fair.category('Press and broadcasting'), 'rosalind', { last_name: 'Daubechies', ...more })
    for (const [width, lines] of [
      [1280, 1],
      [1190, 2],
    ] as const) {
      const page = await browser.open(`events/${fair.id}/guests`, { viewport: { width, height: 740 } })
      await page.locator('table.folded').waitFor()
      const parts = page.getByRole('cell', { name: email, exact: true }).locator('.address span')
      const tops = () => parts.evaluateAll((all) => new Set(all.map((part) => part.getBoundingClientRect().top)).size)
      await expect.poll(tops).toBe(lines)
      const beyond = () => page.locator('.list').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      await expect.poll(beyond).toBe(0)
    }
  })

  test('a table that does not fit shortens its widest columns, as long as that is enough', async () => {
    const fair = await TestEvent.open(system, { timezone: 'Europe/London' })
    const vip = await fair.category()
    const point = await fair.point('Side entrance for artists and crew')
    const name = { first_name: 'Maximilian-Alexander', last_name: 'von und zu Hohenlohe-Langenburg' }
    await fair.guest(vip, 'max', name)
    await fair.scan(point, 'max')
    await fair.scan(await fair.point('Main entrance'), 'max')
    const page = await browser.open(`events/${fair.id}/access_controls`)
    await page.getByRole('cell', { name: 'Maximilian-Alexander' }).first().waitFor()
    const beyond = () => page.locator('.list').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    await expect.poll(beyond).toBe(0)
    const times = page.locator('td:has(time)')
    expect(await times.first().evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  })

  test('what a check-in has come to is whole where other columns give way', async () => {
    const fair = await TestEvent.open(system, { timezone: 'Europe/London' })
    const point = await fair.point('Side entrance for artists, crew, deliveries and everybody else')
    const name = { first_name: 'Maximilian-Alexander', last_name: 'von und zu Hohenlohe-Langenburg' }
    await fair.guest(await fair.category(), 'max', name)
    await fair.scan(point, 'max', { decided_offline: 0 })
    const page = await browser.open(`events/${fair.id}/access_controls`)
    const cell = page.getByRole('cell', { name: 'Not authorized · no right here · device: Let in' })
    await cell.waitFor()
    await page.getByRole('cell', { name: 'Maximilian-Alexander' }).waitFor()
    const cut = ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
      scrollWidth - clientWidth
    await expect.poll(() => cell.evaluate(cut)).toBe(0)
  })

  test('a card says that something is for all events', async () => {
    await system.api('POST', 'tokens.json', { name: 'For everything', scope: 'read' })
    const page = await browser.open('tokens', { viewport: PHONE })
    await page.getByRole('listitem').filter({ hasText: 'For everything' }).getByText('All events').waitFor()
  })

  test('on paper codes and e-mail addresses are not broken at their hyphens', async () => {
    const fair = await TestEvent.open(system)
    const code = 'vip-2027-gala-night-0815'
    const last_name = 'Featherstonehaugh of the International Documentary Festival and its many Friends'
    const email = 'anne-marie.tour@river-side-festivals.example'
    await fair.guest(await fair.category(SPONSORS), code, {
      first_name: 'Anne',
      last_name,
      email,
    })
    const page = await browser.open(`events/${fair.id}/guests`, { viewport: { width: 1040, height: 720 } })
    await page.getByRole('cell', { name: code }).waitFor()
    await page.emulateMedia({ media: 'print' })
    const lines = (text: string) =>
      page
        .getByText(text, { exact: true })
        .evaluate((each) => new Set(Array.from(each.getClientRects(), ({ top }) => Math.round(top))).size)
    await expect.poll(() => lines(last_name)).toBeGreaterThan(1)
    expect([await lines(code), await lines(email)]).toEqual([1, 1])
  })

  test('on paper a list has all of its rows that were read, with columns that wrap in place of being cut, and nothing to tick', async () => {
    const page = await open('guests', { viewport: { width: 1040, height: 720 } })
    await page.getByRole('cell', { name: LONG }).waitFor()
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.locator('tbody tr').count()).toBe(GUESTS)
    const cut = await page
      .locator('main, .list, .list table, td, th')
      .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length)
    expect(cut).toBe(0)
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await page.emulateMedia({ media: 'screen' })
    await page.locator('tbody tr').last().waitFor()
  })

  test('on paper the grid of rights has words in place of menus, and all check-in points', async () => {
    const fair = await TestEvent.open(system)
    const vip = await fair.category('VIP')
    const points = []
    for (let number = 1; number <= 8; number++) points.push(await fair.point(`Entrance for artists ${number}`))
    await fair.link(vip, points[0] as string, 1)
    const page = await browser.open(`events/${fair.id}/rights`, { viewport: { width: 1040, height: 720 } })
    const menu = page.locator('.grid select').first()
    await menu.waitFor()
    await page.emulateMedia({ media: 'print' })
    await menu.waitFor({ state: 'detached' })
    expect(await page.locator('tbody td').first().innerText()).toMatch(/\w/)
    const beyond = () => page.locator('.grid').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    await expect.poll(beyond).toBe(0)
    await page.emulateMedia({ media: 'screen' })
    await menu.waitFor()
  })

  test('what stands in each row is quiet, such as revoking a token; what it asks is not', async () => {
    await system.api('POST', 'tokens.json', { name: 'Ticket shop', scope: 'read' })
    const page = await browser.open('tokens')
    const row = page.getByRole('row', { name: 'Ticket shop' })
    const revoke = row.getByRole('button', { name: 'Revoke' })
    await revoke.waitFor()
    expect(await revoke.getAttribute('class')).toBe('second')
    await revoke.click()
    expect(await row.getByRole('alert').getByRole('button', { name: 'Revoke' }).getAttribute('class')).toBe('alarming')
  })

  test('what is asked before an act of a row names what it is about, and a key that is held does nothing', async () => {
    const page = await open('access_controls', { viewport: { width: 820, height: 740 } })
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.first().focus()
    await page.keyboard.press('Enter')
    const asking = page.getByRole('dialog', { name: 'Undo' })
    await asking.getByText('Ada Lovelace · Main entrance · 10 Mar 2026, 05:05 GMT+9').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await asking.waitFor({ state: 'detached' })
    expect(await event.read('access_controls.json')).toHaveLength(1)
    await undo.first().click()
    await page.keyboard.press('Escape')
    await asking.waitFor({ state: 'detached' })
  })

  test('check-ins fit into a window of 1280 pixels beside what can be done, in a language of long words, too', async () => {
    const fair = await TestEvent.open(system, { timezone: 'Europe/Berlin' })
    const [vip, point] = [await fair.category(), await fair.point('Lieferanteneingang Nord')]
    await fair.guest(vip, 'grace', { first_name: 'Mary', last_name: 'von und zu Hohenlohe-Langenburg' })
    await fair.scan(point, 'grace')
    await fair.link(vip, point, 1)
    await fair.scan(point, 'grace')
    await fair.scan(point, 'grace')
    const page = await browser.open(`events/${fair.id}/access_controls`, {
      viewport: { width: 1280, height: 900 },
      locale: 'de-DE',
    })
    await page.getByRole('link', { name: 'Mary von und zu' }).first().waitFor()
    await page.getByRole('columnheader', { name: 'Personen' }).waitFor()
    const hidden = () =>
      page.evaluate<string[]>(`(() => {
        const end = document.querySelector('.list .row-acts').getBoundingClientRect().left
        return [...document.querySelectorAll('.list :is(th, td):not(.row-acts)')]
          .filter((cell) => cell.getBoundingClientRect().right > end + 1 || cell.querySelector('.held').scrollWidth > cell.clientWidth)
          .map((cell) => cell.textContent)
      })()`)
    await expect.poll(hidden).toEqual([])
    const heights = await page
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
    expect(new Set(heights)).toEqual(new Set([36]))
  })

  test('check-ins that a device decided otherwise show both decisions side by side, and where the guest was let in besides', async () => {
    const fair = await TestEvent.open(system, { timezone: 'Asia/Tokyo' })
    const [vip, point] = [await fair.category(), await fair.point('Main entrance')]
    await fair.link(vip, point, 1)
    await fair.guest(vip, 'grace', { first_name: 'Grace', last_name: 'Hopper' })
    await fair.scan(point, 'stranger', { decided_offline: 0 })
    await fair.scan(point, 'grace', { access_stamp: '2026-03-09T20:00:00Z' })
    await fair.scan(point, 'grace', { access_stamp: '2026-03-09T20:30:00Z', decided_offline: 0 })
    const page = await browser.open(`events/${fair.id}/access_controls?conflicts=true`)
    await page.getByText('10 Mar 2026, 05:00 GMT+9 · Main entrance').waitFor()
    await page.getByText('Grace Hopper').waitFor()
    const rows = await page.locator('tbody tr').allInnerTexts()
    expect(rows.map((row) => row.split('\t').slice(1, 6))).toEqual([
      ['stranger', 'Main entrance', 'Let in', 'Unknown guest', '–'],
      [
        ...['Grace Hopper', 'Main entrance', 'Let in', 'Already used · was let in at 05:00'],
        '10\u00a0Mar\u00a02026, 05:00\u00a0GMT+9 · Main entrance',
      ],
    ])
  })

  test('an empty list has one way to add an item, where its rows would be', async () => {
    const page = await open('exhibitors')
    await page.locator('.empty').getByRole('link', { name: 'Add exhibitor' }).waitFor()
    expect(await page.getByRole('link', { name: 'Add exhibitor' }).count()).toBe(1)
  })

  test('what the API calls -1 is no limit, and a share is a percentage', async () => {
    const page = await open('promo_codes', { locale: 'de-DE' })
    const cells = (name: string) => page.getByRole('row', { name }).getByRole('cell').allInnerTexts()
    await page.getByRole('cell', { name: 'EARLY' }).waitFor()
    expect(await cells('EARLY')).toEqual(['EARLY', '–', '20\u00a0%', 'Unbegrenzt', '0', 'Ja'])
    expect(await cells('FLAT')).toEqual(['FLAT', '–', '1.500', '5', '0', 'Ja'])
  })

  test.each([
    ['en', '10 Mar 2026, 05:05 GMT+9'],
    ['en-US', 'Mar 10, 2026, 5:05 AM GMT+9'],
    ['de', '10. März 2026, 05:05 GMT+9'],
  ])(
    'times are shown and filtered in the time zone of the event, which is named, as readers with the locale %s write them',
    async (locale, time) => {
      const page = await open('access_controls', { locale, timezoneId: 'America/New_York' })
      const shown = page.getByText(time, { exact: true })
      await shown.waitFor()
      await page.locator('.filters summary').click()
      const since = page.getByLabel('(Asia/Tokyo)').first()
      await since.fill('2026-03-10T05:06')
      await since.blur()
      await page.locator('.empty').waitFor()
      await page.locator('.filters summary').click()
      await since.fill('2026-03-10T05:05')
      await since.blur()
      await shown.waitFor()
    },
  )
})
