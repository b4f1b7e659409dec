// @module-tag slow
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { proxyTo, type TcpProxy } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Phone } from './phone.ts'

/** How long the network takes in each direction, in ms: more than Gatehouse on a busy machine. */
const NETWORK_MS = 2_500

const system = await sharedSystem()

// Takes twenty seconds: the network does.
describe('a scanner on a slow network', () => {
  let browser: Browser
  let proxy: TcpProxy

  beforeAll(async () => {
    browser = await startChromium([])
    proxy = await proxyTo(system.url)
  })
  afterAll(async () => {
    await browser?.close()
    await proxy?.close()
  })

  test('reports that the network is slow and Gatehouse is not, and which scans it decided alone', async () => {
    const event = await TestEvent.open(system, { title: 'Opening Night' })
    const [category, point] = [await event.category(), await event.point('Gate 3')]
    await event.link(category, point)
    for (const uid of ['ada', 'bob']) await event.guest(category, uid)
    const { _id, code } = await event.make('devices.json', { name: 'Phone', accesspoint_ids: [point] })
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'en-GB' })
    context.setDefaultTimeout(90_000)
    const phone = await Phone.enrol(context, `${proxy.url}/scanner/#${code}`)
    const found = async () => (await event.read('scan_times.json')).by_device[0]
    const slowOnNetwork = async (): Promise<number | undefined> => {
      proxy.slow(0)
      await phone.found()
      await phone.sent()
      proxy.slow(NETWORK_MS)
      await phone.scan('ada')
      return (await found())?.at_device.slow_on_network_count
    }
    // A phone on a busy machine may have lost the server before it scans: then it does not ask.
    await expect.poll(slowOnNetwork).toBeGreaterThan(0)
    const { token_id, at_device } = await found()
    expect(token_id).toBe(_id)
    expect(at_device.worst_ms).toBeGreaterThanOrEqual(NETWORK_MS)
    await phone.lost()
    await phone.scan('bob')
    proxy.slow(0)
    await phone.found()
    await expect.poll(async () => (await found()).at_device.alone_count).toBeGreaterThan(0)
    await context.close()
  })
})
