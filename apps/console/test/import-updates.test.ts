// @module-tag slow
import { text as textOf } from 'node:stream/consumers'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'

const system = await sharedSystem()

describe('lists of guests in the console', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  /** An event with two categories, where rows need one. */
  async function openEvent() {
    const event = await TestEvent.open(system, { title: 'Opening Night' })
    const [vip, press] = [await event.category('VIP'), await event.category('Press')]
    return { event, vip, press }
  }
  const openImport = ({ id }: TestEvent) => browser.open(`events/${id}/guests/import`)
  const paste = (page: Page, rows: string[][]) =>
    page.getByLabel('Or paste rows').fill(rows.map((cells) => cells.join('\t')).join('\n'))
  /** The lines of a file that a button saves. */
  async function saved(page: Page, button: string): Promise<string[]> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ])
    return (await textOf(await download.createReadStream())).replace('\ufeff', '').trim().split('\r\n')
  }

  test('rows of a spreadsheet are pasted; notes become the message, and a column called as a guest field is that field', async () => {
    const { event } = await openEvent()
    await event.make('guest_fields.json', { key: 'diet', label: 'Dietary needs' })
    const page = await openImport(event)
    await paste(page, [
      ['Name', 'Category', 'Notes', 'dietary needs', 'Table'],
      ['Lovelace', 'VIP', 'Front row', 'Vegan', '7'],
    ])
    expect(await page.getByLabel('Column Notes').inputValue()).toBe('message')
    expect(await page.getByLabel('Column dietary needs').locator('option:checked').innerText()).toBe('Dietary needs')
    await page.getByRole('button', { name: 'Import rows: 1' }).click()
    await page.getByText('Guests imported: 1').waitFor()
    const [guest] = await event.read('guests.json?guest_metadata=true')
    expect(guest).toMatchObject({ last_name: 'Lovelace', message: 'Front row' })
    expect(guest.guest_metadata).toEqual([
      { name: 'diet', value: 'Vegan' },
      { name: 'Table', value: '7' },
    ])
  })

  test('guests who are there are updated by code: what changes is shown and saved before, and what became of each row afterwards', async () => {
    const { event, vip, press } = await openEvent()
    const metadata = { Table: '7', Hotel: 'Ritz' }
    await event.make('guests.json', {
      guest_category_id: vip,
      uid: 'a1',
      last_name: 'Lovelace',
      company_name: 'Old',
      guest_metadata: metadata,
    })
    await event.make('guests.json', { guest_category_id: vip, uid: 'b2', last_name: 'Hopper', party_size: 2 })
    const page = await openImport(event)
    await page.getByLabel('Guests who are already on the list').selectOption({ label: 'Update by code' })
    await paste(page, [
      ['Code', 'Last name', 'Company', 'Category', 'Table', 'Party size'],
      ['a1', '', 'New', 'Press', '8', ''],
      ['b2', 'Hopper', '', '', '', '2'],
      ['c3', 'Ward', '', 'VIP', '', ''],
      ['d4', 'Curie', '', '', '', ''],
    ])
    const changes = page.getByRole('region', { name: 'What changes' })
    await changes.getByText('New guests: 1 · Guests who change: 1 · Unchanged: 1').waitFor()
    expect(await changes.getByRole('listitem').locator('small').allInnerTexts()).toEqual([
      'Company: Old → New',
      'Table: 7 → 8',
      'Category: VIP → Press',
    ])
    expect(await saved(page, 'Save what changes')).toEqual([
      'line,uid,name,field,before,after',
      '2,a1,Lovelace,Company,Old,New',
      '2,a1,Lovelace,Table,7,8',
      '2,a1,Lovelace,Category,VIP,Press',
    ])
    await page.getByRole('button', { name: 'Import rows: 2' }).click()
    await page.getByText('Guests imported: 1').waitFor()
    await page.getByText('Guests changed: 1').waitFor()
    await page.getByText('Unchanged: 1').waitFor()
    expect(await saved(page, 'Save the report')).toEqual([
      'line,outcome,uid,problem',
      '2,Changed,a1,',
      '3,Unchanged,b2,',
      '4,Added,c3,',
      expect.stringMatching(/^5,Left out,,/),
    ])
    const [ada] = await event.read('guests.json?uid=a1&guest_metadata=true')
    expect(ada).toMatchObject({ last_name: 'Lovelace', company_name: 'New', guest_category_id: press })
    expect(ada.guest_metadata).toEqual([
      { name: 'Hotel', value: 'Ritz' },
      { name: 'Table', value: '8' },
    ])
    expect((await event.read('guests.json')).length).toBe(3)
  })

  test('many guests are changed by few requests, and a row that is refused is named among them', async () => {
    const { event, vip } = await openEvent()
    const uids = Array.from({ length: 130 }, (_, index) => `u${index}`)
    await Promise.all(uids.map((uid) => event.guest(vip, uid, { last_name: 'Old' })))
    const page = await openImport(event)
    await page.getByLabel('Guests who are already on the list').selectOption({ label: 'Update by code' })
    await paste(page, [['Code', 'Last name', 'E-mail'], ...uids.map((uid) => [uid, 'New', `${uid}@example.org`])])
    await page.getByRole('button', { name: 'Import rows: 130' }).waitFor()
    // It is gone meanwhile.
    const [gone] = await event.read('guests.json?uid=u7')
    await event.remove(`guests/${gone._id}.json`)
    let requests = 0
    page.on('request', (request) => {
      if (request.method() !== 'GET') requests++
    })
    await page.getByRole('button', { name: 'Import rows: 130' }).click()
    await page.getByText('Guests changed: 129').waitFor()
    await page.locator('.bad .rows li', { hasText: 'Line 9' }).waitFor()
    expect(requests).toBe(2)
    const found = await event.all('guests.json')
    expect(new Set(found.map(({ last_name }) => last_name))).toEqual(new Set(['New']))
  })

  test('guests are updated by e-mail address whatever its case; a row whose address several guests have is not imported', async () => {
    const { event, vip } = await openEvent()
    for (const [uid, email] of [
      ['a', 'ada@example.org'],
      ['b', 'team@example.org'],
      ['c', 'team@example.org'],
    ])
      await event.make('guests.json', { guest_category_id: vip, uid, last_name: 'Old', email })
    const page = await openImport(event)
    await paste(page, [
      ['E-mail', 'Last name'],
      ['ADA@example.org', 'Lovelace'],
      ['team@example.org', 'Nobody'],
    ])
    await page.getByLabel('Guests who are already on the list').selectOption({ label: 'Update by e-mail address' })
    await page.getByText('Several guests have the e-mail address team@example.org').waitFor()
    await page.getByRole('button', { name: 'Import rows: 1' }).click()
    await page.getByText('Guests changed: 1').waitFor()
    const found = await event.read('guests.json?sort=created_at')
    expect(found.map(({ last_name }: { last_name: string }) => last_name)).toEqual(['Lovelace', 'Old', 'Old'])
  })
})
