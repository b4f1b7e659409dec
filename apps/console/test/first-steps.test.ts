import { buffer as bytesOf } from 'node:stream/consumers'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'
import { overflowAt, violationsOf } from './looks.ts'

const system = await sharedSystem()

describe('the first steps of an organizer in the console', deep, () => {
  let browser: ConsoleBrowser
  let event: TestEvent

  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
    event = await TestEvent.open(system, { title: 'Opening Night' })
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  const fetched = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer())

  /** What a link of a page saves, and under which name. */
  async function saved(page: Page, link: string): Promise<{ name: string; bytes: Buffer }> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: link }).click(),
    ])
    return { name: download.suggestedFilename(), bytes: await bytesOf(await download.createReadStream()) }
  }

  describe('the page of a guest', () => {
    test('shows the QR code to the least role too, with the uid as its alternative text', async () => {
      const ada = await event.guest(await event.category('VIP'), 'ada')
      const page = await browser.open(`events/${event.id}/guests/${ada}`, { role: 'viewer' })
      const picture = page.getByRole('img', { name: 'ada' })
      await expect.poll(() => picture.evaluate(({ naturalWidth }) => naturalWidth)).toBeGreaterThan(0)
    })

    test('saves the QR code as it is, also right after the uid has changed', async () => {
      const grace = await event.guest(await event.category('Press'), 'grace')
      const page = await browser.open(`events/${event.id}/guests/${grace}`)
      const { qrcode_url } = await event.read(`guests/${grace}.json?qrcode_url=true`)
      expect(await saved(page, 'Save the QR code')).toEqual({ name: 'grace.png', bytes: await fetched(qrcode_url) })
      await page.getByLabel('Code', { exact: true }).fill('hopper')
      await page.getByRole('button', { name: 'Save', exact: true }).first().click()
      await page.getByRole('img', { name: 'hopper' }).waitFor()
      expect(await saved(page, 'Save the QR code')).toEqual({ name: 'hopper.png', bytes: await fetched(qrcode_url) })
    })

    test('saves the badge where there is one', async () => {
      const speakers = (await event.make('guest_categories.json', { name: 'Speakers', badge_enabled: true }))._id
      const [mary, emmy] = [await event.guest(speakers, 'mary'), await event.guest(await event.category(), 'emmy')]
      const badgeOf = async (): Promise<string | null> => (await event.read(`guests/${mary}.json`)).badge_url
      await expect.poll(badgeOf).not.toBeNull()
      const page = await browser.open(`events/${event.id}/guests/${mary}`)
      expect(await saved(page, 'Save the badge')).toEqual({
        name: 'mary.pdf',
        bytes: await fetched((await badgeOf()) ?? ''),
      })
      await page.goto(browser.at(`events/${event.id}/guests/${emmy}`))
      await page.getByRole('img', { name: 'emmy' }).waitFor()
      expect(await page.getByRole('link', { name: 'Save the badge' }).count()).toBe(0)
    })

    test('offers the badge as soon as it is made, and asks for it until the page is left', async () => {
      const crew = (await event.make('guest_categories.json', { name: 'Crew', badge_enabled: true }))._id
      const [one, other] = [await event.guest(crew, 'lise'), await event.guest(crew, 'hedy')]
      const page = await browser.open(`events/${event.id}/guests`)
      const isMade = { [one]: false, [other]: false }
      let reads = 0
      // A page that is still loading would wait for timers of the clock that was.
      await page.locator('main h1').waitFor()
      await page.clock.install()
      await page.route(new RegExp(`guests/(${one}|${other})\\.json`), async (route) => {
        reads++
        const response = await route.fetch()
        const guest = await response.json()
        const badge_url = isMade[guest._id] ? `${system.url}/badge` : null
        await route.fulfill({ response, json: { ...guest, badge_url } })
      })
      const coming = page.getByRole('status').filter({ hasText: 'Creating the badge' })
      await page.goto(browser.at(`events/${event.id}/guests/${one}`))
      await coming.waitFor()
      isMade[one] = true
      await page.getByRole('link', { name: 'Save the badge' }).waitFor()
      expect(await coming.count()).toBe(0)
      await page.goto(browser.at(`events/${event.id}/guests/${other}`))
      await coming.waitFor()
      await page.goto(browser.at(`events/${event.id}/accesspoints`))
      await page.getByRole('heading', { name: 'Check-in points' }).waitFor()
      const before = reads
      await page.clock.fastForward('01:00')
      // A request that the page would have begun by now is on the way before this one.
      await page.evaluate('fetch("session.json")')
      expect(reads).toBe(before)
    })

    test('says so where the guest may enter nowhere, and leads to the grid of rights', async () => {
      const fresh = await TestEvent.open(system)
      const [category, door] = [await fresh.category('Press'), await fresh.point()]
      const page = await browser.open(`events/${fresh.id}/guests/${await fresh.guest(category, 'ada')}`)
      await page.getByText('Guests in the category Press have no access anywhere yet.').waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Categories and rights' }).click()
      const nowhere = page.getByRole('rowheader').filter({ hasText: 'No access anywhere' })
      await nowhere.waitFor()
      await page.getByLabel('Press at Door', { exact: true }).selectOption({ label: 'Once here' })
      await page.getByRole('status').filter({ hasText: 'Press at Door: Once here' }).waitFor()
      expect(await nowhere.count()).toBe(0)
      expect(await fresh.read('guest_category_accesspoints.json')).toMatchObject([{ accesspoint_id: door }])
    })
  })

  test('an import into an event without categories leads to the page where one is made', async () => {
    const { id } = await TestEvent.open(system)
    const page = await browser.open(`events/${id}/guests/import`)
    await page.getByText('Create these first').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Guest categories' }).waitFor()
    expect(await page.getByLabel('CSV file').count()).toBe(0)
  })

  test('a form says what its asterisks mean, and offers the time zones and languages that there are', async () => {
    const page = await browser.open('events/new')
    await page.getByText('Fields with * are required.').waitFor()
    const zone = page.getByLabel('Time zone')
    expect(await zone.locator('option').count()).toBeGreaterThan(300)
    await zone.selectOption('Europe/Berlin')
    await page.locator('#field-locale').selectOption('Deutsch')
    await page.getByLabel('Title').fill('Frühlingsfest')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Frühlingsfest' }).waitFor()
    const made = (await system.api('GET', 'events.json')).body.find(
      ({ title }: { title: string }) => title === 'Frühlingsfest',
    )
    expect(made).toMatchObject({ timezone: 'Europe/Berlin', locale: 'de' })
  })

  test('where a new guest has no category to be of, the page leads to the page where one is made', async () => {
    const { id } = await TestEvent.open(system)
    const page = await browser.open(`events/${id}/guests/new`)
    await page.getByText('Create these first').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.getByRole('main').getByRole('link', { name: 'Guest categories' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('VIP')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'VIP' }).waitFor()
    await page.goto(browser.at(`events/${id}/guests/new`))
    await page.getByLabel('Category').selectOption('VIP')
  })

  test('a grid of rights without categories or check-in points leads to the pages where they are made', async () => {
    const bare = await TestEvent.open(system)
    const page = await browser.open(`events/${bare.id}/rights`)
    const main = page.getByRole('main')
    const links = () => main.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    await page.getByText('Create these first').waitFor()
    expect(await links()).toEqual([`#/events/${bare.id}/guest_categories/new`, `#/events/${bare.id}/accesspoints/new`])
    expect(await page.getByRole('table').count()).toBe(0)
    await bare.category()
    await page.reload()
    await page.getByText('Create these first').waitFor()
    expect(await links()).toEqual([`#/events/${bare.id}/accesspoints/new`])
    await bare.point()
    await page.reload()
    await page.getByLabel('Visitors at Door').waitFor()
  })

  test.each([
    ['events/{event}/guests', 'Guests are the people you expect', ['import', 'new'], 'import'],
    ['events/{event}/guest_categories', 'A category is a group of guests with the same rights', ['new'], 'new'],
    ['events/{event}/devices', 'A device is a phone that stewards scan guests with', ['print_station', 'new'], 'new'],
    ['webhooks', 'A webhook tells another system right away', ['new'], 'new'],
  ])(
    'an empty list says what its items are for, and leads to where one is made: %s',
    async (list, says, leads, main) => {
      const { id } = await TestEvent.open(system)
      const place = list.replace('{event}', id)
      const page = await browser.open(place)
      const empty = page.locator('.empty')
      await empty.getByText(says).waitFor()
      const hrefs = await empty.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
      expect(hrefs).toEqual(leads.map((way) => `#/${place}/${way}`))
      // What is usually done stands out.
      expect(await empty.locator('a.button:not(.second)').getAttribute('href')).toBe(`#/${place}/${main}`)
      expect(await page.getByText('Filters', { exact: true }).count()).toBe(0)
      expect([await violationsOf(page), await overflowAt(page, [3840, 360])]).toEqual([[], []])
    },
  )

  test('an empty list offers nothing to a role that may not make its items, and nothing to search; a search says that nothing was found', async () => {
    const event = await TestEvent.open(system)
    const page = await browser.open(`events/${event.id}/guests`, { role: 'viewer' })
    const empty = page.locator('.empty')
    await empty.getByText('Guests are the people you expect').waitFor()
    expect(await empty.getByRole('link').count()).toBe(0)
    expect([await page.getByRole('searchbox').count(), await page.getByRole('columnheader').count()]).toEqual([0, 0])
    await event.make('guest_fields.json', { key: 'diet', label: 'Diet' })
    await page.goto(browser.at(`events/${event.id}/guests?columns=last_name,field%253Adiet`))
    await page.reload()
    await empty.getByText('Guests are the people you expect').waitFor()
    await event.guest(await event.category(), 'ada')
    await page.reload()
    await page.getByRole('searchbox').fill('nobody')
    await empty.getByText('No results.').waitFor()
    expect(await empty.innerText()).toBe('No results.')
  })

  describe('a right', () => {
    const grid = async (viewport?: { width: number; height: number }) => {
      const fresh = await TestEvent.open(system)
      await fresh.category('Press')
      await fresh.point()
      const page = await browser.open(`events/${fresh.id}/rights`, viewport && { viewport })
      const cell = page.getByLabel('Press at Door', { exact: true })
      const limits = async () =>
        (await fresh.read('guest_category_accesspoints.json')).map(
          ({ max_allowed_accesses }: { max_allowed_accesses: number }) => max_allowed_accesses,
        )
      const number = page.getByLabel('Press at Door: Number of times')
      const said = (words: string) =>
        page
          .getByRole('status')
          .filter({ hasText: `Press at Door: ${words}` })
          .waitFor()
      return { page, cell, number, limits, said }
    }

    test('is saved as soon as it is chosen; the page says so before, and beside the choice', async () => {
      const { page, cell, limits, said } = await grid({ width: 360, height: 800 })
      await page.getByText('Each choice is saved at once, a number when you press Enter or leave its field.').waitFor()
      await cell.selectOption({ label: 'Several times' })
      await said('2 times')
      expect(await limits()).toEqual([2])
      await page.locator('td').getByText('Saved').waitFor()
      expect([await violationsOf(page), await overflowAt(page, [360])]).toEqual([[], []])
    })

    test('moves nothing when it is said to be saved, whichever is chosen', async () => {
      const { page, cell, limits } = await grid()
      const size = () => page.locator('tbody td').evaluate((each) => each.getBoundingClientRect().toJSON())
      await cell.waitFor()
      const before = await size()
      for (const [label, stored] of [
        ['Several times', [2]],
        ['No limit', [-1]],
        ['Once here', [1]],
        ['Not at all', []],
      ] as const) {
        await cell.selectOption({ label })
        await expect.poll(limits).toEqual(stored)
        await page.locator('td').getByText('Saved').waitFor()
        expect(await size()).toEqual(before)
      }
    })

    test('without a limit has no options, which would mean nothing', async () => {
      const { page, cell, said } = await grid()
      await cell.selectOption({ label: 'Once here' })
      await page.locator('td').getByText('Options').waitFor()
      await cell.selectOption({ label: 'No limit' })
      await said('No limit')
      expect(await page.locator('td details').count()).toBe(0)
    })

    test('of a category with a long name is chosen on a phone: the name covers nothing', async () => {
      const fresh = await TestEvent.open(system)
      const name = 'Sponsors, partners and their accompanying guests'
      await fresh.category(name)
      await fresh.point()
      const page = await browser.open(`events/${fresh.id}/rights`, { viewport: { width: 360, height: 800 } })
      const cell = page.getByLabel(`${name} at Door`, { exact: true })
      await cell.click({ trial: true })
      const { x = 0, width = 360 } = (await cell.boundingBox()) ?? {}
      expect(x + width).toBeLessThan(360)
    })

    test('at a fifth check-in point is in sight so far on a laptop that nobody misses it, and the categories stay in sight', async () => {
      const fresh = await TestEvent.open(system)
      await fresh.category('Press')
      const doors = ['North', 'South', 'East', 'West', 'Stage']
      for (const name of doors) await fresh.point(name)
      const page = await browser.open(`events/${fresh.id}/rights`, { viewport: { width: 1280, height: 720 } })
      const right = page.getByLabel('Press at Stage', { exact: true })
      const { x = 0, width = 0 } = (await right.boundingBox()) ?? {}
      const { x: left = 0, width: room = 0 } = (await page.locator('.grid').boundingBox()) ?? {}
      expect(left + room - x).toBeGreaterThan(width / 3)
      const name = page.getByRole('rowheader', { name: /^Press/ })
      const before = await name.boundingBox()
      await right.focus()
      await page.locator('.grid').evaluate((grid) => grid.scrollTo(grid.scrollWidth, 0))
      expect((await name.boundingBox())?.x).toBe(before?.x)
    })

    test('that is undone is what it was before', async () => {
      const { page, cell, limits, said } = await grid()
      await cell.selectOption({ label: 'No limit' })
      await said('No limit')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('status').filter({ hasText: 'Undone' }).waitFor()
      expect([await limits(), await cell.inputValue()]).toEqual([[], 'none'])
    })

    test('with a number is saved by Enter and by leaving the field with the Tab key, which loses no place', async () => {
      const { page, cell, number, limits, said } = await grid()
      await cell.selectOption({ label: 'Several times' })
      await number.fill('3')
      await number.press('Enter')
      await said('3 times')
      await number.fill('4')
      await number.press('Tab')
      await said('4 times')
      expect(await limits()).toEqual([4])
      await page.keyboard.press('Shift+Tab')
      expect(await number.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true)
    })

    test('with a number that is none is not saved, and says what may stand there', async () => {
      const { page, cell, number, limits, said } = await grid()
      await cell.selectOption({ label: 'Several times' })
      await said('2 times')
      await number.fill('many')
      await number.press('Enter')
      await page.getByRole('alert').filter({ hasText: 'Enter a whole number from 2' }).waitFor()
      expect(await limits()).toEqual([2])
      expect(await violationsOf(page)).toEqual([])
    })
  })

  test('a role that may not make what is missing gets no link', async () => {
    const bare = await TestEvent.open(system)
    const page = await browser.open(`events/${bare.id}/rights`, { role: 'door_manager' })
    const main = page.getByRole('main')
    await main.getByText('Guest categories').waitFor()
    expect(await main.getByRole('link').allInnerTexts()).toEqual(['Check-in points'])
  })

  test('what was created is said to be saved, until someone closes that', async () => {
    const page = await browser.open(`events/${event.id}/accesspoints/new`)
    await page.getByLabel('Name').fill('North')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'North' }).waitFor()
    const saved = page.getByRole('status').filter({ hasText: 'Saved' })
    await saved.waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await saved.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'North' }).waitFor()
    expect(await saved.count()).toBe(0)
  })

  test('what was created is said on the page to which that leads, and no longer once somebody opens another one', async () => {
    const page = await browser.open(`events/${event.id}/accesspoints/new`)
    await page.getByLabel('Name').fill('West')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'West' }).waitFor()
    const another = page.getByRole('link', { name: 'Add another' })
    await another.waitFor()
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Location').waitFor()
    await another.waitFor({ state: 'detached' })
    await page.getByLabel('Location').fill('Great hall')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'West' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  })

  test('while the server takes its time at the start, that is said in place of an empty page', async () => {
    const page = await browser.open('', { role: null })
    let answer = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/console/session.json', async (route) => {
      await asked
      await route.continue()
    })
    await page.reload({ waitUntil: 'commit' })
    await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor()
    answer()
    await page.getByLabel('Account').waitFor()
  })

  test('what was typed stays where an item cannot be read again after it was saved', async () => {
    const point = await event.point('South')
    const page = await browser.open(`events/${event.id}/accesspoints/${point}`)
    const name = page.getByLabel('Name')
    await name.fill('South gate')
    await page.route(`**/accesspoints/${point}.json*`, (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
    )
    await page.getByRole('button', { name: 'Save' }).click()
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await name.fill('South entrance')
    await page.unrouteAll()
    await again.click()
    await page.getByRole('heading', { name: 'South gate' }).waitFor()
    expect(await name.inputValue()).toBe('South entrance')
  })

  describe('the code of a new device', () => {
    const loopback = 'Phones cannot reach'

    async function create(page: Page, name: string): Promise<void> {
      await page.getByLabel('Name').fill(name)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await page.locator('.device-code').waitFor()
    }

    test('opens the scanner in this browser where its address is loopback, which no phone reaches', async () => {
      const page = await browser.open(`events/${event.id}/devices/new`)
      await create(page, 'Desk')
      await page.getByText(`${loopback} 127.0.0.1`).waitFor()
      expect(await page.getByText('the phone’s camera').count()).toBe(0)
      await page.getByText('This code turns a phone into a scanner').waitFor()
      await page.getByText('to set PUBLIC_URL').waitFor()
      expect(await page.locator('.qr-code').count()).toBe(0)
      await page.getByRole('link', { name: 'Open the scanner in this browser' }).click()
      const enrolled = async () =>
        (await event.read('devices.json')).find(({ name }: { name: string }) => name === 'Desk').enrolled_at
      await expect.poll(enrolled).not.toBeNull()
    })

    test('is of a phone at all check-in points unless somebody says otherwise, and its page says when the phone is connected', async () => {
      const own = await TestEvent.open(system)
      const points = [await own.point('North'), await own.point('South')]
      const page = await browser.open(`events/${own.id}/devices/new`)
      const name = page.getByLabel('Name')
      await expect.poll(() => name.inputValue()).toBe('Phone 1')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'Phone 1' }).waitFor()
      await page.getByText('ask whoever runs the server').waitFor()
      expect([await violationsOf(page), await overflowAt(page, [360])]).toEqual([[], []])
      const code = await page.locator('.secret').innerText()
      expect(await page.getByText('Phone 1 is connected.').count()).toBe(0)
      await system.api('POST', `device_codes/${code}/exchange.json`)
      await page.getByRole('status').filter({ hasText: 'Phone 1 is connected. On the phone, run “Test this' }).waitFor()
      expect(await page.getByText('Works once').count()).toBe(0)
      expect([await violationsOf(page), await overflowAt(page, [360])]).toEqual([[], []])
      const next = page.getByRole('main').getByRole('link', { name: 'Next: Check the first guest in' })
      expect(await next.getAttribute('href')).toBe(`#/events/${own.id}/live`)
      expect(await own.read('devices.json')).toMatchObject([{ name: 'Phone 1', accesspoint_ids: points }])
      await page.goto(browser.at(`events/${own.id}/devices`))
      await page.getByRole('link', { name: 'Add device' }).click()
      await expect.poll(() => name.inputValue()).toBe('Phone 2')
    })

    test('is for phones alone where they reach its address', async () => {
      const page = await browser.open(`events/${event.id}/devices/new`)
      await page.route('**/devices.json', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        const response = await route.fetch()
        await route.fulfill({
          response,
          json: { ...(await response.json()), url: 'https://example.org/scanner/#code' },
        })
      })
      await create(page, 'Phone')
      await page.locator('.qr-code svg').waitFor()
      expect(await page.getByText(loopback).count()).toBe(0)
    })
  })
})
