// @module-tag slow
import { readPdf } from '@gatehouse/test/harness/pdf.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'
import { overflowAt, violationsOf } from './looks.ts'

const system = await sharedSystem()

describe('the sheet with the codes of devices', () => {
  let browser: ConsoleBrowser
  let event: TestEvent
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
    event = await TestEvent.open(system, { title: 'Opening Night' })
    const door = await event.point('North')
    for (const number of [1, 2, 3, 4]) await event.make('devices.json', { name: `Waiting ${number}` })
    await event.make('devices.json', { name: 'Waiting 5', accesspoint_ids: [door] })
    const { code } = await event.make('devices.json', { name: 'At work' })
    await exchange(code)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  const exchange = async (code: string) => (await system.api('POST', `device_codes/${code}/exchange.json`)).status
  const stored = async () => (await event.read('devices.json')) as Record<string, string | null>[]
  const open = (role = 'door_manager'): Promise<Page> => browser.open(`events/${event.id}/devices`, { role })
  /** The sheet as a file, as the browser prints it. */
  async function printed(page: Page) {
    const { pages, text } = await readPdf(await page.pdf({ format: 'A4' }))
    return { count: pages.length, text }
  }

  test('gives devices that wait new codes once someone has said so, and prints one or four on a page; those at work keep theirs', async () => {
    const before = await stored()
    const page = await open()
    await page.getByRole('link', { name: 'Print set-up codes' }).click()
    await page.getByText('Get a new code (5):').waitFor()
    await page.getByText('Already set up, go on as they are and are not on the sheet (1):').waitFor()
    await page.getByRole('button', { name: 'Make codes' }).click()
    await page.getByText(/^New codes: 5\. Codes that you showed/).waitFor()
    expect(await stored()).toEqual(before)
    await page.getByRole('alert').getByRole('button', { name: 'Make codes' }).click()
    const cards = page.locator('.sheet-card')
    await expect.poll(() => cards.count()).toBe(5)
    expect(await cards.locator('h2').allInnerTexts()).toEqual([1, 2, 3, 4, 5].map((number) => `Waiting ${number}`))
    expect(await cards.last().innerText()).toContain('North')
    expect(await cards.first().innerText()).toContain('All check-in points')
    expect([await violationsOf(page), await overflowAt(page, [360, 1280])]).toEqual([[], []])
    const four = await printed(page)
    expect(four.count).toBe(2)
    for (const words of ['Opening Night', 'Waiting 5', 'Works once, until']) expect(four.text).toContain(words)
    for (const words of ['At work', 'Categories and rights', 'Make codes']) expect(four.text).not.toContain(words)
    await page.getByLabel('On each page').selectOption('One device')
    expect((await printed(page)).count).toBe(5)
    const hours = (await stored()).map(
      (device) => (Date.parse(String(device.code_expires_at)) - Date.now()) / 3_600_000,
    )
    expect(hours.slice(0, 5).every((each) => each > 23 && each < 25)).toBe(true)
    const work = (devices: typeof before) => devices.find(({ name }) => name === 'At work')
    expect(work(await stored())).toEqual(work(before))
    const [code] = await cards.locator('.secret').allInnerTexts()
    expect(await exchange(String(code))).toBe(201)
  })

  test('asks before its codes are left, which nobody sees again', async () => {
    const page = await open()
    await page.getByRole('link', { name: 'Print set-up codes' }).click()
    await page.getByRole('button', { name: 'Make codes' }).click()
    await page.getByRole('alert').getByRole('button', { name: 'Make codes' }).click()
    await page.getByRole('button', { name: 'Print', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click()
    await page.locator('.sheet-card').first().waitFor()
  })

  test('is for those who may change devices', async () => {
    const page = await open('viewer')
    await page.getByRole('cell', { name: 'At work' }).waitFor()
    expect(await page.getByRole('link', { name: 'Print set-up codes' }).count()).toBe(0)
  })
})
