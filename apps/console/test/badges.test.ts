// @module-tag slow
import { buffer } from 'node:stream/consumers'
import { readPdf } from '@gatehouse/test/harness/pdf.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import en from '../src/texts/languages/en.json' with { type: 'json' }
import { ConsoleBrowser } from './console-browser.ts'
import { overflowAt, violationsOf } from './looks.ts'

const system = await sharedSystem()
const LINES = [
  { field: 'name', size: 20, weight: 'bold' },
  { field: 'company_name', size: 12, weight: 'regular' },
]

describe('badges in the console', () => {
  let browser: ConsoleBrowser
  let event: TestEvent
  let template: string

  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
    event = await TestEvent.open(system)
    const card = { name: 'Card', width_mm: 86, height_mm: 54, lines: LINES }
    template = (await event.make('badge_templates.json', card))._id
    await event.make('guest_fields.json', { key: 'diet', label: 'Diet' })
    const vip = { name: 'VIP', badge_enabled: true, badge_template_id: template }
    const { _id } = await event.make('guest_categories.json', vip)
    await event.guest(_id, 'ada', { first_name: 'Ada', last_name: 'Lovelace', company_name: 'Engines' })
    await event.guest(await event.category('No badges'), 'bob', { last_name: 'Bob' })
  })
  afterEach(() => browser.closePages())
  afterAll(() => browser?.close())

  const open = (place: string, role?: string): Promise<Page> =>
    browser.open(`events/${event.id}/${place}`, role ? { role } : {})
  const picture = (page: Page) => page.locator('.paper')
  const stored = () => event.read(`badge_templates/${template}.json`)

  test('a template shows its badge with the longest name, and what does not fit as it is typed', async () => {
    const page = await open(`badge_templates/${template}`)
    await page.locator('.paper svg[width="86mm"]').waitFor()
    expect(await picture(page).getAttribute('aria-label')).toBe('Ada Lovelace, Engines')
    await page.getByText(en.badge_fits).waitFor()
    await page.getByLabel(en.badge_line_size.replace('{line}', en.badge_whole_name)).fill('90')
    await page.getByText(/“Ada Lovelace” is printed in .+ pt instead of 90 pt/).waitFor()
    await page.getByLabel(en.badge_size).selectOption('62 × 100')
    await page.locator('.paper svg[width="62mm"]').waitFor()
  })

  test('a text that cannot be broken moves neither the badge nor its notes out of the window', async () => {
    const own = await TestEvent.open(system)
    const { _id } = await own.make('badge_templates.json', { name: 'Card', lines: LINES })
    const company_name = 'Donaudampfschifffahrtselektrizitäten'.repeat(4)
    await own.guest(await own.category('VIP'), 'max', { last_name: 'Max', company_name })
    const page = await browser.open(`events/${own.id}/badge_templates/${_id}`)
    await page.locator('.misfits').getByText(company_name).waitFor()
    expect(await overflowAt(page, [1280, 900, 360])).toEqual([])
  })

  test('a logo is on the badge at once, and off it when it is removed', async () => {
    const page = await open(`badge_templates/${template}`)
    await page.locator('.paper svg[width="86mm"]').waitFor()
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><rect width="40" height="10" fill="#c00"/></svg>'
    const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) }
    await page.getByLabel(en.badge_logo_choose).setInputFiles(file)
    await page.locator('.paper image').waitFor()
    expect((await stored()).logo_id).toMatch(/^[0-9a-f]{24}$/)
    await page.getByRole('button', { name: en.badge_logo_delete }).click()
    await page.locator('.paper image').waitFor({ state: 'detached' })
    expect((await stored()).logo_id).toBeNull()
  })

  test('lines are added, moved by button and by keyboard, removed, and saved', async () => {
    const page = await open(`badge_templates/${template}`)
    await page.getByRole('button', { name: en.badge_line_add }).click()
    await page.getByLabel(en.badge_line.replace('{place}', '3')).selectOption({ label: 'Diet' })
    await page.getByRole('button', { name: 'Move Diet up' }).click()
    await page.getByLabel(en.badge_line.replace('{place}', '2')).press('Alt+ArrowUp')
    await page.getByText('Diet is now line 1.').waitFor()
    await page.getByRole('button', { name: `Remove ${en.field_company_name}` }).click()
    await page.getByRole('button', { name: en.save }).click()
    await expect
      .poll(async () => (await stored()).lines)
      .toEqual([{ field: 'diet', size: 16, weight: 'regular' }, LINES[0]])
  })

  test('a template has a name before its size, and asks for width and height of an unusual size only', async () => {
    const page = await open('badge_templates/new')
    await page.getByLabel(en.badge_size).waitFor()
    const labels = await page.locator('.form > .field > label').allTextContents()
    expect([labels[0], labels[1]]).toEqual([expect.stringContaining(en.field_name), en.badge_size])
    expect(await page.getByLabel(en.field_width_mm).count()).toBe(0)
    await page.getByLabel(en.badge_size).selectOption(en.badge_size_own)
    await page.locator('#field-name').fill('Wristband')
    await page.getByLabel(en.field_width_mm).fill('250')
    await page.getByLabel(en.field_height_mm).fill('25')
    await page.getByRole('button', { name: en.save }).click()
    await page.getByRole('heading', { name: 'Wristband' }).waitFor()
    const made = (await event.read('badge_templates.json')).at(-1)
    expect(made).toMatchObject({ name: 'Wristband', width_mm: 250, height_mm: 25 })
  })

  test('a template’s page says which categories use it, and assigns it to others, which can be undone', async () => {
    const other = await event.make('badge_templates.json', { name: 'Press card' })
    const fields = { name: 'Press', badge_enabled: true, badge_template_id: other._id }
    const { _id } = await event.make('guest_categories.json', fields)
    const used = async () => (await event.read(`guest_categories/${_id}.json`)).badge_template_id
    const page = await open(`badge_templates/${template}`)
    expect(await page.getByRole('checkbox', { name: 'VIP' }).isChecked()).toBe(true)
    await page.getByRole('checkbox', { name: 'No badges (badges are off)' }).waitFor()
    await page.getByText('Press (now Press card)').click()
    await expect.poll(used).toBe(template)
    await page.getByRole('checkbox', { name: 'Press', exact: true }).waitFor()
    await page.getByRole('button', { name: en.undo }).click()
    await expect.poll(used).toBe(other._id)
    const viewers = await open(`badge_templates/${template}`, 'viewer')
    await viewers.locator('.used-by').getByText('VIP', { exact: true }).waitFor()
    expect(await viewers.getByRole('checkbox').count()).toBe(0)
  })

  test('the button to save stays in sight only once there is something to save, and not in a low window', async () => {
    const page = await open(`badge_templates/${template}`)
    const position = () =>
      page
        .locator('.form > .buttons')
        .evaluate((each) => each.ownerDocument.defaultView?.getComputedStyle(each).position)
    await page.locator('#field-name').waitFor()
    expect(await position()).toBe('static')
    await page.locator('#field-name').fill('Other card')
    await expect.poll(position).toBe('sticky')
    await page.setViewportSize({ width: 1280, height: 400 })
    await expect.poll(position).toBe('static')
    await page.locator('#field-name').fill('Card')
  })

  test('a viewer sees a template without editing it', async () => {
    const page = await open(`badge_templates/${template}`, 'viewer')
    await page.getByText('86', { exact: true }).waitFor()
    expect(await page.locator('main form, .paper').count()).toBe(0)
  })

  test('all badges are saved as one PDF, and guests’ filters choose some', async () => {
    const page = await open('guests?checked_in=false')
    await page.getByRole('link', { name: en.print_badges }).click()
    await page.getByRole('button', { name: 'Save badges as PDF (1)' }).waitFor()
    await page.getByText('Paper size: 86 × 54 mm').waitFor()
    expect(await page.getByLabel(en.field_checked_in).inputValue()).toBe('false')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: en.print_badges_save_all }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('badges.pdf')
    const { text, pages } = await readPdf(await buffer(await download.createReadStream()))
    expect([pages.length, text]).toEqual([1, expect.stringContaining('Ada Lovelace')])
    await page.getByText('Badges made: 1. Open the file to print them.').waitFor()
    await page.getByRole('navigation', { name: en.checklist }).getByText('Next: ').waitFor()
    await page.getByLabel(en.field_checked_in).selectOption('true')
    await page.getByRole('button', { name: 'Save badges as PDF (0)' }).waitFor()
    await page.getByRole('button', { name: en.print_badges_save_all }).click()
    await page.getByRole('alert').getByText(en.error_no_badges).waitFor()
  })

  test('where no category has badges on, the page says so instead of a file of none, and the overview ticks no step for a template', async () => {
    const fair = await TestEvent.open(system)
    await fair.guest(await fair.category(), 'ada')
    await fair.make('badge_templates.json', { name: 'Card' })
    const page = await browser.open(`events/${fair.id}/badge_templates`)
    await page.getByText(en.error_no_badges).waitFor()
    expect(await page.getByRole('button', { name: en.print_badges_save_all }).count()).toBe(0)
    await page.goto(browser.at(`events/${fair.id}`))
    await page.locator('.checklist').getByRole('link', { name: en.step_badges }).waitFor()
  })

  test('the overview ticks the step of badges once they were made in one file', async () => {
    const fair = await TestEvent.open(system)
    const { _id } = await fair.make('guest_categories.json', { name: 'VIP', badge_enabled: true })
    await fair.guest(_id, 'ada', { last_name: 'Lovelace' })
    const page = await browser.open(`events/${fair.id}`)
    const step = page.getByRole('listitem').filter({ hasText: en.step_badges }).getByRole('img')
    const state = () => step.getAttribute('aria-label')
    await step.waitFor()
    expect(await state()).not.toBe('Done')
    expect((await fair.api('GET', 'badges.pdf')).status).toBe(200)
    await expect.poll(async () => (await page.reload()) && (await state())).toBe('Done')
  })

  test('badges without a template have the usual design, and a template is not the main thing there', async () => {
    const { id } = await TestEvent.open(system)
    const page = await browser.open(`events/${id}/badge_templates`)
    await page.getByText('Badges use the usual design until you add a template.').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Badges')
    expect(await page.getByText('Nothing here yet').count()).toBe(0)
    const classes = await page.getByRole('link', { name: en.add_badge_templates }).getAttribute('class')
    expect(classes).toBe('button second')
    expect([await violationsOf(page), await overflowAt(page, [360])]).toEqual([[], []])
  })

  test('printing shows how far it is, and can be cancelled', async () => {
    const page = await open('badge_templates')
    // The answer never comes.
    await page.route('**/badges.pdf*', () => undefined)
    await page.getByRole('button', { name: en.print_badges_save_all }).click()
    await page.getByRole('button', { name: en.cancel }).click()
    await expect.poll(() => page.getByRole('button', { name: en.print_badges_save_all }).isEnabled()).toBe(true)
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
