import { slownessOf } from '@gatehouse/test/harness/browser-speed.ts'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeGuests } from '../../../services/guests/testing/store-guests.ts'
import { ConsoleBrowser } from './console-browser.ts'

/** How fast an old laptop is: half of the low end of the desktops to which Lighthouse's docs/throttling.md gives 1,500 to 2,000. */
const LAPTOP_SPEED = 750
/** A network as Lighthouse has it for desktops: ms, and bytes a second. */
const DENSE_4G = { offline: false, latency: 40, downloadThroughput: 10_240_000 / 8, uploadThroughput: 10_240_000 / 8 }
const FIRST_VIEW_MS = 1_500
const MANY = 1_000_000
const SCREEN_MS = 300

/** Notes in the page itself when its title and its counts are there, in ms since it was asked for: to look from outside would cost the old laptop time. */
const SEES = `window.seen = new Promise((resolve) => {
  let title
  new MutationObserver(() => {
    if (document.querySelector('h1')?.textContent === 'World fair') title ??= performance.now()
    if (document.querySelector('.tiles')) resolve([title, performance.now()])
  }).observe(document, { childList: true, subtree: true, characterData: true })
})`

// It measures, so `npm run test:deep` alone runs it, while nothing else runs. Takes several minutes, most of which the guests take to be stored.
describe('the speed of the console', () => {
  let system: System
  let pages: ConsoleBrowser
  let event: TestEvent
  let category: string

  beforeAll(async () => {
    system = await startSystem({ with: 'all' })
    pages = await ConsoleBrowser.start(system)
    event = await TestEvent.open(system, { title: 'World fair' })
    category = await event.category('Visitor')
  })
  afterAll(async () => {
    await pages?.close()
    await system?.stop()
  })

  test('on an old laptop that has nothing of it, the overview of an event is there within 1.5 s', async () => {
    const browser = await startChromium()
    const slower = await slownessOf(browser, LAPTOP_SPEED)
    await browser.close()
    const times: number[] = []
    const counts: number[] = []
    for (let run = 0; run < 3; run++) {
      // Each in a browser context of its own: with an empty cache.
      const page = await pages.open('', { role: null })
      await page.goto('about:blank')
      await page.context().addCookies([await pages.cookieOf('owner')])
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
      await session.send('Network.enable')
      await session.send('Network.setCacheDisabled', { cacheDisabled: true })
      await session.send('Network.emulateNetworkConditions', DENSE_4G)
      await page.addInitScript(SEES)
      await page.goto(pages.at(`events/${event.id}`), { waitUntil: 'commit' })
      const [title, tiles] = await page.evaluate<[number, number]>('seen')
      times.push(Math.round(title))
      counts.push(Math.round(tiles))
      await page.context().close()
    }
    console.log(`the overview was there after ${times.join(', ')} ms, with its counts after ${counts.join(', ')} ms`)
    expect(times.toSorted((one, other) => one - other)[1]).toBeLessThan(FIRST_VIEW_MS)
  })

  test('each screen of a list of a million guests is there within 300 ms, by scrolling, searching and filtering', async () => {
    await storeGuests(system, event.id, category, MANY)
    const page = await pages.open(`events/${event.id}/guests`)
    const list = page.getByRole('region', { name: 'Guests' })
    await list.locator('tbody a').first().waitFor()
    /** How long it takes from an act until other rows are there, all of those that are seen. */
    const after = async (act: string): Promise<number> =>
      page.evaluate<number>(`new Promise((resolve) => {
        const rows = () => [...document.querySelectorAll('.list tbody tr')].map((row) => row.innerText)
        const before = rows().join()
        const start = performance.now()
        const list = document.querySelector('.list')
        ${act}
        const look = () => {
          const now = rows()
          const isThere = now.length > 0 && now.join() !== before && now.every((row) => /large-/.test(row))
          if (isThere) resolve(performance.now() - start)
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      })`)
    const scrolls: number[] = []
    for (let screen = 0; screen < 20; screen++) scrolls.push(await after('list.scrollTop += list.clientHeight * 4'))
    const middle = scrolls.toSorted((one, other) => one - other)
    console.log(`screens of a million: ${scrolls.map(Math.round).join(', ')} ms`)
    expect(middle[10]).toBeLessThan(SCREEN_MS)
    const search = page.getByRole('searchbox')
    const found: number[] = []
    for (const uid of ['large-777777', 'large-123456', 'large-999999']) {
      const start = performance.now()
      await search.fill(uid)
      await page.getByText(uid, { exact: true }).waitFor()
      found.push(Math.round(performance.now() - start))
    }
    console.log(`a code is found after ${found.join(', ')} ms`)
  })
})
