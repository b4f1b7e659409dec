// @module-tag slow
import { buffer as bytesOf } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { furnished } from '../../../services/guests/testing/furnished-event.ts'
import { leftOf } from '../../../services/guests/testing/left-of-event.ts'
import en from '../src/texts/languages/en.json' with { type: 'json' }
import { ConsoleBrowser } from './console-browser.ts'
import { overflowAt, violationsOf } from './looks.ts'

const system = await sharedSystem()

describe('the archive of an event', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  const choose = (page: Page, bytes: Buffer): Promise<void> =>
    page.locator('#archive').setInputFiles({ name: 'event.tgz', mimeType: 'application/gzip', buffer: bytes })
  const start = (page: Page): Promise<void> => page.getByRole('button', { name: en.bring_start, exact: true }).click()
  const look = async (page: Page): Promise<unknown[]> => [
    ...(await violationsOf(page)),
    ...(await overflowAt(page, [320, 1280])),
  ]

  async function downloaded(event: TestEvent): Promise<Buffer> {
    const page = await browser.open(`events/${event.id}/bring?what=away`)
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: en.bring_away_download }).click()
    const download = await coming
    expect(download.suggestedFilename()).toBe(`event-${event.id}.tgz`)
    await page.getByText(en.bring_away_done).waitFor()
    expect(await look(page)).toEqual([])
    return bytesOf(await download.createReadStream())
  }

  async function removed(event: TestEvent, title: string): Promise<void> {
    expect((await event.api('DELETE', `../${event.id}.json?${new URLSearchParams({ title })}`)).status).toBe(204)
    await expect.poll(() => leftOf(system, event.id), { timeout: 120_000, interval: 1_000 }).toEqual([])
  }

  test('is downloaded; the event is made again of it, as it was, and a second time nothing happens', async () => {
    const { event } = await furnished(system)
    const before = await event.read('guests.json')
    const archive = await downloaded(event)
    await removed(event, 'Gala & Ball')
    const page = await browser.open('bring?what=archive')
    await choose(page, archive)
    expect(await look(page)).toEqual([])
    await start(page)
    await page.getByRole('region', { name: en.bring_done }).getByText('“Gala & Ball” is there').waitFor()
    expect(await look(page)).toEqual([])
    expect(await event.read('guests.json')).toEqual(before)
    await page.getByRole('link', { name: en.bring_archive_open }).click()
    await page.getByRole('heading', { name: 'Gala & Ball' }).first().waitFor()
    await page.goto(browser.at('bring?what=archive'))
    await page.reload()
    await choose(page, archive)
    await start(page)
    await page.getByText(en.error_event_there).waitFor()
    expect(await event.read('guests.json')).toEqual(before)
  })

  test('goes on with the same file where it stopped, or what came of it is deleted', async () => {
    const event = await TestEvent.open(system, { title: 'Fair' })
    await event.guest(await event.category(), 'ada')
    const archive = await downloaded(event)
    await removed(event, 'Fair')
    const page = await browser.open('bring?what=archive')
    // The connection is gone after the beginning.
    await page.route('**/event_imports/pages.json', (route) => route.fulfill({ status: 403, json: { error: 'No' } }))
    await choose(page, archive)
    await start(page)
    const begun = page.getByRole('region', { name: en.bring_archive_begun })
    await begun.getByText('Fair').waitFor()
    expect(await look(page)).toEqual([])
    await begun.getByRole('button', { name: `${en.delete}: Fair` }).click()
    await begun.getByText('Delete what has come of “Fair”?').waitFor()
    await begun.getByRole('button', { name: en.cancel }).click()
    await page.unroute('**/event_imports/pages.json')
    await page.getByRole('button', { name: en.import_go_on }).click()
    await page.getByRole('region', { name: en.bring_done }).waitFor()
    expect((await event.read('guests.json')).map(({ uid }: { uid: string }) => uid)).toEqual(['ada'])
    await expect.poll(() => begun.count()).toBe(0)
  })

  test('that is none, was cut off or was changed is refused in words, and nothing is stored', async () => {
    const event = await TestEvent.open(system, { title: 'Fair' })
    const archive = await downloaded(event)
    await removed(event, 'Fair')
    const page = await browser.open('bring?what=archive')
    const changed = gzipSync(
      Buffer.from(gunzipSync(archive).toString('latin1').replace('"Fair","desc', '"Fear","desc'), 'latin1'),
    )
    for (const [bytes, words] of [
      [Buffer.from('uid,last_name'), en.archive_not_archive],
      [archive.subarray(0, archive.length - 50), en.archive_cut_off],
      [changed, en.error_not_sealed],
    ] as const) {
      await choose(page, bytes)
      await start(page)
      await page.getByRole('alert').filter({ hasText: words }).waitFor()
      expect(await look(page)).toEqual([])
    }
    expect((await system.api('GET', 'event_imports.json')).body).toEqual([])
  })
})
