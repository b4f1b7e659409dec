// @module-tag slow
import { buffer } from 'node:stream/consumers'
import { readPdf } from '@gatehouse/test/harness/pdf.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import en from '../src/texts/languages/en.json' with { type: 'json' }
import { ConsoleBrowser } from './console-browser.ts'

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
    await page.getByText('“Ada Lovelace” does not fit in 90 pt').waitFor()
    await page.getByLabel(en.badge_size).selectOption('62 × 100')
    await page.locator('.paper svg[width="62mm"]').waitFor()
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
    await page.getByText(en.saved).waitFor()
    expect((await stored()).lines).toEqual([{ field: 'diet', size: 16, weight: 'regular' }, LINES[0]])
  })

  test('a viewer sees a template without editing it', async () => {
    const page = await open(`badge_templates/${template}`, 'viewer')
    await page.getByText('86', { exact: true }).waitFor()
    expect(await page.locator('main form, .paper').count()).toBe(0)
  })

  test('all badges are saved as one PDF, and guests’ filters choose some', async () => {
    const page = await open('guests?checked_in=false')
    await page.getByRole('link', { name: en.print_badges }).click()
    expect(await page.getByLabel(en.field_checked_in).inputValue()).toBe('false')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: en.print_badges }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('badges.pdf')
    const { text, pages } = await readPdf(await buffer(await download.createReadStream()))
    expect([pages.length, text]).toEqual([1, expect.stringContaining('Ada Lovelace')])
    await page.getByText(en.print_badges_done).waitFor()
    await page.getByLabel(en.field_checked_in).selectOption('true')
    await page.getByRole('button', { name: en.print_badges }).click()
    await page.getByRole('alert').getByText(en.error_no_badges).waitFor()
  })

  test('printing shows how far it is, and can be cancelled', async () => {
    const page = await open('badge_templates')
    // The answer never comes.
    await page.route('**/badges.pdf*', () => undefined)
    await page.getByRole('button', { name: en.print_badges }).click()
    await page.getByRole('button', { name: en.cancel }).click()
    await expect.poll(() => page.getByRole('button', { name: en.print_badges }).isEnabled()).toBe(true)
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
