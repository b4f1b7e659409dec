// @module-tag slow
import { text as textOf } from 'node:stream/consumers'
import { textRow, xlsxOf } from '@gatehouse/proto/formats/lists/testing/workbooks.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import en from '../src/texts/languages/en.json' with { type: 'json' }
import { ConsoleBrowser } from './console-browser.ts'
import { overflowAt, violationsOf } from './looks.ts'

const system = await sharedSystem()

const PRETIX = [
  'Order code,Position ID,Status,Product,Attendee name,Attendee email,Ticket secret,Checked in,Diet',
  'A,1,paid,Regular,Ida Invent,ida@example.test,secret-1,2026-05-04 18:00:00,vegan',
  'A,2,paid,Regular,Otto Erdacht,otto@example.test,secret-2,,',
  'B,1,canceled,Regular,Gil Gone,,secret-3,,',
  'C,1,paid,T-shirt,Sam Shirt,,secret-4,,',
].join('\n')
const EVENTBRITE = [
  'Order #,Order Date,First Name,Last Name,Email,Ticket Type,Attendee #,Barcode #,Attendee Status',
  '1001,2026-04-01,Ida,Invent,ida@example.test,VIP,5001,10010001,Attending',
  '1002,2026-04-01,Otto,Erdacht,otto@example.test,VIP,5002,10010002,Attending',
].join('\n')
const HI_EVENTS = [
  'ID,First Name,Last Name,Email,Status,Is Checked In,Checked In At,Product Name,Public ID,Short ID',
  '1,Ida,Invent,ida@example.test,ACTIVE,No,,Regular,A-PUBLIC1,a_1',
  '2,Otto,Erdacht,otto@example.test,ACTIVE,No,,Regular,A-PUBLIC2,a_2',
].join('\n')
const TITO = [
  'Number,Ticket,Ticket Full Name,Ticket Email,Void Status,Ticket Reference,Unique Ticket URL,Order Reference',
  '1,Speaker,Ida Invent,ida@example.test,,ABCD-1,https://ti.to/tickets/ti_slug1,ABCD',
  '2,Regular,Otto Erdacht,otto@example.test,,ABCD-2,https://ti.to/tickets/ti_slug2,ABCD',
].join('\n')

describe('data of other systems', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  const berlin = (title: string): Promise<TestEvent> => TestEvent.open(system, { title, timezone: 'Europe/Berlin' })

  const openPage = ({ id }: TestEvent, what: string): Promise<Page> => browser.open(`events/${id}/bring?what=${what}`)

  async function choose(page: Page, files: Record<string, string | Uint8Array>): Promise<void> {
    const given = Object.entries(files).map(([name, content]) => ({
      ...{ name, mimeType: 'text/csv', buffer: Buffer.from(content) },
    }))
    await page.locator('#files').setInputFiles(given)
  }

  /** What a section says, in lines. */
  const linesOf = async (page: Page, title: string): Promise<string[]> =>
    page.getByRole('region', { name: title }).locator('div > ul.rows > li').allInnerTexts()

  /** What begins the import, which says how many rows are new. */
  const startOf = (page: Page): Locator => page.getByRole('button', { name: /^Import( rows: \d+)?$/ })

  /** Imports what is planned, and waits until that is done. */
  async function importAll(page: Page): Promise<string[]> {
    await startOf(page).click()
    await page.getByRole('region', { name: en.bring_done }).waitFor()
    return linesOf(page, en.bring_done)
  }

  const uidsOf = async (event: TestEvent): Promise<string[]> =>
    (await event.read('guests.json')).map(({ uid }: { uid: string }) => uid).sort()

  test.each<[name: string, file: string, code: string]>([
    ['pretix', PRETIX, 'secret-2'],
    ['Eventbrite', EVENTBRITE, '10010001'],
    ['Hi.Events', HI_EVENTS, 'A-PUBLIC1'],
    ['Tito', TITO, 'ti_slug1'],
  ])(
    'an export of %s is recognized and planned; once it is imported, a printed ticket opens the door, and the same file brings nothing more',
    async (name, file, code) => {
      const event = await berlin(name)
      const page = await openPage(event, 'tickets')
      await choose(page, { 'export.csv': file })
      await page.getByRole('heading', { name: `export.csv · ${name} · ${en.bring_kind_tickets}` }).waitFor()
      if (name === 'pretix') await page.getByLabel('T-shirt').uncheck()
      await page.getByRole('listitem').filter({ hasText: 'New: 2' }).waitFor()
      expect(await uidsOf(event)).toEqual([])
      expect(await importAll(page)).toContain('Imported: 2')
      const [{ _id: door }] = await event.read('accesspoints.json')
      const scanned = await event.make('access_controls.json', { accesspoint_id: door, guest_uid: code })
      expect(scanned.access_status).toBe(0)
      const before = await uidsOf(event)
      await choose(page, { 'again.csv': file })
      await page.getByRole('heading', { name: /^again\.csv/ }).waitFor()
      expect(await linesOf(page, en.bring_plan)).toEqual(
        expect.arrayContaining(['New: 0', expect.stringMatching(/^Already here: [23]$/)]),
      )
      await importAll(page)
      expect(await uidsOf(event)).toEqual(before)
    },
  )

  test('columns say what they were found to be, and may be something else: the plan follows, and so does the import', async () => {
    const event = await berlin('Columns')
    const page = await openPage(event, 'tickets')
    const file = PRETIX.replace('Attendee email', 'Mail of the boss')
      .replace('Diet', 'Diet,Diet')
      .replaceAll('vegan', 'vegan,oats')
    await choose(page, { 'orders.csv': file.replace(/,$/gm, ',,') })
    const plan = page.getByRole('region', { name: en.bring_plan })
    await plan.waitFor()
    await plan.getByText(en.bring_columns).click()
    const column = (name: string) => page.getByLabel(`${en.import_column} ${name}`, { exact: true })
    expect(await column('Ticket secret').inputValue()).toBe('code')
    expect(await column('Mail of the boss').inputValue()).toBe('answer')
    await column('Mail of the boss').selectOption('email')
    await expect.poll(() => column('Mail of the boss').inputValue()).toBe('email')
    await column('Diet').nth(1).selectOption('-')
    await expect.poll(() => column('Diet').nth(1).inputValue()).toBe('-')
    expect(await column('Diet').nth(0).inputValue()).toBe('answer')
    await page.getByLabel('T-shirt').uncheck()
    await page.getByText('Stay out, as you chose: 1').waitFor()
    await importAll(page)
    const guests = await event.read('guests.json?guest_metadata=true')
    expect(guests.map(({ email }: { email: string }) => email).sort()).toEqual([
      'ida@example.test',
      'otto@example.test',
    ])
    expect(guests.find(({ uid }: { uid: string }) => uid === 'secret-1')).toMatchObject({
      guest_metadata: expect.arrayContaining([{ name: 'Diet', value: 'vegan' }]),
    })
  })

  test('a plan names what is made first, what stays out and why, and each row that cannot come', async () => {
    const event = await berlin('Planned')
    const page = await openPage(event, 'tickets')
    await choose(page, { 'orders.csv': `${PRETIX}\nD,1,levitating,Regular,Odd Status,,secret-5,,` })
    const plan = page.getByRole('region', { name: en.bring_plan })
    await plan.waitFor()
    expect(await linesOf(page, en.bring_plan)).toEqual([
      'New: 3',
      'Check-ins that come with them: 1',
      'Stay out, since they are cancelled: 1',
      'Cannot be imported: 1',
    ])
    const text = await plan.innerText()
    for (const words of [
      'New check-in point: Entrance',
      'New guest fields for answers: Diet',
      'Line 6: Status: levitating is a status that is not known here.',
    ])
      expect(text).toContain(words)
    await page.getByLabel('T-shirt').uncheck()
    await plan.getByText('Stay out, as you chose: 1').waitFor()
    expect(await event.read('guest_categories.json')).toEqual([])
  })

  test('several files go into a new event, with discount codes and a log of check-ins, which keep their times', async () => {
    const page = await browser.open('bring?what=tickets')
    await page.getByLabel(en.field_title).fill('Moved here')
    await page.getByLabel(en.field_timezone).selectOption('Europe/Berlin')
    const vouchers =
      'Voucher code,Valid until,Product,Price effect,Value,Redeemed,Maximum usages\nPERCENT,,Any product,Reduce product price by (%),25.00,3,10\n'
    const log = [
      'Date,Time,Check-in list,Scan type,Secret,Product,Result',
      '2026-05-04,18:05:00,Entrance,Entry,secret-2,Regular,OK',
      '2026-05-04,18:06:00,Entrance,Entry,secret-2,Regular,Ticket already used',
    ].join('\n')
    const workbook = await xlsxOf({
      Orders: textRow('Order code', 'Order total') + textRow('A', '9.00'),
      'Order positions': PRETIX.split('\n')
        .map((line) => textRow(...line.split(',')))
        .join(''),
    })
    await choose(page, { 'vouchers.csv': vouchers, 'orders.xlsx': workbook })
    await page.getByRole('heading', { name: /^vouchers\.csv/ }).waitFor()
    await importAll(page)
    await expect.poll(() => page.url()).toMatch(/event=[0-9a-f]{24}/)
    const [, id = ''] = /event=([0-9a-f]{24})/.exec(page.url()) ?? []
    const event = new TestEvent(system, id)
    expect(await event.read('promo_codes.json')).toMatchObject([{ text: 'PERCENT', amount: 0.25, max_usage: 7 }])
    await choose(page, { 'log.csv': log })
    await page.getByRole('heading', { name: /^log\.csv/ }).waitFor()
    expect(await importAll(page)).toEqual(['Imported: 1', 'Stay out, since they were not let in: 1'])
    expect(await event.read('access_controls.json')).toMatchObject([
      { guest_uid: 'secret-2' },
      { guest_uid: 'secret-1' },
    ])
  })

  test('attendance from paper becomes check-ins by code, address or name; what nobody has is named by line, and the report has it', async () => {
    const event = await berlin('On paper')
    const door = await event.point('Door')
    await event.link(await event.category('Visitors'), door, -1)
    const [{ _id: category }] = await event.read('guest_categories.json')
    await event.guest(category, 'A', { last_name: 'Fiction' })
    await event.guest(category, 'B', { first_name: 'Otto', last_name: 'Erdacht', email: 'otto@example.test' })
    const file =
      'Code;E-Mail;Name;Time\nA;;;2026-05-04 18:00:00\n;OTTO@example.test;;04.05.2026 18:05\n;;Erdacht, Otto;04/05/2026 19:00\nX;;;2026-05-04 18:00:00\n'
    const page = await openPage(event, 'attendance')
    await choose(page, { 'paper.csv': file })
    const plan = page.getByRole('region', { name: en.bring_plan })
    await plan.getByText('04/05/2026 may be two different days').waitFor()
    await page.getByLabel(en.bring_dates).selectOption('dmy')
    await plan.getByText('New: 3').waitFor()
    expect(await plan.innerText()).toContain('Line 5: No guest has X.')
    expect(await importAll(page)).toEqual(['Imported: 3', 'Cannot be imported: 1'])
    const stamps = (await event.read('access_controls.json')).map(
      ({ access_stamp }: { access_stamp: string }) => access_stamp,
    )
    expect(stamps.sort()).toEqual(['2026-05-04T16:00:00.000Z', '2026-05-04T16:05:00.000Z', '2026-05-04T17:00:00.000Z'])
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: en.import_save_report }).click()
    expect(await textOf(await (await saved).createReadStream())).toContain('paper.csv,5,No guest has X.,X')
    await choose(page, { 'again.csv': file })
    await page.getByRole('heading', { name: /^again\.csv/ }).waitFor()
    expect(await linesOf(page, en.bring_plan)).toEqual(['New: 0', 'Already here: 3', 'Cannot be imported: 1'])
  })

  test('an import that is stopped goes on where it was, and brings each ticket once', async () => {
    const event = await berlin('Stopped')
    const rows = Array.from({ length: 250 }, (_, n) => `O${n},1,paid,Regular,Ida ${n},,secret-${n},,`)
    const page = await openPage(event, 'tickets')
    await choose(page, { 'many.csv': [PRETIX.split('\n')[0], ...rows].join('\n') })
    await page.getByText('New: 250').waitFor()
    const { promise, resolve } = Promise.withResolvers<void>()
    let sent = 0
    await page.route('**/guests/batch_create.json', async (route) => {
      if (++sent > 1) await promise
      await route.continue().catch(() => undefined)
    })
    await startOf(page).click()
    await expect.poll(() => sent).toBeGreaterThan(1)
    await page.getByRole('button', { name: en.import_stop, exact: true }).click()
    resolve()
    await page.getByRole('button', { name: en.import_go_on, exact: true }).click()
    await page.getByRole('region', { name: en.bring_done }).waitFor()
    expect(await event.read('guests.json?per_page=500')).toHaveLength(250)
  })

  // 100,000 rows take ten seconds.
  test('while a hundred thousand tickets are planned, the page goes on drawing', deep, async () => {
    const event = await berlin('Many')
    const page = await openPage(event, 'tickets')
    const row = 'Regular,Ida Invent,ida@example.test'
    const rows = Array.from({ length: 100_000 }, (_, n) => `O${n},1,paid,${row},secret-${n},2026-05-04 18:00:00,`)
    await page.evaluate(
      'frames = 0; (function next() { frames++; if (!document.body.innerText.includes("New: 100,000")) requestAnimationFrame(next) })()',
    )
    await choose(page, { 'many.csv': [PRETIX.split('\n')[0], ...rows].join('\n') })
    await page.getByText('New: 100,000').waitFor()
    expect(await page.evaluate('frames')).toBeGreaterThan(50)
  })

  test('tickets without codes come once, also if somebody else imports the file again', async () => {
    const event = await berlin('Without codes')
    const file =
      'Order #,Order Date,First Name,Last Name,Email,Quantity,Ticket Type,Order Status\n2001,2026-04-01,Ana,Fiction,ana@example.test,3,Guests,Completed\n2002,2026-04-01,Ana,Fiction,ana@example.test,1,Guests,Completed\n'
    const page = await openPage(event, 'tickets')
    await choose(page, { 'orders.csv': file })
    await page.getByText(/^Get new codes.*: 2$/).waitFor()
    await importAll(page)
    const other = await browser.open(`events/${event.id}/bring?what=tickets`, { role: 'organizer' })
    await choose(other, { 'orders.csv': file })
    await other.getByText('Already here: 2').waitFor()
    expect(await importAll(other)).toContain('Imported: 0')
    expect(await event.read('guests.json')).toHaveLength(2)
  })

  test('a file that no system exports is refused in words, and so are tickets that were scanned nobody knows where', async () => {
    const event = await berlin('Refused')
    const page = await openPage(event, 'tickets')
    await choose(page, { 'colours.csv': 'Colour,Size\nred,1\n' })
    await page.getByText('colours.csv is not an export of pretix').waitFor()
    for (const name of ['Door', 'Side']) await event.point(name)
    await page.reload()
    await choose(page, { 'orders.csv': PRETIX })
    await page.getByText(en.error_several_points).waitFor()
    await page.getByLabel(en.bring_point).selectOption({ label: 'Side' })
    await page.getByRole('region', { name: en.bring_plan }).waitFor()
  })

  test('plan and result, in dark colours too, are without a violation of WCAG 2.2 AA and fit into 320 pixels; the keyboard alone imports', async () => {
    const event = await berlin('Looked at')
    const page = await browser.open(`events/${event.id}/bring?what=tickets`, {
      ...{ colorScheme: 'dark', viewport: { width: 320, height: 640 } },
    })
    const look = async (): Promise<unknown[]> => [
      ...(await violationsOf(page)),
      ...(await overflowAt(page, [320, 1280])),
    ]
    await choose(page, { 'orders.csv': `${PRETIX}\nD,1,levitating,Regular,Odd Status,,secret-5,,` })
    await page.getByRole('region', { name: en.bring_plan }).waitFor()
    expect(await look()).toEqual([])
    await page.getByLabel('T-shirt').focus()
    await page.keyboard.press('Space')
    await page.getByText('Stay out, as you chose: 1').waitFor()
    await startOf(page).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: en.bring_done }).waitFor()
    expect(await look()).toEqual([])
    expect(await uidsOf(event)).toEqual(['secret-1', 'secret-2'])
  })

  test('the page is reached from the events, from an event without guests and from its settings; commands are there for what needs a terminal', async () => {
    const event = await berlin('Reached')
    const page = await browser.open(`events/${event.id}`)
    await page.locator('main').getByRole('link', { name: en.bring_title }).click()
    await page.getByRole('link', { name: en.bring_away }).click()
    await page.getByRole('button', { name: en.bring_away_download }).waitFor()
    await page.getByRole('link', { name: en.bring_back }).click()
    await page.getByRole('link', { name: en.bring_archive, exact: true }).click()
    await page.getByText(/npx gatehouse import everything FILE --account/).waitFor()
    await page.getByRole('link', { name: en.bring_back }).click()
    await page.getByRole('link', { name: en.bring_account }).click()
    await page.getByText(/npx gatehouse migrate .* --plan/).waitFor()
    await page.goto(browser.at(`events/${event.id}/settings`))
    await page.locator('main').getByRole('link', { name: en.bring_title }).waitFor()
    await page.goto(browser.at('events'))
    await page.locator('main').getByRole('link', { name: en.bring_title }).click()
    await page.getByRole('link', { name: en.bring_guests }).click()
    await page.locator('#event').selectOption({ label: 'Reached' })
    await page.getByRole('link', { name: en.import_title }).click()
    await expect.poll(() => page.url()).toContain(`events/${event.id}/guests/import`)
    await page.locator('a.help').waitFor()
  })
})
