// @module-tag slow
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { type Language, tags } from '@gatehouse/proto/pages/languages.ts'
import { overflowing } from '@gatehouse/test/harness/chromium-pages.ts'
import { deep, sampled } from '@gatehouse/test/rounds.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import guide from '../src/texts/guide/en.json' with { type: 'json' }
import en from '../src/texts/languages/en.json' with { type: 'json' }
import { Phone, SIGN } from './phone.ts'
import { ELSEWHERE, idOf, STEWARDS, usePhones } from './phones.ts'

describe('the views of the scanner', () => {
  const phones = usePhones(STEWARDS)

  // The Chromium of the tests has no windows and finds every page installable, so this checks what one with windows asks for.
  test(
    'the app can be installed: Chromium understands its manifest, and its icons are as large as that says',
    deep,
    async () => {
      const context = await phones.newContext()
      const page = await context.newPage()
      await page.goto(phones.address)
      const session = await context.newCDPSession(page)
      const { url, errors, manifest } = await session.send('Page.getAppManifest')
      expect([url, errors]).toEqual([`${phones.address}app.webmanifest`, []])
      expect(manifest).toMatchObject({
        id: phones.address,
        name: expect.stringMatching(/./),
        startUrl: phones.address,
        scope: phones.address,
        display: 'kStandalone',
        preferRelatedApplications: false,
      })
      const sizes: string[] = []
      for (const icon of manifest.icons ?? []) {
        const shown = await page.evaluate<string>(`new Promise((resolve, reject) => {
        const image = new Image()
        image.onload = () => resolve(image.naturalWidth + 'x' + image.naturalHeight)
        image.onerror = () => reject(new Error('${icon.url}'))
        image.src = '${icon.url}'
      })`)
        // So Chromium gives `any`, the size of the picture that is drawn at each size.
        if (icon.sizes !== '0x0') expect(shown).toBe(icon.sizes)
        sizes.push(shown)
      }
      // Those that Chromium wants (https://web.dev/articles/add-manifest#icons).
      expect(sizes).toEqual(expect.arrayContaining(['192x192', '512x512']))
    },
  )

  test(
    'the code of another device is taken when the steward says so; one that is bound elsewhere asks where it scans',
    deep,
    async () => {
      const back = await phones.event.point('Side door')
      const [first, second] = [await phones.newDevice('first'), await phones.newDevice('second')]
      const phone = await Phone.enrol(await phones.newContext(), `${phones.address}#${first.code}`)
      const { token } = await phone.kept()
      const { page } = phone
      await page.goto(`${phones.address}#${second.code}`)
      await page.getByRole('button', { name: en.back }).click()
      await phone.ready()
      expect([page.url(), (await phone.kept()).token]).toEqual([phones.address, token])
      await page.goto(`${phones.address}#${second.code}`)
      await page.getByRole('button', { name: en.enrol, exact: true }).click()
      await phone.ready()
      expect((await phone.kept()).token).not.toBe(token)
      await phones.event.change(`devices/${second._id}.json`, { accesspoint_ids: [back] })
      await phone.found()
      await page.getByRole('heading', { name: 'Side door' }).waitFor()
    },
  )

  test('on the smallest phone a result lies within what is visible, however far the page is scrolled or zoomed, and is read from afar', async () => {
    await phones.event.guest(phones.category, 'small', {
      first_name: 'Ada',
      last_name: 'Lovelace',
      message: 'Step-free access',
    })
    const small = { viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true }
    const phone = await phones.newPhone('small', small)
    const { page } = phone
    /** The sheet's distances from the edges of the visible part of the page, and the sizes of its texts, in pixels. */
    const measured = (): Promise<{ top: number; left: number; below: number; right: number; sizes: number[] }> =>
      page.evaluate(`(() => {
        const { top, left, right, bottom } = document.querySelector('.sheet').getBoundingClientRect()
        const { offsetTop, offsetLeft, width, height } = visualViewport
        const sizeOf = (what) => parseFloat(getComputedStyle(document.querySelector('.sheet ' + what)).fontSize)
        return {
          top: Math.round(Math.abs(top - offsetTop)),
          left: Math.round(Math.abs(left - offsetLeft)),
          below: Math.round(offsetTop + height - bottom),
          right: Math.round(Math.abs(offsetLeft + width - right)),
          sizes: ['.note', '.who strong', 'h2'].map(sizeOf),
        }
      })()`)
    await phone.scan('small')
    await expect.poll(() => phone.shown()).toContain('Step-free access')
    await page.evaluate(`document.body.style.minHeight = '3000px'; scrollTo(0, 2000)`)
    const { top, left, below, right, sizes } = await measured()
    expect([top, left, right]).toEqual([0, 0, 0])
    expect(below).toBeGreaterThanOrEqual(0)
    const [note = 0, name = 0, word = 0] = sizes
    expect(name).toBeGreaterThanOrEqual(32)
    expect(note).toBeGreaterThan(Math.max(name, word))
    const session = await phone.context.newCDPSession(page)
    await session.send('Emulation.setPageScaleFactor', { pageScaleFactor: 2 })
    await expect.poll(async () => (await measured()).right).toBe(0)
    expect(await measured()).toMatchObject({ top: 0, left: 0 })
    expect((await measured()).below).toBeGreaterThanOrEqual(0)
  })

  test('the bar below covers neither the field for codes nor its button once the field has the focus, nor when a result moves them', async () => {
    const phone = await phones.newPhone('covered')
    const { page } = phone
    const parts = [page.getByLabel(en.type_code), page.getByRole('button', { name: en.check_in }), page.locator('nav')]
    /** How far field and button reach below the upper edge of the bar, in pixels. */
    const covered = async () => {
      const [field, button, bar] = await Promise.all(parts.map((each) => each.boundingBox()))
      if (!field || !button || !bar) throw new Error('not shown')
      return Math.max(field.y + field.height, button.y + button.height) - bar.y
    }
    const width = 320
    await page.setViewportSize({ width, height: 568 })
    const above = -(await covered())
    // So low that the bar covers a third of the field.
    await page.setViewportSize({ width, height: Math.round(568 - above - 16) })
    await expect.poll(covered).toBeGreaterThanOrEqual(15)
    await page.getByLabel(en.type_code).focus()
    await expect.poll(covered).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width, height: 568 })
    await page.getByLabel(en.type_code).fill('nobody-covered')
    await page.keyboard.press('Enter')
    await expect.poll(() => phone.look()).toBe('unknown')
    await expect.poll(covered).toBeLessThanOrEqual(0)
  })

  test('a refusal covers no field, and leaves while the next code is typed; Escape leaves each view', async () => {
    const phone = await phones.newPhone('below', { viewport: { width: 320, height: 568 } })
    const { page } = phone
    await phone.scan('nobody-below')
    await expect.poll(() => phone.look()).toBe('unknown')
    const field = page.getByLabel(en.type_code)
    const edges = async () => {
      const [sheet, below] = await Promise.all([page.locator('.sheet').boundingBox(), field.boundingBox()])
      return (below?.y ?? 0) - ((sheet?.y ?? 0) + (sheet?.height ?? Number.POSITIVE_INFINITY))
    }
    await page.evaluate('scrollTo(0, 0)')
    await expect.poll(edges).toBeGreaterThanOrEqual(0)
    await field.press('x')
    await page.locator('.sheet').waitFor({ state: 'detached' })
    for (const view of [en.recent, en.find, en.settings, en.guide]) {
      await page.getByRole('button', { name: view }).click()
      await page.getByRole('heading', { name: view }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: view }).waitFor()
    }
  })

  test('a granted result leaves by itself, a refusal at a tap; the list of the last scans says how old they are', async () => {
    await phones.event.guest(phones.category, 'leaves', { last_name: 'Noether' })
    const phone = await phones.newPhone('leaves')
    const { page } = phone
    const { clock } = phone.context
    const sheet = page.locator('.sheet')
    await page.getByRole('button', { name: en.settings }).click()
    await page.getByLabel(en.setting_seconds).selectOption('5')
    await page.getByRole('button', { name: en.back }).click()
    await clock.install()
    await phone.scan('leaves')
    await expect.poll(() => phone.shown()).toContain('Noether')
    await clock.fastForward(5_500)
    await sheet.waitFor({ state: 'detached' })
    await phone.scan('leaves')
    await expect.poll(() => phone.look()).toBe('too_many')
    await phone.sent()
    // A heartbeat would teach the phone the server's time, which goes on as ever.
    phones.proxy.cut()
    await phone.lost()
    await clock.fastForward(120_000)
    // Two minutes at least: real time goes on as well, however slow the machine.
    const minutes = (text: string) => Number(/(\d+)\s?min/.exec(text)?.[1])
    await expect.poll(async () => minutes(await phone.shown())).toBeGreaterThanOrEqual(2)
    await page.locator('.outcome').click()
    await sheet.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: en.recent }).click()
    const items = page.getByRole('listitem')
    await items.nth(1).waitFor()
    const texts = await items.allInnerTexts()
    expect(texts).toEqual([
      expect.stringMatching(/Noether\s+\d+\s?min · Already used/),
      expect.stringMatching(/Noether\s+\d+\s?min · Welcome/),
    ])
    const before = texts.map(minutes)
    expect(Math.min(...before)).toBeGreaterThanOrEqual(2)
    await clock.fastForward(60_000)
    await expect
      .poll(async () => (await items.allInnerTexts()).map((text, place) => minutes(text) > Number(before[place])))
      .toEqual([true, true])
  })

  test('where the steward turns it off there is no search', deep, async () => {
    const { page } = await phones.newPhone('no search')
    const find = page.getByRole('button', { name: en.find })
    await find.waitFor()
    await page.getByRole('button', { name: en.settings }).click()
    await page.getByLabel(en.setting_search).uncheck()
    await page.getByRole('button', { name: en.back }).click()
    expect(await find.count()).toBe(0)
    await page.reload()
    await page.locator('.outcome').waitFor()
    expect(await find.count()).toBe(0)
  })

  test('from another machine without https the app says what it needs', deep, async () => {
    const page = await (await phones.newContext()).newPage()
    await page.goto(phones.address.replace('127.0.0.1', ELSEWHERE))
    await page.getByText(en.insecure).waitFor()
  })

  test('axe finds nothing on any view, and nothing is wider than a phone', deep, async () => {
    // axe is a script, so this test lifts the policy.
    const context = await phones.newContext({ bypassCSP: true })
    const check = async (name: string) => {
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
      expect([name, violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])]).toEqual([name, []])
      expect([name, await overflowing(page)]).toEqual([name, []])
    }
    const page = await context.newPage()
    await page.goto(phones.address)
    await page.getByRole('heading', { name: en.enrol_title }).waitFor()
    await check('enrol')
    await page.getByLabel(en.code).fill('BBBB-BBBB')
    await page.getByRole('button', { name: en.enrol }).click()
    await page.getByText(en.enrol_wrong).waitFor()
    await check('wrong code')
    const backDoor = await phones.event
      .make('accesspoints.json', { name: 'Back door', signature_enabled: true })
      .then(idOf)
    const { code } = await phones.newDevice('axe', [phones.door, backDoor])
    await page.getByLabel(en.code).fill(code.toLowerCase())
    await page.getByRole('button', { name: en.enrol }).click()
    await page.getByRole('button', { name: 'Back door' }).waitFor()
    await check('points')
    await page.getByRole('button', { name: 'Back door' }).click()
    await page.getByRole('heading', { name: en.ready }).waitFor()
    await check('ready')
    await page.getByLabel(en.type_code).fill('x'.repeat(100))
    await page.keyboard.press('Enter')
    await page.locator('.outcome.unknown').waitFor()
    await check('unknown')
    await phones.event.link(phones.category, backDoor, 1)
    await phones.event.guest(phones.category, 'axe')
    await page.getByLabel(en.type_code).fill('axe')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: SIGN }).click()
    await page.locator('.pad').waitFor()
    await check('signature')
    await page.getByRole('button', { name: en.sign_cancel }).click()
    for (const [button, view] of [
      [en.recent, 'recent'],
      [en.settings, 'settings'],
      [en.guide, 'guide'],
    ] as const) {
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('heading', { name: button, exact: true }).waitFor()
      if (view === 'guide') await page.getByText(guide.scanning_text).waitFor()
      await check(view)
      await page.getByRole('button', { name: en.back }).click()
    }
    await page.getByRole('button', { name: en.find }).click()
    await page.getByLabel(en.search).fill('nobody has this name')
    await page.getByText(en.search_none).waitFor()
    await check('search')
  })

  test('nothing is wider than a phone in any language', deep, async () => {
    for (const locale of sampled<Language>(tags, 10)) {
      const context = await phones.newContext({ locale })
      const { code } = await phones.newDevice(locale)
      const page = await context.newPage()
      await page.goto(phones.address)
      await page.locator('#code').waitFor()
      expect([locale, await overflowing(page)]).toEqual([locale, []])
      await page.goto(`${phones.address}?again#${code}`)
      await page.locator('.outcome').waitFor()
      expect([await page.locator('html').getAttribute('lang'), await overflowing(page)]).toEqual([locale, []])
      await page.locator('footer button').last().click()
      await page.locator('.guide .badge').first().waitFor()
      expect([locale, await overflowing(page)]).toEqual([locale, []])
    }
  })

  test.runIf(process.env.SCREENSHOTS)('the picture in docs/scanner.md: SCREENSHOTS keeps it', async () => {
    const names = [
      ['Ada', 'Lovelace'],
      ['Charles', 'Babbage'],
      ['Mary', 'Somerville'],
    ] as const
    for (const [first_name, last_name] of names)
      await phones.event.guest(phones.category, `picture-${last_name}`, { first_name, last_name })
    const { qrcode_url } = await phones.event.make('guests.json', {
      guest_category_id: phones.category,
      first_name: 'Grace',
      last_name: 'Hopper',
    })
    await phones.showCode(qrcode_url)
    const phone = await phones.newPhone('picture')
    await phone.startCamera()
    await phone.next()
    await expect.poll(() => phone.shown()).toContain('Grace Hopper')
    await phone.knows()
    const pictures = [await phone.page.screenshot()]
    await phone.scan('picture-Lovelace')
    await phone.scan('picture-Lovelace')
    await expect.poll(() => phone.shown()).toContain('Ada')
    pictures.push(await phone.page.screenshot())
    phones.proxy.cut()
    await phone.lost()
    await phone.scan('picture-Babbage')
    pictures.push(await phone.page.screenshot())
    await savePicture(phone.page, 'scanner', pictures)
    await phones.showNothing()
  })

  test.runIf(process.env.SCREENSHOTS)('the second picture in docs/scanner.md: SCREENSHOTS keeps it', async () => {
    const { _id: area_id } = await phones.event.make('areas.json', { name: 'Gallery', capacity: 250 })
    const point = (name: string, direction: string) =>
      phones.event.make('accesspoints.json', { name, direction, area_id }).then(idOf)
    const points = [await point('Gallery', 'in'), await point('Gallery exit', 'out')]
    const visitors = await phones.event
      .make('guest_categories.json', { name: 'Press', walk_in_enabled: true, device_names_enabled: true })
      .then(idOf)
    await phones.event.link(visitors, points[0] ?? '', 1)
    const guest = (uid: string, first_name: string, last_name: string, fields: object) =>
      phones.event.guest(visitors, uid, { first_name, last_name, ...fields })
    await guest('9f3k20xa', 'Marie', 'Curie', { party_size: 4, company_name: 'Le Radical' })
    await guest('9f3k77bq', 'Irène', 'Curie', { company_name: 'L’Œuvre' })
    await phones.event.scan(points[0] ?? '', '9f3k77bq')
    const { code } = await phones.newDevice('second picture', points)
    const phone = await Phone.enrol(await phones.newContext(), `${phones.address}#${code}`, undefined, /^Gallery$/)
    const { page } = phone
    await phone.knows()
    await phone.scan('9f3k20xa')
    await expect.poll(() => phone.look()).toBe('party')
    const pictures = [await page.screenshot()]
    await page.getByRole('button', { name: en.close }).click()
    await page.getByRole('button', { name: en.find }).click()
    await page.getByLabel(en.search).fill('curie')
    await page.getByRole('button', { name: /Irène/ }).waitFor()
    pictures.push(await page.screenshot())
    await page.getByLabel(en.search).fill('')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: en.walk_in }).click()
    await page.getByLabel(en.walk_in_name).fill('Lise Meitner')
    pictures.push(await page.screenshot())
    await savePicture(page, 'scanner-tasks', pictures)
  })
})

/** Keeps screenshots beside each other in the folder that SCREENSHOTS names. */
async function savePicture(page: Page, name: string, pictures: readonly Buffer[]): Promise<void> {
  await page.goto('about:blank')
  await page.setViewportSize({ width: 3 * 360 + 64, height: 740 + 32 })
  const shown = pictures.map((each) => `<img src="data:image/png;base64,${each.toString('base64')}">`)
  await page.setContent(`<body style="display:flex;gap:16px;margin:16px;background:#9ca3af">${shown.join('')}</body>`)
  await page.screenshot({ path: join(process.env.SCREENSHOTS ?? '', `${name}.png`) })
}
