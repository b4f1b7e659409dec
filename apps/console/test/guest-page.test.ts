// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'

const system = await sharedSystem()

describe('the page of a guest, and walk-ins', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  test('the page of a guest has its guest fields and all further information, which are changed there; a viewer sees what there is', async () => {
    const event = await TestEvent.open(system, { title: 'Opening Night' })
    await event.make('guest_fields.json', { key: 'diet', label: 'Dietary needs' })
    const seats = { key: 'seat', label: 'Seat', type: 'value_list', available_values: ['Stalls', 'Balcony'] }
    await event.make('guest_fields.json', seats)
    const ada = await event.guest(await event.category('VIP'), 'ada', {
      last_name: 'Lovelace',
      guest_metadata: { Hotel: 'Ritz', diet: 'Vegan' },
    })
    const read = async () => (await event.read(`guests/${ada}.json?guest_metadata=true`)).guest_metadata
    const page = await browser.open(`events/${event.id}/guests/${ada}`)
    const information = page.locator('.information')
    expect(await information.getByLabel('Dietary needs').inputValue()).toBe('Vegan')
    await information.getByLabel('Seat').selectOption('Balcony')
    await information.getByLabel('Hotel').fill('')
    await information.getByLabel('Name of the field').fill('Flight')
    await information.getByLabel('Value').fill('BA 7')
    await information.getByRole('button', { name: 'Save' }).click()
    await information.getByText('Saved').waitFor()
    expect(await read()).toEqual([
      { name: 'diet', value: 'Vegan' },
      { name: 'seat', value: 'Balcony' },
      { name: 'Flight', value: 'BA 7' },
    ])
    const viewer = await browser.open(`events/${event.id}/guests/${ada}`, { role: 'viewer' })
    await viewer.locator('.information').getByText('BA 7').waitFor()
    expect(await viewer.locator('.information').getByRole('textbox').count()).toBe(0)
  })

  test('the subject of a mailing is read as it was sent to a guest; in the list of mailings what is each guest’s is named', async () => {
    const event = await TestEvent.open(system, { title: 'Opening Night' })
    await event.make('guest_fields.json', { key: 'diet', label: 'Dietary needs' })
    const guest = { first_name: 'Ada', email: 'ada@example.org', guest_metadata: { diet: 'vegan' } }
    const ada = await event.guest(await event.category(), 'ada', guest)
    const subject = '{{first_name}} {{last_name|from far}}, {{ event_title }}: {{diet}}'
    const { _id } = await event.make('mailings.json', { name: 'Codes', subject, message: '{{qrcode}}' })
    await event.api('POST', `mailings/${_id}/send.json`)
    await expect.poll(async () => (await event.read(`guests/${ada}/mails.json`)).length).toBe(1)
    const page = await browser.open(`events/${event.id}/guests/${ada}`)
    await page.getByRole('link', { name: 'Ada from far, Opening Night: vegan', exact: true }).waitFor()
    await page.goto(browser.at(`events/${event.id}/mailings`))
    await page.getByText('‹First name› ‹Last name›, Opening Night: ‹Dietary needs›', { exact: true }).waitFor()
  })

  test('a guest on no list is added and checked in at a chosen point, also by a door manager; only categories that allow it are offered', async () => {
    const event = await TestEvent.open(system, { title: 'Opening Night' })
    await event.category('VIP')
    const page = await browser.open(`events/${event.id}/access_controls`, { role: 'door_manager' })
    await event.point('North')
    const south = await event.point('South')
    await page.getByRole('link', { name: 'Add walk-in' }).first().click()
    await page.getByText('No category allows walk-ins yet.').waitFor()
    const { _id } = await event.make('guest_categories.json', { name: 'Evening', walk_in_enabled: true })
    await event.link(_id, south, 1)
    await page.reload()
    const categories = page.getByLabel('Category').locator('option')
    await expect.poll(() => categories.allInnerTexts()).toEqual(['Evening'])
    // North is chosen at first.
    const refused = page.getByText(
      'Guests in the category Evening have no access at North yet: they come onto the list, but are not let in there.',
    )
    await refused.waitFor()
    await page.getByLabel('Check-in point').selectOption('South')
    await refused.waitFor({ state: 'detached' })
    await page.getByLabel('Last name').fill('Hopper')
    await page.getByLabel('People').fill('2')
    await page.getByRole('button', { name: 'Add walk-in' }).click()
    await page.getByRole('link', { name: 'Hopper' }).waitFor()
    await page.locator('.walk-ins').getByText('Let in').waitFor()
    expect(await event.read('guests.json')).toMatchObject([{ last_name: 'Hopper', source: 'walk_in', party_size: 2 }])
    // The next one is added at the same point.
    expect(await page.getByLabel('Last name').inputValue()).toBe('')
    await page.getByLabel('Last name').fill('Ward')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Ward' }).waitFor()
    const scans = await event.read('access_controls.json')
    expect(scans.map(({ accesspoint_id }: { accesspoint_id: string }) => accesspoint_id)).toEqual([south, south])
  })
})
