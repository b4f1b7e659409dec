// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
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

  test('shows how many are inside each area, and which is full; an undone scan goes from its refusals and counts', async () => {
    const event = await TestEvent.open(system, { title: 'Opening Night' })
    const vip = await event.category('VIP')
    const area_id = (await event.make('areas.json', { name: 'Great hall', capacity: 1 }))._id
    await event.make('areas.json', { name: 'Garden' })
    const hall = (await event.make('accesspoints.json', { name: 'Hall door', area_id }))._id
    await event.link(vip, hall)
    await event.guest(vip, 'ada')
    const page = await browser.open(`events/${event.id}/live`)
    const bar = (name: string) => page.locator('.bar', { hasText: name }).locator('strong')
    await bar('Garden').getByText('0 inside', { exact: true }).waitFor()
    await bar('Great hall').getByText('0 of 1 inside', { exact: true }).waitFor()
    const scan = (guest_uid: string) => event.make('access_controls.json', { accesspoint_id: hall, guest_uid })
    const [granted, refused] = [await scan('ada'), await scan('stranger')]
    await bar('Great hall').getByText('1 of 1 inside · full').waitFor()
    const refusal = page.getByRole('listitem').filter({ hasText: 'stranger' })
    await refusal.waitFor()
    for (const { _id } of [granted, refused]) await event.remove(`access_controls/${_id}.json`)
    await refusal.waitFor({ state: 'detached' })
    await bar('Great hall').getByText('0 of 1 inside', { exact: true }).waitFor()
  })

  test.each([
    [1920, 1080],
    [3840, 2160],
  ])('with %i × %i pixels and 60 check-in points cuts no text', async (width, height) => {
    const event = await TestEvent.open(system, { title: 'Fair' })
    const name = (number: number): string => `Hall ${number}, entrance from the car park in the north`
    const points = await Promise.all(Array.from({ length: POINTS }, (_, number) => event.point(name(number))))
    await event.make(
      'access_controls/batch_create.json',
      points.map((accesspoint_id) => ({ accesspoint_id, guest_uid: 'stranger' })),
    )
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
    expect(await cut()).toEqual([])
    await last.scrollIntoViewIfNeeded()
  })
})
