// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'

const system = await sharedSystem()

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

  const openGuests = ({ id }: TestEvent, query = '') => browser.open(`events/${id}/guests${query}`)
  /** The last names that the table shows, from top to bottom. */
  const names = (page: Page) => page.locator('tbody tr td a').allInnerTexts()

  test('guests are filtered and sorted; the address names filters and order, and opens the same list again', async () => {
    const { event } = await eventWithThree()
    const page = await openGuests(event)
    await expect.poll(() => names(page)).toEqual(['Ward', 'Hopper', 'Lovelace'])
    await page.getByRole('button', { name: 'Last name' }).click()
    await expect.poll(() => names(page)).toEqual(['Hopper', 'Lovelace', 'Ward'])
    await page.getByRole('button', { name: 'Last name' }).click()
    await expect.poll(() => names(page)).toEqual(['Ward', 'Lovelace', 'Hopper'])
    expect(await page.getByRole('columnheader', { name: 'Last name' }).getAttribute('aria-sort')).toBe('descending')
    await page.getByLabel('Category', { exact: true }).selectOption({ label: 'VIP' })
    await expect.poll(() => names(page)).toEqual(['Lovelace', 'Hopper'])
    await page.getByLabel('Checked in', { exact: true }).selectOption('No')
    await expect.poll(() => names(page)).toEqual(['Hopper'])
    const again = await browser.open()
    await again.goto(page.url())
    await expect.poll(() => names(again)).toEqual(['Hopper'])
    expect(await again.getByLabel('Checked in', { exact: true }).inputValue()).toBe('false')
    await again.goto(browser.at(`events/${event.id}/guests?rsvp_status=accepted&source=api&unknown=1`))
    await expect.poll(() => names(again)).toEqual(['Hopper'])
    await again.goto(browser.at(`events/${event.id}/guests?source=import`))
    await again.getByText('No results.').waitFor()
  })
})
