// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { verdictOf } from '../src/scan-times/verdict.ts'
import { ConsoleBrowser } from './console-browser.ts'
import { overflowAt, violationsOf } from './looks.ts'

const system = await sharedSystem()

describe('who makes people wait', () => {
  const none = { scan_count: 0, median_ms: null, p95_ms: null, worst_ms: null, slow_count: 0, unanswered_count: 0 }
  const took = (p95_ms: number, more: object = {}) => ({ ...none, scan_count: 20, p95_ms, ...more })
  const few = { ...took(4_321), scan_count: 19 }
  const verdict = (in_gatehouse: typeof none | ReturnType<typeof took>, at_device: object = {}) =>
    verdictOf({ in_gatehouse, at_device: { ...none, slow_on_network_count: 0, alone_count: 0, ...at_device } })

  test.each([
    ['unknown', took(1_000), {}],
    ['fine', took(80), took(1_000)],
    ['network', took(80), took(1_250)],
    ['network', took(80), took(300, { unanswered_count: 1 })],
    ['network', none, { alone_count: 20 }],
    ['few', few, few],
    ['few', none, { alone_count: 1 }],
    ['unknown', took(80), few],
    ['gatehouse', took(1_250), took(1_500)],
    ['gatehouse', took(80, { unanswered_count: 1 }), took(1_500)],
  ] as const)('is “%s” where Gatehouse had %j and the device %j', (expected, gatehouse, device) => {
    expect(verdict(gatehouse, device)).toBe(expected)
  })
})

describe('the page about the speed of scans', () => {
  let browser: ConsoleBrowser

  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  test('teaches while nothing was scanned, then names by itself the slow gate and phone, the slowest first, and why; a door manager comes to it from the live page', async () => {
    const event = await TestEvent.open(system, { title: 'Opening Night' })
    const [north, south] = [await event.point('North'), await event.point('South')]
    const phone = async (name: string) => {
      const { code } = await event.make('devices.json', { name })
      const { body } = await system.api('POST', `device_codes/${code}/exchange.json`, undefined, { token: '' })
      return async (accesspoint_id: string, waited_ms: number) => {
        const scans = Array(20).fill({ accesspoint_id, ago_ms: 0, waited_ms, gatehouse_ms: 12 })
        const report = { report_key: crypto.randomUUID(), scans }
        expect(await event.status('PUT', 'scan_times.json', report, { token: body.token })).toBe(200)
      }
    }
    const [quick, tardy] = [await phone('Quick phone'), await phone('Tardy phone')]
    const page = await browser.open(`events/${event.id}/live`, { viewport: { width: 320, height: 640 } })
    await page.getByRole('main').getByRole('link', { name: 'Scan speed' }).click()
    await page.getByText('No scans in the last ten minutes').waitFor()
    expect([await violationsOf(page), await overflowAt(page, [320])]).toEqual([[], []])
    await quick(north, 90)
    await tardy(south, 4_321)
    const heading = (name: string) => page.getByRole('heading', { name, exact: true })
    await heading('Tardy phone').waitFor()
    const items = await page.locator('.waits').allInnerTexts()
    expect(
      items.map((text) =>
        text
          .split(/\s*\n/)[0]
          ?.replace(/(slow|Fast)$/, '$1')
          .trim(),
      ),
    ).toEqual(['South The network is slow', 'North Fast', 'Tardy phone The network is slow', 'Quick phone Fast'])
    expect(items[0]).toContain('20 (100%); because of the network: 20')
    expect([await violationsOf(page), await overflowAt(page, [320, 3_840])]).toEqual([[], []])
  })

  test('says that the times can’t be read, and that scans go on, while Redis is away', async () => {
    const event = await TestEvent.open(system)
    const page = await browser.open(`events/${event.id}/live`)
    await page.route('**/scan_times.json', (route) =>
      route.fulfill({ status: 503, json: { error: 'away' }, headers: { 'retry-after': '1' } }),
    )
    await page.goto(browser.at(`events/${event.id}/scan_times`))
    await page.getByRole('alert').getByText('Scans go on without them').waitFor()
  })
})
