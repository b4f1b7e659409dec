// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { PASSWORD } from '@gatehouse/test/harness/sso-site.ts'
import { StaffVisitor } from '@gatehouse/test/harness/staff-visitor.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'
import { Keyboard } from './keyboard.ts'

const system = await sharedSystem()
let browser: ConsoleBrowser

beforeAll(async () => {
  browser = await ConsoleBrowser.start(system)
})
afterAll(() => browser?.close())

// Some ten seconds: the focus goes round on five pages.
test('by keyboard alone someone signs in, makes an event, a guest and a right, and signs out; the focus is seen at each stop and is kept nowhere', async () => {
  const { made } = await StaffVisitor.of(system, system, { role: 'owner', name: 'Ada Lovelace' })
  const page = await browser.open('', { role: null, timezoneId: 'Europe/Berlin' })
  const keyboard = new Keyboard(page)
  /** Waits for a page, which takes the focus: from there the next key goes on. */
  const arrive = (name: string) => page.locator('main:focus h1').getByText(name, { exact: true }).waitFor()
  const menu = (name: string) => keyboard.press(name, 'Enter', 'Shift+Tab')
  /** Goes to a page of a job, by the job. */
  const go = async (job: string, first: string, list: string): Promise<void> => {
    await menu(job)
    await arrive(first)
    await menu(list)
    await arrive(list)
  }
  /** Makes something that needs a name alone. */
  const make = async (job: string, first: string, list: string, add: string, name: string): Promise<void> => {
    await go(job, first, list)
    await keyboard.press(add, 'Enter')
    await arrive(add)
    await keyboard.fill('Name', name)
    await page.keyboard.press('Enter')
    await arrive(name)
  }

  await page.getByLabel('Account').waitFor()
  await keyboard.fill('Account', system.slug)
  await keyboard.press('Sign in', 'Space')
  await page.getByLabel('Password').waitFor()
  await keyboard.fill('E-mail address', made.email)
  await keyboard.fill('Password', PASSWORD)
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: 'Events' }).waitFor()
  await keyboard.goRound('Skip to content')
  await page.keyboard.press('Enter')
  await keyboard.press('Add event', 'Enter')
  await arrive('Add event')
  await keyboard.goRound('Title')
  await page.keyboard.type('Spring Fair')
  await keyboard.press('More settings For guests · Door · Exhibitors · Personal data', 'Space')
  await keyboard.press('Ciphered QR codes', 'Space')
  await keyboard.press('Save', 'Space')
  await arrive('Spring Fair')
  expect((await system.api('GET', 'events.json')).body).toMatchObject([{ qr_code_ciphering_enabled: true }])

  await make('Guests', 'Guests', 'Guest categories', 'Add category', 'Press')
  await make('Guests', 'Guests', 'Guest categories', 'Add category', 'VIP')
  await make('Door', 'Live', 'Check-in points', 'Add check-in point', 'Main entrance')

  await menu('Guests')
  await arrive('Guests')
  await keyboard.goRound('Import')
  await keyboard.press('Add guest', 'Enter')
  await arrive('Add guest')
  await keyboard.fill('Last name', 'Lovelace')
  await keyboard.reach('Category')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await keyboard.press('Save', 'Enter')
  await arrive('Lovelace')
  await keyboard.goRound('Note')
  await menu('Guests')
  await page.getByRole('cell', { name: 'VIP' }).waitFor()
  await keyboard.goRound('Search')
  await keyboard.press('Lovelace', 'Enter')
  await arrive('Lovelace')

  await go('Door', 'Live', 'Categories and rights')
  await keyboard.goRound('Press at Main entrance')
  await keyboard.reach('VIP at Main entrance')
  await page.keyboard.type('Several')
  await keyboard.fill('VIP at Main entrance: Number of times', '3')
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'VIP at Main entrance: 3 times' }).waitFor()
  const [{ _id }] = (await system.api('GET', 'events.json')).body
  const rights = await system.api('GET', `events/${_id}/guest_category_accesspoints.json`)
  expect(rights.body).toMatchObject([{ max_allowed_accesses: 3 }])

  await keyboard.press('Signed in as Ada Lovelace', 'Enter')
  await keyboard.reach('Colours')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'hidden' })
  await page.keyboard.press('Enter')
  await keyboard.press('Sign out', 'Space')
  await page.getByLabel('Account').waitFor()
})
