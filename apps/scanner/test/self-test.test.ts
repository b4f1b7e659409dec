// @module-tag slow

import AxeBuilder from '@axe-core/playwright'
import { type Language, tags } from '@gatehouse/proto/pages/languages.ts'
import { overflowing } from '@gatehouse/test/harness/chromium-pages.ts'
import { typeAsReader } from '@gatehouse/test/harness/reader.ts'
import { sampled } from '@gatehouse/test/rounds.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { completed, failedOf, isRight, TESTS } from '../src/self-test/result.ts'
import en from '../src/texts/languages/en.json' with { type: 'json' }
import { Phone } from './phone.ts'
import { usePhones } from './phones.ts'

/** What says that a test ended. */
const ENDED = new RegExp(`^(${en.test_passed}|${en.test_failed}|${en.test_skipped})`)

test('a test is over once each of its parts has ended; what was skipped has not failed', () => {
  const outcomes = Object.fromEntries(TESTS.map((each) => [each, 'passed' as const]))
  expect(completed({ ...outcomes, code: undefined })).toBeUndefined()
  expect(completed(outcomes)).toEqual(outcomes)
  expect(failedOf({ ...outcomes, vibration: 'skipped' })).toEqual([])
  expect(failedOf({ code: 'failed', camera: 'failed' })).toEqual(['camera', 'code'])
})

test('a clock fails that is more than thirty seconds late or ahead', () => {
  expect([-30_001, -30_000, 0, 30_000, 30_001].map(isRight)).toEqual([false, true, true, true, false])
})

describe('the self-test in a browser', () => {
  const phones = usePhones({ context: { viewport: { width: 320, height: 568 }, hasTouch: true } })

  /** Opens the test of a new device. Returns its phone, and what the organizer sees of it. */
  async function open(name: string, options = {}) {
    const { _id, code } = await phones.newDevice(name)
    const phone = await Phone.enrol(await phones.newContext(options), `${phones.address}#${code}`)
    await phone.knows()
    const tested = async () => (await phones.event.read(`devices/${_id}.json`)).self_test
    return { phone, tested }
  }
  const start = async ({ page }: Phone, texts = en): Promise<void> => {
    await page.getByRole('button', { name: texts.settings, exact: true }).click()
    await page.getByRole('button', { name: texts.test_device }).click()
  }
  /** A test of the page by its name. */
  const part = (page: Page, name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
  const words = (page: Page, name: string) => part(page, name).getByRole('status').innerText()
  const press = (page: Page, name: string, button: string) =>
    part(page, name).getByRole('button', { name: button, exact: true }).click()
  const checkIns = async () => (await phones.event.all('access_controls.json')).length

  test('tests camera, sound, vibration, network, clock, guest list and a code, checks nobody in, and the organizer sees the result', async () => {
    const guest = { guest_category_id: phones.category, uid: 'tested-1815', last_name: 'Lovelace' }
    const { qrcode_url } = await phones.event.make('guests.json', guest)
    await phones.showCode(qrcode_url)
    const { phone, tested } = await open('passes')
    const { page } = phone
    await start(phone)
    await expect.poll(() => words(page, en.test_camera)).toBe(en.test_passed)
    await expect.poll(() => words(page, en.test_network)).toMatch(/^Passed · Answer after \d+ ms$/)
    await expect.poll(() => words(page, en.test_clock)).toMatch(/^Passed · 0 sec from the server’s time$/)
    await expect
      .poll(() => words(page, en.test_guest_list))
      .toMatch(/^Passed · Guests on this device: 1, as of \d\d:\d\d$/)
    await expect.poll(() => words(page, en.test_code)).toContain('MECARD:')
    expect(await words(page, en.test_sound)).toBe(en.test_running)
    await press(page, en.test_sound, en.test_play)
    await press(page, en.test_sound, en.test_heard)
    expect(await tested()).toBeUndefined()
    await press(page, en.test_vibration, en.test_vibrate)
    await press(page, en.test_vibration, en.test_felt)
    await page.getByText(en.test_sent).waitFor()
    expect(await page.locator('.notice').innerText()).toMatch(/^Test passed\s/)
    const passed = Object.fromEntries(TESTS.map((each) => [each, 'passed']))
    const { tested_at, ...outcomes } = await tested()
    expect(outcomes).toEqual(passed)
    expect(Math.abs(Date.parse(tested_at) - Date.now())).toBeLessThan(60_000)
    expect(await checkIns()).toBe(0)
  })

  test('is offered where a device scans until it was tested or a scan was answered', async () => {
    await phones.showNothing()
    const offer = (page: Page) => page.getByRole('button', { name: en.test_device })
    const { phone } = await open('offered', { hasTouch: false })
    await offer(phone.page).click()
    await phone.page.getByRole('heading', { name: en.test_device }).waitFor()
    await phone.page.getByRole('button', { name: en.back }).click()
    await offer(phone.page).waitFor()
    await phone.scan('nobody-1815')
    await phone.sent()
    await expect.poll(() => offer(phone.page).count()).toBe(0)
    await phone.page.reload()
    await phone.ready()
    expect(await offer(phone.page).count()).toBe(0)
  })

  test('without a network it says what failed, and sends that once the server answers; a reader that types counts as a code', async () => {
    await phones.showNothing()
    const { phone, tested } = await open('fails', { hasTouch: false })
    const { page } = phone
    const before = await checkIns()
    phones.proxy.cut()
    await phone.lost()
    await start(phone)
    await expect.poll(() => words(page, en.test_network)).toBe(`${en.test_failed} · ${en.test_no_answer}`)
    expect(await words(page, en.test_vibration)).toBe(`${en.test_skipped} · ${en.test_unavailable}`)
    await expect.poll(() => words(page, en.test_guest_list)).toMatch(ENDED)
    await typeAsReader(page, 'typed-by-a-reader\n')
    await expect.poll(() => words(page, en.test_code)).toBe('Passed · Read: typed-by-a-reader')
    await press(page, en.test_sound, en.test_play)
    await press(page, en.test_sound, en.test_not_heard)
    await expect.poll(() => words(page, en.test_camera)).toMatch(ENDED)
    await page.getByText(en.test_kept).waitFor()
    expect(await page.locator('.notice').innerText()).toMatch(/^Failed: Sound and Network\s/)
    // Closed and opened again it still has the result.
    await page.close()
    phones.proxy.mend()
    await phone.reopen(`${phones.address}`)
    await expect
      .poll(tested)
      .toMatchObject({ sound: 'failed', network: 'failed', vibration: 'skipped', code: 'passed' })
    expect(await checkIns()).toBe(before)
  })

  test('a clock that is an hour late fails, and says by how much', async () => {
    const context = await phones.newContext()
    await context.clock.setFixedTime(Date.now() - 3_600_000)
    const { code } = await phones.event.make('devices.json', { name: 'late' })
    const phone = await Phone.enrol(context, `${phones.address}#${code}`)
    await start(phone)
    await expect.poll(() => words(phone.page, en.test_clock)).toMatch(/^Failed · (59 min|1 hr) from the server’s time$/)
  })

  test('axe finds nothing, and nothing is wider than the smallest phone in any language', async () => {
    for (const locale of sampled<Language>(tags, 2)) {
      const { phone } = await open(`looks ${locale}`, { locale, bypassCSP: true })
      const { page } = phone
      const { default: texts } = await import(`../src/texts/languages/${locale}.json`, { with: { type: 'json' } })
      await start(phone, texts)
      await page.locator('.answers button').first().click()
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
      expect([locale, violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])]).toEqual([locale, []])
      expect([locale, await overflowing(page)]).toEqual([locale, []])
    }
  })
})
