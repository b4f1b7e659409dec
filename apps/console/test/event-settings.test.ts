// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'
import { overflowAt, violationsOf } from './looks.ts'

const system = await sharedSystem()

describe('the settings of an event', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' })

  test('copy an event under another title, at a time that is typed in its own time zone', async () => {
    const event = await TestEvent.open(system, {
      title: 'Spring Fair',
      start_date: '2027-03-20T09:00:00Z',
      end_date: '2027-03-20T17:00:00Z',
      timezone: 'Asia/Tokyo',
    })
    await event.category('VIP')
    const page = await browser.open(`events/${event.id}/settings`, { timezoneId: 'America/New_York' })
    await page.getByRole('link', { name: 'Copy event' }).click()
    await page.getByRole('heading', { name: 'Copy event' }).waitFor()
    expect(await page.getByLabel('Title').inputValue()).toBe('Copy of Spring Fair')
    expect(await page.getByLabel('Start').inputValue()).toBe('2027-03-20T18:00')
    await page.getByLabel('Title').fill('Spring Fair 2028')
    await page.getByLabel('Start').fill('2028-03-18T18:00')
    await page.getByRole('button', { name: 'Copy event' }).click()
    await page.getByRole('heading', { name: 'Spring Fair 2028' }).waitFor()
    const copies = (await system.api('GET', 'events.json?search=2028')).body
    expect(copies).toMatchObject([{ start_date: '2028-03-18T09:00:00.000Z', end_date: '2028-03-18T17:00:00.000Z' }])
    const categories = (await system.api('GET', `events/${copies[0]._id}/guest_categories.json`)).body
    expect(categories).toMatchObject([{ name: 'VIP' }])
  })

  test('read times in the time zone that is chosen, and say so at once, wherever the browser is', async () => {
    const page = await browser.open('events/new', { timezoneId: 'UTC' })
    await page.getByLabel('Title').fill('Prague Summit')
    await page.getByLabel('Start', { exact: true }).fill('2027-01-20T09:00')
    expect(await page.locator('#field-start_date-hint').count()).toBe(0)
    await page.getByLabel('Time zone').selectOption('Europe/Prague')
    await page.locator('#field-start_date-hint', { hasText: 'Europe/Prague' }).waitFor()
    await page.locator('#field-end_date-hint', { hasText: 'Europe/Prague' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Prague Summit' }).waitFor()
    await page.getByText('20 Jan 2027, 09:00').waitFor()
    const [made] = (await system.api('GET', 'events.json?search=Prague')).body
    expect(made).toMatchObject({ start_date: '2027-01-20T08:00:00.000Z', timezone: 'Europe/Prague' })
    await page.goto(browser.at(`events/${made._id}/settings`))
    await expect.poll(() => page.getByLabel('Start', { exact: true }).inputValue()).toBe('2027-01-20T09:00')
  })

  test('keep a time zone that has another name than browsers know, and read times in it', async () => {
    const event = await TestEvent.open(system, { title: 'Tokyo Summit', timezone: 'Tokyo Standard Time' })
    const page = await browser.open(`events/${event.id}/settings`, { timezoneId: 'UTC' })
    await page.getByLabel('Start', { exact: true }).fill('2027-01-20T09:00')
    await page.locator('#field-start_date-hint', { hasText: 'Asia/Tokyo' }).waitFor()
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Tokyo Standard Time')
    await page.getByRole('button', { name: 'Save' }).click()
    const read = () => system.api('GET', `events/${event.id}.json`)
    await expect.poll(async () => (await read()).body.start_date).toBe('2027-01-20T00:00:00.000Z')
    expect((await read()).body.timezone).toBe('Tokyo Standard Time')
  })

  test('offer time zones by city with the time that it is there: those of the reader’s region come first, others by their first letters', async () => {
    const page = await browser.open('events/new', { timezoneId: 'UTC', locale: 'de-DE' })
    const zone = page.getByLabel('Zeitzone')
    await zone.focus()
    await page.keyboard.press('ArrowDown')
    expect(await zone.inputValue()).toBe('Europe/Berlin')
    expect(await zone.locator('option:checked').innerText()).toMatch(/^Berlin \(Europe\) · \d\d:\d\d$/)
    await page.keyboard.type('tok')
    expect(await zone.inputValue()).toBe('Asia/Tokyo')
    expect([await violationsOf(page), await overflowAt(page, [320])]).toEqual([[], []])
  })

  test('ask for a time zone where the browser knows none, so that nobody gets UTC by mistake', async () => {
    const page = await browser.open('events/new', { timezoneId: 'UTC' })
    const zone = page.getByLabel('Time zone')
    await page.getByLabel('Title').fill('Somewhere')
    expect(await zone.inputValue()).toBe('')
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await zone.evaluate((field) => field.matches(':invalid:focus'))).toBe(true)
    await zone.selectOption('UTC')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Somewhere' }).waitFor()
    expect((await system.api('GET', 'events.json?search=Somewhere')).body).toMatchObject([{ timezone: 'UTC' }])
  })

  test('delete an event, once its title is typed; only owners are offered that', async () => {
    const event = await TestEvent.open(system, { title: 'Winter Ball' })
    const organizer = await browser.open(`events/${event.id}/settings`, { role: 'organizer' })
    await organizer.getByRole('button', { name: 'Archive event' }).waitFor()
    expect(await organizer.getByRole('button', { name: 'Delete event' }).count()).toBe(0)
    const page = await browser.open(`events/${event.id}/settings`)
    const remove = page.getByRole('button', { name: 'Delete event' })
    await page.getByLabel('To confirm').fill('Winter')
    expect(await remove.isDisabled()).toBe(true)
    await page.getByLabel('To confirm').fill('Winter Ball')
    await remove.click()
    await page.getByRole('heading', { name: 'Events' }).waitFor()
    expect(await event.status('GET', 'guests.json')).toBe(404)
  })

  test('archive an event, which each of its pages says, offers no change of, and finds among archived events', async () => {
    const event = await TestEvent.open(system, { title: 'Autumn Gala' })
    const vip = await event.category('VIP')
    await event.guest(vip, 'ada', { last_name: 'Lovelace' })
    const page = await browser.open(`events/${event.id}/settings`)
    await page.getByRole('button', { name: 'Archive event' }).click()
    await page.getByText('This event is archived and read-only.').waitFor()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    const facts = page.locator('main .facts')
    await facts.getByText('First name, Last name').waitFor()
    await facts.getByText('English', { exact: true }).waitFor()
    await menu(page).getByRole('link', { name: 'Overview' }).click()
    await page.locator('main .tiles').waitFor()
    expect(await page.locator('main .checklist').count()).toBe(0)
    const ways = page.locator('main').getByRole('button').or(page.locator('main a.button'))
    await menu(page).getByRole('link', { name: 'Guests' }).click()
    await page.getByText('Lovelace').waitFor()
    await ways.filter({ hasText: 'Export' }).waitFor()
    expect(await ways.filter({ hasText: /Add|Import|Set category|Delete|Save/ }).count()).toBe(0)
    await page.goto(browser.at(`events/${event.id}/areas`))
    await page.getByText('The event is archived, so nothing can be added.').waitFor()
    await page.goto(browser.at(`events/${event.id}/guests/new`))
    await page.locator('main[data-route$="guests/new"]').waitFor()
    expect(await page.locator('main form').count()).toBe(0)
    await menu(page).getByRole('link', { name: 'Events' }).click()
    await page.getByText('Filters', { exact: true }).click()
    await page.getByLabel('Archived events').check()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Autumn Gala' }).click()
    await page.getByRole('link', { name: 'Unarchive it in Settings' }).click()
    await page.getByRole('button', { name: 'Unarchive event' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor()
    expect(await page.getByText('This event is archived').count()).toBe(0)
  })

  test('offer the details that exhibitors get in the order in which a new event has them', async () => {
    const event = await TestEvent.open(system)
    const page = await browser.open(`events/${event.id}/settings`)
    const ticks = page.locator('#field-lead_guest_fields label')
    await ticks.first().waitFor({ state: 'attached' })
    const ofEvent = await ticks.allTextContents()
    await page.goto(browser.at('events/new'))
    await page.getByRole('heading', { name: 'Add event' }).waitFor()
    await ticks.first().waitFor({ state: 'attached' })
    expect(ofEvent).toEqual(await ticks.allTextContents())
  })

  test('offer neither to a role that may not change the event', async () => {
    const event = await TestEvent.open(system, { title: 'Winter Ball' })
    const offered = async (role: string): Promise<string[]> => {
      const page = await browser.open(`events/${event.id}/settings`, { role })
      await page.locator('dl.facts').waitFor()
      return page.locator('.event-acts h2').allInnerTexts()
    }
    expect(await offered('door_manager')).toEqual([])
    expect(await offered('organizer')).toEqual([
      'Copy event',
      'Move from another system',
      'Take your data away',
      'Archive event',
    ])
  })
})
