import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { drawnPicture, fakeCamera, writeVideo } from '@gatehouse/test/harness/fake-camera.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { captured } from '../testing/captured-terminal.ts'
import { runScannerDemo } from './scanner.ts'

let system: System
let browser: Browser
let folder: string
let video: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-demo-'))
  video = join(folder, 'camera.y4m')
  await writeVideo(video)
  ;[system, browser] = await Promise.all([startSystem(), startChromium(fakeCamera(video))])
})
afterAll(async () => {
  await browser?.close()
  await system?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('who does what the demo says sees a green scan of a QR code by camera, and the demo says so', deep, async () => {
  const terminal = captured()
  const running = runScannerDemo(system.bus, system.url, terminal)
  await expect.poll(() => terminal.text.out).toContain('3. Show this QR code')
  const [, address = ''] = /1\. Open this address .*\n\n +(\S+)\n/.exec(terminal.text.out) ?? []
  const [, drawn = ''] = /3\. Show this QR code .*\n\n([\s\S]+?)\n {3}To show it/.exec(terminal.text.out) ?? []
  const context = await browser.newContext({ locale: 'en-GB' })
  // The machine may be busy.
  context.setDefaultTimeout(90_000)
  const page = await context.newPage()
  await writeVideo(video, drawnPicture(drawn))
  await page.goto(address)
  const [, words = ''] = /2\. Press "([^"]+)"/.exec(terminal.text.out) ?? []
  await page.locator('.camera').waitFor()
  await page.getByRole('button', { name: words }).click()
  await page.locator('.outcome.granted').getByText('Ada Lovelace').waitFor()
  expect(await running).toBe(0)
  expect(terminal.text.out).toContain('The scanner is green: Ada Lovelace is let in')
})

test('who has no camera types what the demo says; Ctrl-C ends it before that', deep, async () => {
  const terminal = captured()
  const running = runScannerDemo(system.bus, system.url, terminal)
  await expect.poll(() => terminal.text.out).toContain('Without a camera')
  const [, address = ''] = /1\. Open this address .*\n\n +(\S+)\n/.exec(terminal.text.out) ?? []
  const [, uid = '', field = ''] = /type (\S+) into "([^"]+)"/.exec(terminal.text.out) ?? []
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  await page.goto(address)
  await page.getByLabel(field).fill(uid)
  await page.keyboard.press('Enter')
  await page.locator('.outcome.granted').waitFor()
  expect(await running).toBe(0)
  const stop = new AbortController()
  const stopped = captured({ stop: stop.signal })
  const waiting = runScannerDemo(system.bus, system.url, stopped)
  await expect.poll(() => stopped.text.out).toContain('Press Ctrl-C to stop')
  stop.abort()
  expect(await waiting).toBe(130)
})
