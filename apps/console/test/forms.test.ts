// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import texts from '../src/texts/languages/en.json' with { type: 'json' }
import { evaluateBuilt } from './built-module.ts'
import { ConsoleBrowser } from './console-browser.ts'
import { overflowAt, violationsOf } from './looks.ts'

/** Fields whose labels say it all, or which an editor of their own explains. */
const EVIDENT = new Set([
  ...['title', 'start_date', 'end_date', 'timezone', 'location', 'description', 'event_id', 'name', 'kind', 'label'],
  ...['first_name', 'last_name', 'company_name', 'position', 'email', 'phone_number', 'guest_category_id'],
  ...['rsvp_status', 'status', 'registered_at', 'order_uid', 'promo_code', 'accesspoint_id', 'partner_id', 'type'],
  ...[
    'badge_qr_code_enabled',
    'badge_template_id',
    'width_mm',
    'height_mm',
    'lines',
    'shows_qr_code',
    'colour',
    'fold',
  ],
  ...[
    'registration_party_max',
    'registration_opens_at',
    'registration_closes_at',
    'use_in_registration',
    'is_required',
  ],
  ...['available_values', 'text', 'amount', 'percentage_of_total', 'max_usage', 'is_enabled', 'subject', 'message'],
  ...['ongoing', 'platform_promo_code_text', 'platform_promo_code_amount', 'platform_promo_code_max_usage'],
  'platform_promo_code_percentage_of_total',
])

const system = await sharedSystem()

describe('the forms of the console', () => {
  let browser: ConsoleBrowser
  let event: TestEvent

  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
    event = await TestEvent.open(system, { title: 'Opening Night', location: 'Somerset House' })
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  test('the button of a long form is in sight, wherever it is scrolled to, once something has changed', async () => {
    const page = await browser.open(`events/${event.id}/settings`, { viewport: { width: 360, height: 740 } })
    const save = page.getByRole('button', { name: 'Save' })
    await page.getByLabel('Location').fill('Great hall')
    await page.locator('main').evaluate((main) => main.scrollTo(0, 0))
    const { y = 0, height = 0 } = (await save.boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(740)
    expect(await page.locator('main').evaluate((main) => main.scrollHeight > 1.5 * main.clientHeight)).toBe(true)
  })

  test('an e-mail address that is none is refused with an example of one', async () => {
    const page = await browser.open(`events/${event.id}/partners/new`)
    await page.getByLabel('Name').fill('Acme')
    await page.getByLabel('E-mail', { exact: true }).fill('acme')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter an e-mail address, such as ada@example.com.').waitFor()
  })

  test('what was saved is said, and undone by one button', async () => {
    const page = await browser.open(`events/${event.id}/settings`)
    const location = async () => (await system.api('GET', `events/${event.id}.json`)).body.location
    await page.getByLabel('Location').fill('Great hall')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved').waitFor()
    expect(await location()).toBe('Great hall')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('status').getByText('Undone').waitFor()
    expect(await location()).toBe('Somerset House')
    expect(await page.getByLabel('Location').inputValue()).toBe('Somerset House')
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  })

  test('a page with unsaved changes is left only if someone says so; what was typed stays otherwise', async () => {
    const page = await browser.open(`events/${event.id}/guests`)
    const field = page.getByLabel('Location')
    const menu = page.getByRole('navigation', { name: 'Menu' })
    await menu.getByRole('link', { name: 'Settings' }).click()
    await field.fill('Great hall')
    for (const leave of [() => page.goBack(), () => menu.getByRole('link', { name: 'Guests' }).click()]) {
      await leave()
      await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click()
      expect(await field.inputValue()).toBe('Great hall')
      expect(page.url()).toContain('/settings')
    }
    await menu.getByRole('link', { name: 'Guests' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'Guests' }).waitFor()
    await menu.getByRole('link', { name: 'Settings' }).click()
    await expect.poll(() => field.inputValue()).toBe('Somerset House')
    await menu.getByRole('link', { name: 'Guests' }).click()
    await page.getByRole('heading', { name: 'Guests' }).waitFor()
  })

  test('the question before something is deleted names it; its form with changes asks for nothing else', async () => {
    const point = await event.point('Side door')
    const page = await browser.open(`events/${event.id}/accesspoints/${point}`)
    await page.getByLabel('Name').fill('Side gate')
    await page.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('alert')
    await question.getByText('Side door', { exact: true }).waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Check-in points' }).waitFor()
    await page.getByRole('status').getByText('Deleted').waitFor()
  })

  test('an empty limit is none, and the value of a discount has its unit in its label', async () => {
    const page = await browser.open(`events/${event.id}/promo_codes/new`)
    const stored = async () => (await event.read('promo_codes.json'))[0]
    await page.getByLabel('Code').fill('EARLY')
    await page.getByLabel('Percentage discount').check()
    await page.getByLabel('Discount (%)').fill('29')
    const most = page.getByLabel('Maximum uses')
    expect([await most.inputValue(), await most.getAttribute('placeholder')]).toEqual(['', 'No limit'])
    await most.fill('7')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'EARLY' }).waitFor()
    expect(await stored()).toMatchObject({ amount: 0.29, percentage_of_total: true, max_usage: 7 })
    expect(await page.getByLabel('Discount (%)').inputValue()).toBe('29')
    await page.getByLabel('Percentage discount').uncheck()
    expect(await page.getByLabel('Discount (fixed amount)').inputValue()).toBe('29')
    await most.fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(stored).toMatchObject({ amount: 29, percentage_of_total: false, max_usage: -1 })
  })

  test('a guest field gets its key from its label, unless somebody types another one; a key that is taken is shown', async () => {
    const page = await browser.open(`events/${event.id}/guest_fields/new`)
    const label = page.getByLabel('Label')
    const save = page.getByRole('button', { name: 'Save' })
    const keys = async () => (await event.read('guest_fields.json')).map(({ key }: { key: string }) => key).sort()
    await label.fill('Größe des T-Shirts')
    expect(await page.getByLabel('Name in files').isVisible()).toBe(false)
    await save.click()
    await page.getByRole('heading', { name: 'Größe des T-Shirts' }).waitFor()
    expect(await keys()).toEqual(['größe_des_t_shirts'])
    await label.fill('T-Shirt')
    await save.click()
    await page.getByRole('status').getByText('Saved').waitFor()
    expect(await keys()).toEqual(['größe_des_t_shirts'])
    await page.goto(browser.at(`events/${event.id}/guest_fields/new`))
    await label.fill('Größe des T-Shirts!')
    await save.click()
    await page.getByLabel('Name in files').fill('size')
    await label.fill('Size')
    await save.click()
    await page.getByRole('heading', { name: 'Size' }).waitFor()
    expect(await keys()).toEqual(['größe_des_t_shirts', 'size'])
  })

  test('only a guest field that guests are asked for can be required of them, and says how they no longer are', async () => {
    const { _id } = await event.make('guest_fields.json', { key: 'diet', label: 'Diet' })
    const page = await browser.open(`events/${event.id}/guest_fields/${_id}`)
    const asked = page.getByLabel('Ask for it at registration')
    const note = page.getByText('A guest field cannot be deleted')
    await asked.waitFor()
    expect(await page.getByLabel('Required at registration').count()).toBe(0)
    expect(await note.innerText()).not.toContain('untick')
    await asked.check()
    await page.getByLabel('Required at registration').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('untick “Ask for it at registration”').waitFor()
    expect(await event.read(`guest_fields/${_id}.json`)).toMatchObject({ use_in_registration: true, is_required: true })
  })

  test('the key of a stored guest field stays, whatever its label: answers and e-mails have it', async () => {
    const { _id } = await event.make('guest_fields.json', { key: 'meal', label: 'Meal' })
    const page = await browser.open(`events/${event.id}/guest_fields/${_id}`)
    await page.getByRole('definition').getByText('meal', { exact: true }).waitFor()
    await page.getByLabel('Label').fill('Menu')
    expect(await page.getByLabel('Name in files').count()).toBe(0)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Menu' }).waitFor()
    expect(await event.read(`guest_fields/${_id}.json`)).toMatchObject({ key: 'meal', label: 'Menu' })
  })

  test('nothing is sent by what is stored while something else is typed: it has to be saved first, and nothing is sent by saving', async () => {
    const press = await event.category('Readers')
    await event.guest(press, 'reader', { email: 'reader@example.org' })
    const { _id } = await event.make('mailings.json', { name: 'Codes', subject: 'Code', message: 'Hello' })
    const page = await browser.open(`events/${event.id}/mailings/${_id}`)
    const stored = () => event.read(`mailings/${_id}.json`)
    const send = page.getByRole('button', { name: 'Send', exact: true })
    const question = page.getByRole('alert').filter({ hasText: 'Save them first' })
    await send.click()
    await page.getByRole('alert').getByText('not sent').waitFor()
    // The question is there already.
    await page.getByLabel('Message').fill('Good evening')
    await question.waitFor()
    expect(await question.getByRole('button').allInnerTexts()).toEqual(['Save', 'Cancel'])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await send.click()
    await question.getByRole('button', { name: 'Save' }).click()
    await question.waitFor({ state: 'detached' })
    await send.waitFor()
    expect(await stored()).toMatchObject({ message: 'Good evening', started_at: null })
    await send.click()
    await page.getByText('People who get this e-mail: 1.').waitFor()
  })

  test('a setting that belongs to another one is shown once that is ticked; what is wrong with it is said even where it is not', async () => {
    const category = await event.category('Public')
    const page = await browser.open(`events/${event.id}/guest_categories/${category}`)
    const open = page.getByRole('checkbox', { name: 'Registration page' })
    const ends = page.getByLabel('Registration closes')
    // It has other values than a new category begins with, so what few need is open.
    await open.waitFor()
    expect(await ends.count()).toBe(0)
    await open.check()
    await page.getByLabel('Registration opens').fill('2027-03-20T12:00')
    await ends.fill('2027-03-20T11:00')
    await open.uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('Registration closes').waitFor()
    await open.check()
    await page.locator('#field-registration_closes_at-error').waitFor()
  })

  test('what few need is closed until it is used or wrong', async () => {
    const page = await browser.open(`events/${event.id}/settings`)
    const more = page.getByText('More settings')
    const day = page.getByLabel('Day starts at')
    await more.waitFor()
    expect(await day.isVisible()).toBe(false)
    await more.click()
    await day.fill('noon')
    await more.click()
    expect(await day.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#field-day_starts_at-error').waitFor()
    expect(await day.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true)
    await day.fill('06:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved').waitFor()
    await page.reload()
    await expect.poll(() => day.inputValue()).toBe('06:00')
    expect(await day.isVisible()).toBe(true)
    expect([await violationsOf(page), await overflowAt(page, [320])]).toEqual([[], []])
  })

  test('several categories or check-in points are made at once, each of a line; doubles are named and made once', async () => {
    const own = await TestEvent.open(system)
    await own.category('Press')
    for (const [list, there] of [
      ['guest_categories', 'Press'],
      ['accesspoints', ''],
    ] as const) {
      const page = await browser.open(`events/${own.id}/${list}/new`)
      // It is open where there is none yet.
      if (there) await page.getByText('Several at once').click()
      await page.getByLabel('One in each line').fill(`  VIP \n\n${there}\nCrew\nvip\n`)
      await page.getByText('More than once in the list, added once: VIP').waitFor()
      if (there) await page.getByText(`Already there, not added again: ${there}`).waitFor()
      expect([await violationsOf(page), await overflowAt(page, [320])]).toEqual([[], []])
      await page.getByRole('button', { name: 'Add all (2)' }).click()
      await page
        .getByRole('status')
        .filter({ hasText: /^Added: 2$/ })
        .waitFor()
      const names = async () => (await own.read(`${list}.json`)).map(({ name }: { name: string }) => name)
      expect((await names()).sort()).toEqual(['Crew', ...(there ? [there] : []), 'VIP'])
    }
    expect(await own.read('guest_categories.json')).toMatchObject([
      { badge_enabled: false },
      { badge_enabled: true, badge_qr_code_enabled: true },
      { badge_enabled: true, badge_qr_code_enabled: true },
    ])
  })

  test('of several at once, one that is refused stays in its field with those after it, and says why', async () => {
    const own = await TestEvent.open(system)
    const page = await browser.open(`events/${own.id}/accesspoints/new`)
    const long = 'x'.repeat(300)
    const lines = page.getByLabel('One in each line')
    await lines.fill(`North\n${long}\nSouth`)
    await page.getByRole('button', { name: 'Add all (3)' }).click()
    await page.getByRole('alert').getByText('Use at most 255 characters.').waitFor()
    expect(await lines.inputValue()).toBe(`${long}\nSouth`)
    await lines.fill('Side door\nSouth')
    await page.getByRole('button', { name: 'Add all (2)' }).click()
    await page.getByRole('heading', { name: 'Check-in points' }).waitFor()
    const names = (await own.read('accesspoints.json')).map(({ name }: { name: string }) => name)
    expect(names.sort()).toEqual(['North', 'Side door', 'South'])
  })

  test('each field of a form says by its label alone what it is for, or has a hint', async () => {
    const page = await browser.open()
    const fields = await evaluateBuilt<string[]>(
      page,
      'resources/resources.ts',
      'built.resources.flatMap(({ fields, hints = {} }) => fields.filter((name) => !hints[name]))',
    )
    const hinted = (name: string): boolean => [`hint_${name}`, `hint_new_${name}`].some((key) => key in texts)
    expect([...new Set(fields)].filter((name) => !hinted(name) && !EVIDENT.has(name))).toEqual([])
  })

  test('what no language of its own means is said: a partner’s e-mails have that of the event', async () => {
    const page = await browser.open(`events/${event.id}/partners/new`)
    const language = page.getByLabel('Language', { exact: true })
    await language.waitFor()
    expect((await language.locator('option').allTextContents())[0]).toBe('Language of the event')
    await page.goto(browser.at('account'))
    await expect.poll(() => language.inputValue()).toBe('en')
    expect(await language.locator('option').allTextContents()).not.toContain('Language of the event')
  })
})
