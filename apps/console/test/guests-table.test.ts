// @module-tag slow
import { text as textOf } from 'node:stream/consumers'
import { databaseOf } from '@gatehouse/test/harness/databases.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { complete } from '../../../services/guests/guests/stored-guest.ts'
import { testGuest } from '../../../services/guests/test-guest.ts'
import { ConsoleBrowser } from './console-browser.ts'

const system = await sharedSystem()
/** More than a page of the API has. Eight requests: six are sent at a time, and one is answered before the work is stopped. */
const MANY = 1_420
/** Guests of one request of an act for many. */
const AT_ONCE = 200

describe('the table of guests', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  /** An event with three guests in two categories, one of whom has come in. */
  async function eventWithThree() {
    const event = await TestEvent.open(system, { title: 'Opening Night' })
    const [vip, press, door] = [await event.category('VIP'), await event.category('Press'), await event.point('Main')]
    await event.link(vip, door, 1)
    await event.guest(vip, 'ada', { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' })
    await event.guest(vip, 'grace', { last_name: 'Hopper', rsvp_status: 'accepted' })
    await event.guest(press, 'mary', { last_name: 'Ward' })
    await event.scan(door, 'ada')
    return { event, vip, press, door }
  }

  /** Stores guests called Many, which by requests would take long. */
  async function storeMany(event: TestEvent, guest_category_id: string, count: number): Promise<void> {
    const guests = Array.from({ length: count }, (_, index) => {
      const _id = `${event.id.slice(0, 16)}${index.toString(16).padStart(8, '0')}`
      return complete(
        testGuest({ _id, event_id: event.id, guest_category_id, uid: `many-${index}`, last_name: 'Many' }),
      )
    })
    await databaseOf(system, 'guests').collection<{ _id: string }>('guests').insertMany(guests)
  }

  const openGuests = ({ id }: TestEvent, query = '') => browser.open(`events/${id}/guests${query}`)
  /** The last names that the table shows, from top to bottom. */
  const names = (page: Page) => page.locator('tbody tr td a').allInnerTexts()

  test('guests are sorted by name, then filtered and sorted otherwise; the address names filters and order, and opens the same list again; a filter in use is named and can be removed', async () => {
    const { event } = await eventWithThree()
    const page = await openGuests(event)
    await expect.poll(() => names(page)).toEqual(['Hopper', 'Lovelace', 'Ward'])
    expect(await page.getByRole('columnheader', { name: 'Last name' }).getAttribute('aria-sort')).toBe('ascending')
    await page.getByRole('button', { name: 'Last name' }).click()
    await expect.poll(() => names(page)).toEqual(['Ward', 'Lovelace', 'Hopper'])
    expect(await page.getByRole('columnheader', { name: 'Last name' }).getAttribute('aria-sort')).toBe('descending')
    await page.getByText('Filters', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Category' }).selectOption({ label: 'VIP' })
    await expect.poll(() => names(page)).toEqual(['Lovelace', 'Hopper'])
    expect(page.url()).toContain('sort=-last_name')
    await page.getByRole('combobox', { name: 'Checked in' }).selectOption('Checked in: No')
    await expect.poll(() => names(page)).toEqual(['Hopper'])
    const again = await browser.open()
    await again.goto(page.url())
    await expect.poll(() => names(again)).toEqual(['Hopper'])
    await again.getByRole('button', { name: 'Remove the filter Category: VIP' }).waitFor()
    await again.getByRole('button', { name: 'Remove the filter Checked in: No' }).click()
    await expect.poll(() => names(again)).toEqual(['Lovelace', 'Hopper'])
    await again.getByRole('button', { name: 'Last name' }).click()
    await expect.poll(() => names(again)).toEqual(['Hopper', 'Lovelace'])
    expect(again.url()).not.toContain('sort')
    await again.goto(browser.at(`events/${event.id}/guests?rsvp_status=accepted&source=api&unknown=1`))
    await expect.poll(() => names(again)).toEqual(['Hopper'])
    await again.goto(browser.at(`events/${event.id}/guests?source=import`))
    await again.getByText('No results.').waitFor()
  })

  test('columns are chosen per event, guest fields too, and stay in the browser; a view has them with filters, under a name', async () => {
    const { event } = await eventWithThree()
    await event.make('guest_fields.json', { key: 'diet', label: 'Diet' })
    const [ada] = await event.read('guests.json?uid=ada')
    await event.change(`guests/${ada._id}.json`, { guest_metadata: [{ name: 'diet', value: 'Vegan' }] })
    const page = await openGuests(event)
    const headings = () => page.locator('thead th').allInnerTexts()
    await page.getByText('Columns', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'Diet' }).check()
    for (const name of ['Company', 'E-mail', 'Code', 'First name', 'Reply', 'Checked in'])
      await page.getByRole('checkbox', { name, exact: true }).uncheck()
    await page.keyboard.press('Escape')
    await expect.poll(headings).toEqual([expect.anything(), 'Last name', 'Category', 'Diet'])
    await page.getByRole('cell', { name: 'Vegan' }).waitFor()
    await page.reload()
    await expect.poll(headings).toEqual([expect.anything(), 'Last name', 'Category', 'Diet'])
    await page.getByText('Filters', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Category' }).selectOption({ label: 'VIP' })
    await page.getByText('Views', { exact: true }).click()
    await page.getByLabel('Name of the view').fill('Diets of VIPs')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('button', { name: 'Remove the filter Category: VIP' }).click()
    await page.getByText('Columns', { exact: true }).click()
    await page.getByRole('button', { name: 'Usual columns' }).click()
    await expect.poll(async () => (await headings()).length).toBe(9)
    await page.getByText('Views', { exact: true }).click()
    await page.getByRole('link', { name: 'Diets of VIPs' }).click()
    await expect.poll(headings).toEqual([expect.anything(), 'Last name', 'Category', 'Diet'])
    await expect.poll(() => names(page)).toEqual(['Hopper', 'Lovelace'])
    await page.getByText('Views', { exact: true }).click()
    await page.getByRole('button', { name: 'Delete the view Diets of VIPs' }).click()
    expect(await page.getByRole('link', { name: 'Diets of VIPs' }).count()).toBe(0)
  })

  test('selected guests get another category, come in at a check-in point, and are deleted once their number is typed; who fails is named with the reason', async () => {
    const { event } = await eventWithThree()
    const page = await openGuests(event)
    const bar = page.getByRole('region', { name: 'Selection' })
    const report = page.getByRole('region', { name: 'Progress' })
    const done = async (text: string): Promise<void> => {
      await report.getByText(text).waitFor()
      await report.getByRole('button', { name: 'Close' }).click()
    }
    await page.getByRole('checkbox', { name: 'Ward' }).check()
    await page.getByRole('checkbox', { name: 'Select: Ada Lovelace' }).check()
    await bar.getByText('Selected: 2').waitFor()
    await bar.getByRole('button', { name: 'Set category' }).click()
    await bar.getByLabel('New category of the selected guests (2)').selectOption({ label: 'Press' })
    await bar.getByRole('button', { name: 'Set category' }).click()
    await done('Done: 2')
    await expect.poll(() => page.getByRole('cell', { name: 'Press' }).count()).toBe(2)

    await page.getByRole('checkbox', { name: 'Select all found' }).check()
    await bar.getByText('Selected: 3').waitFor()
    await bar.getByRole('button', { name: 'Check in' }).click()
    await bar.getByRole('button', { name: 'Check in' }).click()
    await report.getByText('Failed: 2').waitFor()
    expect((await report.getByRole('listitem').allInnerTexts()).sort()).toEqual([
      'Ada Lovelace: Not authorized · no right here',
      'Ward: Not authorized · no right here',
    ])
    const saving = page.waitForEvent('download')
    await report.getByRole('button', { name: 'Save as a file' }).click()
    expect((await saving).suggestedFilename()).toBe('guests-failed.csv')
    await done('Done: 1')
    // Those with whom it failed stay selected.
    await bar.getByText('Selected: 2').waitFor()
    await bar.getByRole('button', { name: 'Delete' }).click()
    const typed = bar.getByLabel('This deletes the selected guests for good')
    await typed.fill('3')
    expect(await bar.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await typed.fill('2')
    await typed.press('Enter')
    await done('Done: 2')
    await expect.poll(() => names(page)).toEqual(['Hopper'])
    expect(await bar.count()).toBe(0)
  })

  test('in a window of 360 pixels what is done to selected guests is behind one button, and the next guest can be selected', async () => {
    const { event } = await eventWithThree()
    const page = await browser.open(`events/${event.id}/guests`, { viewport: { width: 360, height: 740 } })
    const bar = page.getByRole('region', { name: 'Selection' })
    await page.getByRole('checkbox', { name: 'Select: Ada Lovelace' }).check()
    await page.getByRole('checkbox', { name: 'Ward' }).check()
    await bar.getByText('Selected: 2').waitFor()
    expect(await bar.getByRole('button', { name: 'Delete' }).isVisible()).toBe(false)
    await bar.getByText('Actions', { exact: true }).click()
    await bar.getByRole('button', { name: 'Set category' }).click()
    await bar.getByLabel('New category of the selected guests (2)').waitFor()
  })

  test('all whom a search finds are selected, also those who are on no page that was seen, and exported; a viewer selects nobody', async () => {
    const { event, vip } = await eventWithThree()
    const crowd = Array.from({ length: 12 }, (_, index) => `Crowd ${index}`)
    for (const last_name of crowd) await event.make('guests.json', { guest_category_id: vip, last_name })
    const page = await openGuests(event, '?search=crowd')
    await page.getByRole('checkbox', { name: 'Select all found' }).check()
    await page.getByText('Selected: 12').waitFor()
    await page.getByRole('searchbox').fill('')
    await page.getByText('15 in total').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Export' }).click(),
    ])
    const lines = (await textOf(await download.createReadStream())).trim().split('\r\n')
    expect(lines).toHaveLength(13)
    const viewer = await browser.open(`events/${event.id}/guests`, { role: 'viewer' })
    await viewer.getByText('15 in total').waitFor()
    await viewer.locator('tbody a').first().waitFor()
    expect(await viewer.locator('td input').count()).toBe(0)
  })

  test('more guests than a page of the API has are selected, checked in, exported and deleted, each once and all counted, though it is stopped in between', async () => {
    const event = await TestEvent.open(system, { title: 'Congress' })
    const [vip, press, door] = [await event.category('VIP'), await event.category('Press'), await event.point('Main')]
    await event.link(vip, door, 1)
    await storeMany(event, vip, MANY)
    const page = await openGuests(event)
    const bar = page.getByRole('region', { name: 'Selection' })
    const report = page.getByRole('region', { name: 'Progress' })
    const selectAll = async (): Promise<void> => {
      await page.getByRole('checkbox', { name: 'Select all found' }).check()
      await bar.getByText(`Selected: ${MANY.toLocaleString('en-GB')}`).waitFor()
    }
    await selectAll()
    const stoppable = async (act: string, count: number): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      let sent = 0
      const hold = /batch_(create|update|delete)/
      // Some are done before it is stopped.
      await page.route(hold, async (route) => {
        if (++sent > 1) await promise
        await route.continue()
      })
      await bar.getByRole('button', { name: act }).click()
      await report.getByRole('button', { name: 'Stop' }).click()
      resolve()
      await report.getByRole('button', { name: 'Continue' }).click()
      await report.getByText(`Done: ${count.toLocaleString('en-GB')}`).waitFor()
      await page.unroute(hold)
      await report.getByRole('button', { name: 'Close' }).click()
    }
    await bar.getByRole('button', { name: 'Check in' }).click()
    await stoppable('Check in', MANY)
    const statistics = await event.read('statistics.json')
    expect(statistics).toMatchObject({ check_in_count: MANY, checked_in_guest_count: MANY })
    expect(statistics.by_status.find(({ access_status }: { access_status: number }) => access_status === 0).count).toBe(
      MANY,
    )
    await selectAll()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      bar.getByRole('button', { name: 'Export' }).click(),
    ])
    const lines = (await textOf(await download.createReadStream())).trim().split('\r\n')
    expect(new Set(lines.slice(1)).size).toBe(MANY)
    await bar.getByRole('button', { name: 'Set category' }).click()
    await bar.getByLabel('New category').selectOption({ label: 'Press' })
    await stoppable('Set category', MANY)
    const categories = (await event.all('guests.json')).map(({ guest_category_id }) => guest_category_id)
    expect(categories).toEqual(Array(MANY).fill(press))
    await selectAll()
    await bar.getByRole('button', { name: 'Delete' }).click()
    await bar.getByLabel('This deletes the selected guests for good').fill(String(MANY))
    await stoppable('Delete', MANY)
    expect(await event.read('guests.json')).toEqual([])
  })

  test('an act for many waits while there are too many requests, stops when told to, and goes on where it was, with what was on the way', async () => {
    const { event, vip } = await eventWithThree()
    await storeMany(event, vip, 3 * AT_ONCE)
    const page = await openGuests(event, '?search=many')
    const stopped = Promise.withResolvers<void>()
    const continued = Promise.withResolvers<void>()
    let asked = 0
    const refuse = (route: Route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '0' }, json: { error: 'busy' } })
    await page.route(/batch_update/, async (route) => {
      const place = ++asked
      await (place === 1 ? continued : stopped).promise
      // The first one on the way, and once more when it is sent again.
      if (place === 1 || place === 4) await refuse(route)
      else await route.continue()
    })
    await page.getByRole('checkbox', { name: 'Select all found' }).check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByRole('button', { name: 'Set category' }).click()
    await bar.getByLabel('New category').selectOption({ label: 'Press' })
    await bar.getByRole('button', { name: 'Set category' }).click()
    await expect.poll(() => asked).toBe(3)
    await page.getByRole('button', { name: 'Stop' }).click()
    stopped.resolve()
    await page.getByText(`${2 * AT_ONCE} of ${3 * AT_ONCE} guests`).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    continued.resolve()
    await page.getByText(`Done: ${3 * AT_ONCE}`).waitFor()
    expect(await event.read(`guests.json?category[]=${vip}&search=many&per_page=1`)).toEqual([])
    expect(asked).toBe(5)
  })
})
