// @module-tag slow
import { text as textOf } from 'node:stream/consumers'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'
import { overflowAt, violationsOf } from './looks.ts'

const system = await sharedSystem()

describe('exhibitors and their leads in the console', () => {
  let browser: ConsoleBrowser
  let event: TestEvent

  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
    event = await TestEvent.open(system, { title: 'Opening Night' })
    const vip = await event.category('VIP')
    await event.guest(vip, 'ada', { first_name: 'Ada', last_name: 'Lovelace' })
    await event.guest(vip, 'grace', { first_name: 'Grace', last_name: 'Hopper' })
    for (const [name, rating] of [
      ['Acme', 5],
      ['Engines', 2],
    ] as const) {
      const { access_token } = await event.make('exhibitors.json', { name })
      const leads = ['ada', 'grace'].map((guest_uid) => ({ guest_uid, author: 'Ann', comments: ['Call\nback'] }))
      await system.api('POST', `devices/${access_token}/connections/batch_create.json`, leads, { token: '' })
      const judged = { rating, note: `Noted at ${name}` }
      await system.api('PUT', `devices/${access_token}/connections/ada.json`, judged, { token: '' })
    }
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  const open = (place: string, how: Parameters<ConsoleBrowser['open']>[1] = {}): Promise<Page> =>
    browser.open(`events/${event.id}/${place}`, how)
  /** The cells that the table shows, without times. */
  const rows = async (page: Page): Promise<string[][]> =>
    (await page.locator('tbody tr').allInnerTexts()).map((row) => row.split('\t').filter((cell) => !/\d:\d/.test(cell)))

  test('leads are found by guest, note, exhibitor and rating, in the columns that are chosen; a lead has a page; what is found is saved as a file', async () => {
    const page = await open('connections')
    await page.getByText('4 in total').waitFor()
    await page.getByRole('searchbox').fill('lovelace')
    await page.getByText('2 in total').waitFor()
    await page.getByText('Filters', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Exhibitor' }).selectOption({ label: 'Acme' })
    await page.getByRole('combobox', { name: 'Rating' }).selectOption({ label: '5 of 5' })
    await page.keyboard.press('Escape')
    await expect.poll(() => rows(page)).toEqual([['Ada Lovelace', 'Acme', '5 of 5', 'Ann', 'Noted at Acme']])
    await page.getByText('Columns', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'Scanned by' }).uncheck()
    await page.keyboard.press('Escape')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    const [header, ...lines] = (await textOf(await download.createReadStream())).split('\n')
    expect(header).toMatch(/^_id,guest_uid,/)
    expect(lines.join('\n')).toContain(',"Call\nback",')
    expect(lines.join('\n').match(/Noted at Acme,5,Acme,/g)).toHaveLength(1)
    await page.reload()
    await expect.poll(() => rows(page)).toEqual([['Ada Lovelace', 'Acme', '5 of 5', 'Noted at Acme']])
    await page.getByRole('cell').getByRole('link', { name: 'Ada Lovelace' }).click()
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    const facts = page.locator('main .facts')
    await facts.getByText('Noted at Acme').waitFor()
    expect(await facts.getByRole('link').allInnerTexts()).toEqual(['Ada Lovelace', 'Acme'])
    const viewer = await open('connections?search=noted+at+engines', { role: 'viewer' })
    await viewer.getByText('1 in total').waitFor()
    expect(await viewer.getByRole('button', { name: 'Export' }).count()).toBe(0)
  })

  test('the page of an exhibitor makes a link for a phone, which is shown this once with its QR code; the list counts the leads of each, and leads to them', async () => {
    const page = await open('exhibitors', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('row', { name: 'Engines' }).getByRole('link', { name: '2', exact: true }).click()
    await page.getByText('2 in total').waitFor()
    await page.getByRole('button', { name: 'Remove the filter Exhibitor: Engines' }).waitFor()
    await page.getByRole('cell').getByRole('link', { name: 'Engines' }).first().click()
    await page.getByText('Codes already made cannot be shown again').waitFor()
    expect(await page.locator('.qr-code').count()).toBe(0)
    await page.getByRole('button', { name: 'New code' }).click()
    await page.locator('.qr-code svg').waitFor()
    const link = await page.locator('.secret').innerText()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('main :is(h1, form, button)').filter({ visible: true }).count()).toBe(0)
    expect(await page.locator('main').innerText()).toContain(`Engines\n`)
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('button', { name: 'New code' }).click()
    await expect.poll(() => page.locator('.secret').innerText()).not.toBe(link)
    await page.reload()
    await page.getByRole('link', { name: 'Show leads (2)' }).waitFor()
    expect(await page.locator('.secret').count()).toBe(0)
  })

  test('replacing the links and codes of an exhibitor ends them once someone has said so, and shows a new link for its first phone', async () => {
    const { _id, access_token } = await event.make('exhibitors.json', { name: 'Difference Engines' })
    const page = await open(`exhibitors/${_id}`)
    const replace = page.getByRole('button', { name: 'Replace links and codes' })
    await replace.click()
    await page.getByRole('alert').getByRole('button', { name: 'Replace links and codes' }).click()
    const [, code] = (await page.locator('.printed .secret').innerText()).split('#')
    const read = async (token: string) =>
      (await system.api('GET', `devices/${token}/connections.json`, undefined, { token: '' })).status
    expect(await read(access_token)).toBe(401)
    const { body } = await system.api('POST', `exhibitor_codes/${code}/exchange.json`, undefined, { token: '' })
    expect([body.name, await read(body.access_token)]).toEqual(['Difference Engines', 200])
    await page.getByText('Access token, for an app').click()
    expect(await read(await page.locator('details .secret').innerText())).toBe(200)
  })

  test.each([
    [360, 'light'],
    [1280, 'dark'],
  ] as const)(
    'a new exhibitor gets the link for its first phone at once, without a violation of WCAG 2.2 AA in a window of %i pixels in %s colours',
    async (width, colorScheme) => {
      const page = await open('exhibitors/new', { viewport: { width, height: 800 }, colorScheme })
      await page.getByLabel('Name').fill('Jacquard Looms')
      await page.locator('main button[type=submit]').click()
      const link = await page.locator('.printed .secret').innerText()
      const code = link.split('#')[1]
      const exchanged = await system.api('POST', `exhibitor_codes/${code}/exchange.json`, undefined, { token: '' })
      expect([exchanged.status, exchanged.body.name]).toEqual([201, 'Jacquard Looms'])
      await page.getByText('Access token, for an app').click()
      expect(await page.locator('details .secret').innerText()).toMatch(/^gh_exhibitor_/)
      expect([await violationsOf(page), await overflowAt(page, [width])]).toEqual([[], []])
      await page.getByRole('link', { name: 'Go to the exhibitor’s page' }).click()
      await page.getByRole('button', { name: 'New code' }).click()
      await page.locator('.qr-code svg').waitFor()
      expect([await violationsOf(page), await overflowAt(page, [width])]).toEqual([[], []])
    },
  )
})
