// @module-tag slow
import { text as textOf } from 'node:stream/consumers'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { declaredLists } from '../../declared.ts'
import { evaluateBuilt } from './built-module.ts'
import { ConsoleBrowser } from './console-browser.ts'
import { overflowAt, violationsOf } from './looks.ts'

const CREATE = '**/guests/batch_create.json'
const NAMES = Array.from({ length: 30 }, (_, index) => `Guest ${10 + index}`)
const fileOf = (names: readonly string[]) => ['Name,Type', ...names.map((name) => `${name},VIP`)].join('\n')
const FILE = fileOf(NAMES)
/** More than are on the way at once: six requests of a hundred rows. */
const MANY = Array.from({ length: 900 }, (_, index) => `Guest ${100 + index}`)

const system = await sharedSystem()

describe('files of guests in the console', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  /** A new event with the category VIP. */
  async function eventWithVip(title: string): Promise<TestEvent> {
    const event = await TestEvent.open(system, { title })
    await event.category('VIP')
    return event
  }

  /** Opens the page where guests of an event are imported. */
  const openImport = ({ id }: TestEvent) => browser.open(`events/${id}/guests/import`)

  /** Chooses a file. */
  const choose = (page: Page, text: string) =>
    page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

  /** Begins to import a file with these names. */
  async function importAll(page: Page, names = NAMES): Promise<void> {
    await choose(page, fileOf(names))
    await page.getByRole('button', { name: `Import rows: ${names.length}` }).click()
  }

  /** Holds the requests for guests back until what it gives is called. */
  async function heldBack(page: Page): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(CREATE, async (route) => {
      await promise
      await route.continue()
    })
    return resolve
  }

  const lastNames = async (event: TestEvent): Promise<string[]> =>
    (await event.all('guests.json')).map(({ last_name }) => last_name).sort()

  // A second, in which the module is built.
  test('a field that is added to guests is in the form, and is a column of an imported file', async () => {
    const declared = await declaredLists()
    const create = declared['/api/v1/events/{event_id}/guests.json']?.create
    if (create) create.badge_note = { kind: 'text', optional: true }
    const page = await openImport(await eventWithVip('Another field'))
    const evaluated = (expression: string) => evaluateBuilt(page, 'guests/columns.ts', expression, declared)
    expect(await evaluated('built.columns')).toContain('badge_note')
  })

  test('before an import it is said how many columns are recognized, and how many guests have no e-mail address', async () => {
    const page = await openImport(await eventWithVip('Recognized'))
    await choose(page, 'Last name,E-mail,Category,Table\nLovelace,ada@example.org,VIP,7\nHopper,,VIP,8\n')
    await page.getByText('Columns recognized: 3 of 4').waitFor()
    await page.getByText('Guests without an e-mail address, who get no e-mails: 1').waitFor()
    await page.getByText('Line 3: Hopper, VIP, 8').waitFor()
    await page.getByLabel('Column Table').selectOption('company_name')
    await page.getByText('Columns recognized: 4 of 4').waitFor()
  })

  test('rows without an e-mail address are named before and after an import: the first ten, and how many more', async () => {
    const page = await openImport(await eventWithVip('Without'))
    await choose(page, FILE)
    await page.getByText('Line 11: Guest 19, VIP').waitFor()
    await page.getByText('and 20 more').waitFor()
    expect(await page.getByText(/^Line \d+: /).count()).toBe(10)
    await page.getByRole('button', { name: 'Import rows: 30' }).click()
    await page.getByText('Guests imported: 30').waitFor()
    await page.getByText('and 20 more').waitFor()
  })

  // Two seconds, most of which is for the first page.
  test('before an import its first five rows are shown as they are read, below what each column is', async () => {
    const page = await openImport(await eventWithVip('Previewed'))
    const body = ['Anna;"Hall; left"', 'Zoë;', ';"says ""no"""', 'Bo;<b>7</b>', 'Cy;=1+1', 'Six;6']
    await choose(page, `Vorname;Tisch\n${body.join('\n')}\n`)
    const preview = page.getByRole('region', { name: 'First rows' })
    const rows = preview.locator('tbody tr')
    await rows.first().waitFor()
    const shown = await rows.evaluateAll((all) =>
      all.map(({ children }) => [...children].slice(1).map(({ textContent }) => textContent)),
    )
    expect(shown).toEqual([
      ['Anna', 'Hall; left'],
      ['Zoë', ''],
      ['', 'says "no"'],
      ['Bo', '<b>7</b>'],
      ['Cy', '=1+1'],
    ])
    const columns = preview.locator('thead select')
    const meanings = () => columns.evaluateAll((all) => all.map((each) => (each as unknown as { value: string }).value))
    expect(await meanings()).toEqual(['first_name', 'metadata'])
    // Another meaning changes no cell. Another file takes the place of the first.
    await preview.getByLabel('Column Tisch').selectOption({ label: 'Do not import' })
    expect(await rows.first().getByRole('cell').allInnerTexts()).toEqual(['Anna', 'Hall; left'])
    await choose(page, 'Tisch\n8\n')
    await preview.getByRole('cell', { name: '8' }).waitFor()
    expect([await rows.count(), await meanings()]).toEqual([1, ['metadata']])
  })

  test('the first rows are as wide as the form above them, as long as that is enough', async () => {
    const page = await openImport(await eventWithVip('Wide'))
    await choose(page, 'First name,Last name,E-mail,Type,Diet\nAda,Lovelace,ada.lovelace@example.org,VIP,vegan\n')
    const preview = page.getByRole('region', { name: 'First rows' })
    const columns = preview.locator('thead select')
    await expect.poll(() => columns.count()).toBe(5)
    expect(await preview.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    const form = await page.locator('.form').first().boundingBox()
    expect((await preview.boundingBox())?.width).toBeCloseTo(form?.width ?? 0, 0)
  })

  test('guests are imported from a file; a row with an error is shown with the line where it begins and the reason', async () => {
    const event = await eventWithVip('Opening Night')
    await event.category('Press')
    const page = await openImport(event)
    await choose(
      page,
      'Vorname;Nachname;E-Mail;Kategorie;Tisch\nGrace;Hopper;grace@x.test;vip;"7\nby the door"\nBad;Mail;nowhere;VIP;8\nNo;Category;;Staff;\nMary;Ward;;;\n',
    )
    await page.getByLabel('Category for rows without one').selectOption({ label: 'VIP' })
    expect(await page.getByLabel('Column E-Mail').inputValue()).toBe('email')
    const bad = [
      expect.stringMatching(/^Line 4: E-mail: Enter an e-mail address, such as ada@example\.com\./),
      expect.stringMatching(/^Line 5: There is no category called Staff/),
    ]
    expect(await page.locator('.bad .rows li').allInnerTexts()).toEqual(bad)
    await page.getByRole('button', { name: 'Import rows: 2' }).click()
    await page.getByText('Guests imported: 2').waitFor()
    expect(await page.locator('.bad .rows li').allInnerTexts()).toEqual(bad)
    const [found] = await event.read('guests.json?search=hopper&guest_metadata=true')
    expect(found).toMatchObject({
      first_name: 'Grace',
      email: 'grace@x.test',
      guest_metadata: [{ name: 'Tisch', value: '7\nby the door' }],
    })
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save these rows' }).click()
    expect((await saving).suggestedFilename()).toBe('guests-not-imported.csv')
  })

  test('what does not apply is not asked: a category where each row has one, and guests who are there where nobody is', async () => {
    const event = await eventWithVip('Asked')
    await event.category('Press')
    const page = await openImport(event)
    const category = page.getByLabel('Category for rows without one')
    const match = page.getByLabel('Guests who are already on the list')
    await choose(page, 'Name,Category\nLovelace,VIP\n')
    await page.getByRole('button', { name: 'Import rows: 1' }).waitFor()
    expect([await category.count(), await match.count()]).toEqual([0, 0])
    await choose(page, 'Name,Category\nLovelace,VIP\nHopper,\n')
    await page.getByText('Category for rows without one (1)').waitFor()
    await category.selectOption('Press')
    await page.getByRole('button', { name: 'Import rows: 2' }).click()
    await page.getByText('Guests imported: 2').waitFor()
    await choose(page, 'Name,Category\nWard,VIP\n')
    await match.waitFor()
  })

  test('rows that stay out are named above the columns, and many of them hide nothing that follows', async () => {
    const page = await openImport(await eventWithVip('Findings'))
    await choose(page, ['Name,Type', ...NAMES.map((name) => `${name},Staff`)].join('\n'))
    const bad = page.getByRole('heading', { name: 'Rows left out: 30' })
    await bad.waitFor()
    const columns = page.getByRole('region', { name: 'First rows' })
    const [above, below] = [await bad.boundingBox(), await columns.boundingBox()]
    expect(above?.y).toBeLessThan(below?.y ?? 0)
    expect((below?.y ?? 0) - (above?.y ?? 0)).toBeLessThan(400)
    expect([await violationsOf(page), await overflowAt(page, [360])]).toEqual([[], []])
  })

  test('the first rows say which of them stay out, and which are to be checked', async () => {
    const page = await openImport(await eventWithVip('Marked'))
    await choose(page, 'Name,Type,Phone\nAda,VIP,\nGrace,Staff,\nIda,VIP,4.91702E+11\n')
    const lines = page.getByRole('region', { name: 'First rows' }).getByRole('rowheader')
    await lines.first().waitFor()
    expect(await lines.allInnerTexts()).toEqual(['Line 2', 'Line 3\n✗ Left out', 'Line 4\n! To check'])
  })

  test('a row that is the same as an earlier one is skipped unless that is unticked; one with other details goes in', async () => {
    const event = await eventWithVip('Twice')
    const page = await openImport(event)
    const ada = 'Ada;Lovelace;ada@x.test;VIP'
    await choose(page, `Vorname;Nachname;E-Mail;Kategorie;Tisch\n${ada};1\n${ada};1\n${ada};2\n`)
    const same = page.getByLabel('Skip rows that are the same as an earlier row in every column: 1')
    const similar = page.getByLabel(
      'Skip rows with the name and e-mail address of an earlier row, but other details; the earlier one is imported: 1',
    )
    await page.getByRole('button', { name: 'Import rows: 2' }).waitFor()
    expect([await same.isChecked(), await similar.isChecked()]).toEqual([true, false])
    await similar.check()
    await page.getByRole('button', { name: 'Import rows: 1' }).waitFor()
    await same.uncheck()
    await similar.uncheck()
    await page.getByRole('button', { name: 'Import rows: 3' }).waitFor()
  })

  test('after an import it is said how many have no e-mail address, and they are found in the table', async () => {
    const event = await eventWithVip('Nameless')
    const page = await openImport(event)
    await choose(page, 'Vorname;Nachname;E-Mail;Kategorie\nAda;Lovelace;ada@x.test;VIP\nGrace;Hopper;;VIP\n')
    await page.getByRole('button', { name: 'Import rows: 2' }).click()
    await page.getByRole('link', { name: 'Guests without an e-mail address, who get no e-mails: 1' }).click()
    await page.getByRole('button', { name: 'E-mail address: No' }).waitFor()
    await page.getByRole('link', { name: 'Hopper' }).waitFor()
    expect(await page.getByRole('link', { name: 'Lovelace' }).count()).toBe(0)
  })

  test('many guests are imported by few requests; after a correction of some rows only those are new', async () => {
    const event = await eventWithVip('Few requests')
    const page = await openImport(event)
    let requests = 0
    page.on('request', (request) => {
      if (request.method() !== 'GET') requests++
    })
    const names = MANY.slice(0, 130)
    const file = ['Name,Type,Code', ...names.map((name) => `${name},VIP,${name === 'Guest 107' ? 'Guest 106' : name}`)]
    await choose(page, file.join('\n'))
    await page.getByRole('button', { name: 'Import rows: 130' }).click()
    await page.getByText('Guests imported: 129').waitFor()
    await page.locator('.bad .rows li', { hasText: 'Line 9' }).waitFor()
    expect(requests).toBe(2)
    const [taken] = await event.read('guests.json?uid=Guest%20106')
    await event.change(`guests/${taken._id}.json`, { uid: 'free' })
    await choose(page, file.join('\n'))
    await page.getByRole('button', { name: 'Import rows: 130' }).click()
    await page.getByText('Guests imported: 1', { exact: true }).waitFor()
    await page.getByText('Imported earlier from the same file: 129').waitFor()
    expect(await lastNames(event)).toEqual(names)
  })

  test('an import that is stopped goes on where it was, and no row goes in twice', deep, async () => {
    const event = await eventWithVip('Stopped')
    const page = await openImport(event)
    const release = await heldBack(page)
    await importAll(page, MANY)
    await page.getByRole('button', { name: 'Stop' }).click()
    release()
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    await page.getByText('600 of 900 rows').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Guests imported: 900').waitFor()
    expect(await lastNames(event)).toEqual(MANY)
  })

  test(
    'an import whose page was killed goes on with the same file: each guest is there once, and the page says how many were',
    deep,
    async () => {
      const event = await eventWithVip('Killed')
      const killed = await openImport(event)
      // Three answers arrive, two are lost on the way, and what comes after those is not sent.
      let sent = 0
      const lost: Promise<unknown>[] = []
      await killed.route(CREATE, async (route) => {
        sent++
        if (sent <= 3) return route.continue()
        if (sent <= 5) lost.push(route.fetch())
      })
      await importAll(killed, MANY)
      await expect.poll(async () => (await lastNames(event)).length).toBe(500)
      await Promise.all(lost)
      await killed.context().close()

      const page = await openImport(event)
      // As at an address without https.
      await page.evaluate(() => Object.defineProperty(crypto, 'subtle', { value: undefined }))
      await importAll(page, MANY)
      await page.getByText('Guests imported: 400').waitFor()
      await page.getByText('Imported earlier from the same file: 500').waitFor()
      expect(await lastNames(event)).toEqual(MANY)
    },
  )

  test('a row whose answer was lost counts as imported, not as one that was there', deep, async () => {
    const event = await eventWithVip('Lost')
    const page = await openImport(event)
    let lost = 0
    await page.route(CREATE, async (route) => {
      if (lost === 4) return route.continue()
      lost++
      await route.fetch()
      await route.abort()
    })
    await importAll(page, MANY)
    await page.getByText('Guests imported: 900').waitFor()
    expect(await page.getByText('Imported earlier from the same file:').count()).toBe(0)
    expect(await lastNames(event)).toEqual(MANY)
  })

  test('a guest who was deleted after an import goes in again with the same file, however often', deep, async () => {
    const event = await eventWithVip('Again')
    const page = await openImport(event)
    for (const imported of [30, 1, 1]) {
      await importAll(page)
      await page.getByText(`Guests imported: ${imported}`, { exact: true }).waitFor()
      if (imported < 30) await page.getByText('Imported earlier from the same file: 29').waitFor()
      expect(await lastNames(event)).toEqual(NAMES)
      const [guest] = await event.read('guests.json?search=10')
      await event.remove(`guests/${guest._id}.json`)
    }
  })

  test(
    'the browser asks before a page is left whose import is running, and not before or after that',
    deep,
    async () => {
      const page = await openImport(await eventWithVip('Left'))
      const asked: string[] = []
      page.on('dialog', async (dialog) => {
        asked.push(dialog.type())
        await dialog.dismiss()
      })
      const release = await heldBack(page)
      await importAll(page)
      await page.getByRole('button', { name: 'Stop' }).waitFor()
      await page.close({ runBeforeUnload: true })
      await expect.poll(() => asked).toEqual(['beforeunload'])
      release()
      await page.getByText('Guests imported: 30').waitFor()
      await page.close({ runBeforeUnload: true })
      await expect.poll(() => page.isClosed()).toBe(true)
      expect(asked).toHaveLength(1)
    },
  )

  test('all guests are exported as a file that an import reads, and no cell of it is a formula', async () => {
    const other = await TestEvent.open(system, { title: 'Export' })
    await other.guest(await other.category('VIP'), 'x1', { last_name: '=1+1' })
    const page = await browser.open(`events/${other.id}/guests`)
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const text = await textOf(await (await saving).createReadStream())
    const header =
      'first_name,last_name,guest_category,company_name,position,email,phone_number,party_size,uid,rsvp_status,status'
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      expect.stringContaining(header),
      expect.stringContaining(`,'=1+1,VIP,,,,,1,x1,not_replied,registered,`),
    ])
    const target = await TestEvent.open(system, { title: 'Import' })
    await target.category('VIP')
    const importing = await openImport(target)
    await choose(importing, text)
    await importing.getByRole('button', { name: 'Import rows: 1' }).click()
    await importing.getByText('Guests imported: 1').waitFor()
    const [before, after] = [await other.read('guests.json'), await target.read('guests.json')]
    expect(after).toMatchObject([{ last_name: '=1+1', uid: 'x1', registered_at: before[0].registered_at }])
  })
})
