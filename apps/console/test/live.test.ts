// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'

/** Check-in points of a large event. */
const POINTS = 60

const system = await sharedSystem()

describe('the live page', () => {
  let browser: ConsoleBrowser

  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  test('shows how many are inside each area, and which is full; names refused guests; an undone scan goes from its refusals and counts', async () => {
    const event = await TestEvent.open(system, { title: 'Opening Night' })
    const vip = await event.category('VIP')
    const area_id = (await event.make('areas.json', { name: 'Great hall', capacity: 1 }))._id
    await event.make('areas.json', { name: 'Garden' })
    const hall = (await event.make('accesspoints.json', { name: 'Hall door', area_id }))._id
    await event.link(vip, hall)
    await event.guest(vip, 'ada')
    await event.guest(await event.category('Press'), 'grace', { first_name: 'Grace', last_name: 'Hopper' })
    const page = await browser.open(`events/${event.id}/live`)
    const bar = (name: string) => page.locator('.bar', { hasText: name }).locator('strong')
    await bar('Garden').getByText('0 inside', { exact: true }).waitFor()
    await bar('Great hall').getByText('0 of 1 inside', { exact: true }).waitFor()
    const scan = (guest_uid: string) => event.make('access_controls.json', { accesspoint_id: hall, guest_uid })
    const [granted, refused] = [await scan('ada'), await scan('stranger')]
    await scan('grace')
    await page.getByRole('listitem').filter({ hasText: 'Not authorized' }).getByText('Grace Hopper').waitFor()
    await bar('Great hall').getByText('1 of 1 inside · full').waitFor()
    const refusal = page.getByRole('listitem').filter({ hasText: 'stranger' })
    await refusal.waitFor()
    for (const { _id } of [granted, refused]) await event.remove(`access_controls/${_id}.json`)
    await refusal.waitFor({ state: 'detached' })
    await bar('Great hall').getByText('0 of 1 inside', { exact: true }).waitFor()
  })

  test('people counted in areas are named beside those inside the event, on the overview', async () => {
    const event = await TestEvent.open(system, { title: 'Opening Night' })
    const vip = await event.category('VIP')
    const area_id = (await event.make('areas.json', { name: 'Great hall' }))._id
    const hall = (await event.make('accesspoints.json', { name: 'Hall door', area_id }))._id
    await event.link(vip, hall)
    await event.guest(vip, 'ada')
    await event.scan(hall, 'ada')
    const page = await browser.open(`events/${event.id}`)
    await page.locator('.tiles > div', { hasText: 'People inside' }).getByRole('link', { name: 'In areas: 1' }).click()
    await page.getByRole('row').filter({ hasText: 'Great hall' }).waitFor()
  })

  test.each([
    [1920, 1080],
    [3840, 2160],
  ])(
    'with %i × %i pixels and 60 check-in points cuts no text; a television shows all of them on pages, and nothing beyond its edges',
    async (width, height) => {
      const event = await TestEvent.open(system, { title: 'Fair' })
      const name = (number: number): string => `Hall ${number}, entrance from the car park in the north`
      await scannedPoints(event, name)
      const page = await browser.open(`events/${event.id}/live`, { viewport: { width, height } })
      const last = page.locator('.bar').getByText(name(POINTS - 1))
      await last.waitFor()
      const cut = () =>
        page
          .locator('.live, .live *')
          .evaluateAll((all) =>
            all
              .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1)
              .map(({ outerHTML }) => outerHTML.slice(0, 100)),
          )
      expect(await cut()).toEqual([])
      await page.getByRole('button', { name: 'Full screen' }).click()
      await expect.poll(() => page.evaluate('document.fullscreenElement !== null')).toBe(true)
      const turn = page.locator('.turn')
      await turn.waitFor()
      await page.keyboard.press(' ')
      await turn.getByText('Stopped').waitFor()
      const count = Number(/of (\d+)/.exec(await turn.innerText())?.[1])
      expect(count).toBeGreaterThan(1)
      const first = Number(/^(\d+)/.exec(await turn.innerText())?.[1])
      const seen = new Set<string>()
      for (let step = 0; step < count; step++) {
        await turn.getByText(`${((first - 1 + step) % count) + 1} of ${count}`).waitFor()
        const { names, wrong } = await onScreen(page)
        expect(wrong).toEqual([])
        for (const each of names) seen.add(each)
        await page.keyboard.press('ArrowRight')
      }
      expect(Array.from({ length: POINTS }, (_, number) => name(number)).filter((each) => !seen.has(each))).toEqual([])
    },
  )

  test.each([
    ['no-preference', 'Space stops'],
    ['reduce', 'Stopped'],
  ] as const)(
    'with %s of motion a television turns its pages by itself only for those who want motion',
    async (reducedMotion, words) => {
      const event = await TestEvent.open(system, { title: 'Fair' })
      await scannedPoints(event, (number) => `Hall ${number}`)
      const page = await browser.open(`events/${event.id}/live`, {
        reducedMotion,
        viewport: { width: 1920, height: 1080 },
      })
      const whole = page.getByRole('button', { name: 'Full screen' })
      // A page that is still loading would wait for timers of the clock that was.
      await whole.waitFor()
      await page.clock.install()
      await whole.click()
      const turn = page.locator('.turn')
      await turn.getByText(words).waitFor()
      await turn.getByText(/^1 of /).waitFor()
      await page.clock.runFor(10_000)
      await turn.getByText(reducedMotion === 'reduce' ? /^1 of / : /^2 of /).waitFor()
    },
  )
})

/** Makes the check-in points of a large event, each with a scan: others are not shown. */
async function scannedPoints(event: TestEvent, name: (number: number) => string): Promise<void> {
  const points = await Promise.all(Array.from({ length: POINTS }, (_, number) => event.point(name(number))))
  await event.make(
    'access_controls/batch_create.json',
    points.map((accesspoint_id) => ({ accesspoint_id, guest_uid: 'stranger' })),
  )
}

/** The names that a page on a television shows, and what of it is beyond the edges. */
function onScreen(page: Page): Promise<{ names: string[]; wrong: string[] }> {
  return page.evaluate(`(() => {
    const live = document.querySelector('.live')
    const edges = live.querySelector('.panels')?.getBoundingClientRect() ?? new DOMRect()
    const isShown = ({ left, right }) => right > edges.left + 1 && left < edges.right - 1
    const isWithin = (box, outer) =>
      box.left >= outer.left - 1 &&
      box.right <= outer.right + 1 &&
      box.top >= outer.top - 1 &&
      box.bottom <= outer.bottom + 1
    const screen = new DOMRect(0, 0, innerWidth, innerHeight)
    const rows = [...live.querySelectorAll('.rows > li')].filter((row) => isShown(row.getBoundingClientRect()))
    const others = live.querySelectorAll('.tiles dt, .tiles dd, .plot, .turn, .panels')
    const beyond = [
      ...rows.filter((row) => !isWithin(row.getBoundingClientRect(), edges)),
      ...[...others].filter((each) => !isWithin(each.getBoundingClientRect(), screen)),
    ]
    return {
      names: rows.map((row) => row.querySelector('span')?.textContent ?? ''),
      wrong: beyond.map(({ outerHTML }) => outerHTML.slice(0, 120)),
    }
  })()`)
}
