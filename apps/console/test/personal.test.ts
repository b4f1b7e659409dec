// @module-tag slow
import { text } from 'node:stream/consumers'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'

const system = await sharedSystem()

describe('the page of personal data', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  test('finds a person in all events, archived ones too, exports what is stored, and erases it once that is named and confirmed', async () => {
    const [now, before] = [
      await TestEvent.open(system, { title: 'Now' }),
      await TestEvent.open(system, { title: 'Old' }),
    ]
    const fields = { first_name: 'Ada', last_name: 'Quillon', email: 'ada@quillon.example' }
    const ada = await now.guest(await now.category(), 'ada', fields)
    await before.guest(await before.category(), 'ada', fields)
    await system.api('PUT', `events/${before.id}.json`, { archived: true })
    const page = await browser.open('personal_data')
    await page.getByLabel('E-mail address, name or code').fill('quillon')
    await page.getByRole('button', { name: 'Search' }).click()
    const people = page.locator('.people > li')
    await expect.poll(() => people.count()).toBe(2)
    const here = people.filter({ hasText: 'Now' })
    const loading = page.waitForEvent('download')
    await here.getByRole('button', { name: /^Export/ }).click()
    const saved = JSON.parse(await text(await (await loading).createReadStream()))
    expect([saved.event, saved.person, saved.documents['guests.guests']]).toMatchObject([
      'Now',
      'Ada Quillon',
      [{ _id: ada, email: 'ada@quillon.example' }],
    ])
    await here.getByRole('button', { name: 'Erase…' }).click()
    const form = page.locator('form.erase')
    await form.getByText('Guests (1)').waitFor()
    const erase = form.getByRole('button', { name: 'Erase for good' })
    expect(await erase.isDisabled()).toBe(true)
    await form.getByLabel('To confirm, type Ada Quillon').fill('Ada Quillon')
    await erase.click()
    await form.waitFor({ state: 'detached' })
    await page.locator('.audit').getByText('One person · On request').click()
    await page.getByText('1 made anonymous: Guests').waitFor()
    expect(await now.read(`guests/${ada}.json`)).toMatchObject({ first_name: null, email: null })
    expect(await before.read('guests.json?search=quillon')).toHaveLength(1)
  })

  test('offers all with an e-mail address at an event, also where no guest has it', async () => {
    await TestEvent.open(system, { title: 'Empty' })
    const page = await browser.open('personal_data?q=nobody@quillon.example')
    await page.getByText(/^Nobody found/).waitFor()
    await page.locator('main').getByLabel('Event', { exact: true }).selectOption({ label: 'Empty' })
    await page.getByText('Everything in the event with the address nobody@quillon.example').waitFor()
    expect(await page.getByRole('button', { name: 'Erase…' }).count()).toBe(1)
  })

  test('says what an erasure keeps', async () => {
    const event = await TestEvent.open(system, { title: 'Blocked' })
    await event.make('blocked_recipients.json', { address: 'eve@quillon.example' })
    const page = await browser.open('personal_data?q=eve@quillon.example')
    await page.locator('main').getByLabel('Event', { exact: true }).selectOption({ label: 'Blocked' })
    await page.getByRole('button', { name: 'Erase…' }).click()
    await page.locator('form.erase').getByText('Kept: Blocked addresses (1)').waitFor()
  })

  test('is not for those who may not export or erase', async () => {
    const page = await browser.open('personal_data', { role: 'door_manager' })
    await page.locator('main .notice').waitFor()
    expect(await page.locator('main form').count()).toBe(0)
  })
})
