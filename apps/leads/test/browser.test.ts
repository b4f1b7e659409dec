// @module-tag slow

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { apps } from '@gatehouse/leads/resources'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { tags } from '@gatehouse/proto/pages/languages.ts'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { overflowing } from '@gatehouse/test/harness/chromium-pages.ts'
import { fakeCamera, writeVideo } from '@gatehouse/test/harness/fake-camera.ts'
import { typeAsReader } from '@gatehouse/test/harness/reader.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { System } from '@gatehouse/test/harness/system.ts'
import { proxyTo, type TcpProxy } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import en from '../src/texts/languages/en.json' with { type: 'json' }

const viewport = { width: 360, height: 640 }

describe('the page for leads in a browser', () => {
  let system: System
  /** What phones connect to. */
  let proxy: TcpProxy
  let browser: Browser
  let folder: string
  let video: string
  let testEvent: TestEvent
  let exhibitor: { _id: string }
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leads-'))
    video = join(folder, 'camera.y4m')
    await writeVideo(video)
    ;[system, browser] = await Promise.all([sharedSystem(), startChromium(fakeCamera(video))])
    proxy = await proxyTo(system.url)
    testEvent = await TestEvent.open(system)
    const category = await testEvent.category()
    await testEvent.guest(category, 'ada1815', {
      first_name: 'Ada',
      last_name: 'Lovelace',
      company_name: 'Analytical Engines',
    })
    await testEvent.guest(category, 'alan1912', { first_name: 'Alan', last_name: 'Turing' })
    await testEvent.guest(category, 'grace1906', { first_name: 'Grace', last_name: 'Hopper' })
  })
  beforeEach(async () => {
    exhibitor = await testEvent.make('exhibitors.json', { name: 'Difference Engines' })
  })
  afterEach(async () => {
    proxy.mend()
    proxy.thaw()
    for (const context of contexts.splice(0)) await context.close()
  })
  afterAll(async () => {
    await browser?.close()
    await proxy?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const address = (code = ''): string => `${proxy.url}/leads/${code && `#${code}`}`
  const newContext = async (options = {}): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport, locale: 'en-GB', ...options })
    context.setDefaultTimeout(90_000)
    contexts.push(context)
    return context
  }
  const newCode = async (of = exhibitor): Promise<string> =>
    (await testEvent.api('POST', `exhibitors/${of._id}/codes.json`)).body.code
  const named = async (page: Page, author: string): Promise<void> => {
    await page.getByLabel(en.author).fill(author)
    await page.getByRole('button', { name: en.author_done }).click()
    await page.getByLabel(en.type_code).waitFor()
  }
  /** A phone of the stand, as a link opens it. */
  const newPhone = async (author = 'Charles', options = {}): Promise<Page> => {
    const page = await (await newContext(options)).newPage()
    await page.goto(address(await newCode()))
    await named(page, author)
    return page
  }
  const scan = async (page: Page, uid: string, name: string): Promise<void> => {
    await page.getByLabel(en.type_code).fill(uid)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name }).waitFor()
  }
  const star = (page: Page, rating: number) =>
    page.getByRole('button', { name: en.rating_of.replace('{rating}', String(rating)) })
  const done = (page: Page) => page.getByRole('button', { name: en.done, exact: true }).click()
  const lost = async (page: Page): Promise<void> => {
    proxy.cut()
    await page.evaluate("dispatchEvent(new Event('offline'))")
    await expect.poll(() => page.locator('.link').innerText()).toContain(en.offline)
  }
  const sent = (page: Page) => expect.poll(() => page.locator('.link').innerText()).toBe(en.online)
  const listed = (): Promise<{ guest_uid: string; author: string; note: string | null; rating: number | null }[]> =>
    testEvent.read(`exhibitors/${exhibitor._id}/connections.json`)

  test('a link makes a phone that of the stand; a badge before the camera is a lead, with note and rating', async () => {
    const page = await newPhone()
    expect(page.url()).toBe(address())
    const { body } = await testEvent.api('GET', 'guests.json?uid=ada1815&qrcode_url=true')
    await writeVideo(video, Buffer.from(await (await fetch(body[0].qrcode_url)).arrayBuffer()))
    const start = page.getByRole('button', { name: /the camera/ })
    if ((await start.innerText()) === en.camera_start) await start.click()
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await page.getByText('Analytical Engines').waitFor()
    await writeVideo(video)
    await star(page, 4).click()
    await page.getByLabel(en.note).fill('Wants a demo')
    await done(page)
    await sent(page)
    await expect
      .poll(listed)
      .toMatchObject([{ guest_uid: 'ada1815', author: 'Charles', note: 'Wants a demo', rating: 4 }])
  })

  test('without a network leads and notes are kept, also when the page is killed; with it each is there once', async () => {
    const page = await newPhone()
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    await lost(page)
    await scan(page, 'alan1912', 'alan1912')
    await page.getByLabel(en.note).fill('Tall')
    await star(page, 5).click()
    await expect.poll(() => star(page, 5).getAttribute('aria-pressed')).toBe('true')
    await done(page)
    await page.getByRole('button', { name: /alan1912/ }).waitFor()
    await scan(page, 'nobody', 'nobody')
    const context = page.context()
    const crashed = page.waitForEvent('crash')
    page.goto('chrome://crash').catch(() => {})
    await crashed
    await page.close()
    const again = await context.newPage()
    await again.goto(address())
    await again.getByRole('button', { name: /alan1912.*★★★★★.*not sent/ }).waitFor()
    expect(await listed()).toEqual([])
    proxy.mend()
    await again.evaluate("dispatchEvent(new Event('online'))")
    await again.getByRole('button', { name: /Alan Turing/ }).waitFor()
    await sent(again)
    await expect.poll(listed).toMatchObject([{ guest_uid: 'alan1912', note: 'Tall', rating: 5 }])
    await again.getByRole('button', { name: new RegExp(`nobody.*${en.refused_short}`) }).waitFor()
  })

  test('two phones see each other’s leads; what both write without a network is kept', async () => {
    const [one, two] = [await newPhone('Ann'), await newPhone('Bob')]
    await scan(one, 'grace1906', 'Grace Hopper')
    await done(one)
    await sent(one)
    await two.evaluate("dispatchEvent(new Event('online'))")
    await two.getByRole('button', { name: /Grace Hopper.*Ann/ }).click()
    await lost(two)
    await two.getByLabel(en.note).fill('Writes compilers')
    await done(two)
    await two.getByRole('button', { name: /Grace Hopper.*not sent/ }).waitFor()
    proxy.mend()
    await one.evaluate("dispatchEvent(new Event('online'))")
    await one.getByRole('button', { name: /Grace Hopper/ }).click()
    await one.getByLabel(en.note).fill('Admiral')
    await done(one)
    await two.evaluate("dispatchEvent(new Event('online'))")
    await expect
      .poll(async () => (await listed())[0]?.note?.split('\n').toSorted())
      .toEqual(['Admiral', 'Writes compilers'])
    expect(await listed()).toHaveLength(1)
  })

  test('a note that is typed in the moment before “Done” is kept', async () => {
    const page = await newPhone()
    await scan(page, 'grace1906', 'Grace Hopper')
    await page.getByLabel(en.note).waitFor()
    await page.evaluate(`{
      const field = document.querySelector('#note')
      field.value = 'Admiral'
      field.dispatchEvent(new Event('input', { bubbles: true }))
      field.closest('section').querySelector(':scope > button').click()
    }`)
    await sent(page)
    await expect.poll(async () => (await listed())[0]?.note).toContain('Admiral')
  })

  test('leads are searched, also without a network, and saved as CSV', async () => {
    const page = await newPhone()
    await scan(page, 'ada1815', 'Ada Lovelace')
    await page.getByLabel(en.note).fill('=Call "soon"')
    await done(page)
    await scan(page, 'alan1912', 'Alan Turing')
    await done(page)
    await sent(page)
    await lost(page)
    await page.getByLabel(en.search).fill('analytical SOON')
    await expect.poll(() => page.locator('.leads li').allInnerTexts()).toEqual([expect.stringContaining('Ada')])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: en.export }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).replace('\uFEFF', '').split('\r\n')
    expect(lines[0]).toBe('email,first_name,last_name,company_name,guest_uid,author,created_at,rating,note')
    expect(lines[1]).toMatch(/^,Alan,Turing,,alan1912,Charles,/)
    expect(lines[2]).toContain('"\'=Call ""soon"""')
  })

  test('a reader types a code wherever the focus is, and what is typed into a note stays there', async () => {
    const page = await newPhone()
    await page.locator('h1').click()
    await typeAsReader(page, 'MECARD:UID:ada1815;N:Lovelace,Ada;;')
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await page.getByLabel(en.note).click()
    await page.keyboard.type('First line')
    await page.keyboard.press('Enter')
    await page.keyboard.type('second line')
    await done(page)
    await expect.poll(async () => (await listed())[0]?.note).toBe('First line\nsecond line')
  })

  test('a ciphered code waits until the server may read it', async () => {
    const ciphering = await TestEvent.open(system, { qr_code_ciphering_enabled: true })
    const stand = await ciphering.make('exhibitors.json', { name: 'Acme' })
    const client = clientOf(system.bus, apps)
    await ciphering.guest(await ciphering.category(), 'konrad', { last_name: 'Zuse' })
    const { body } = await ciphering.api('GET', 'guests.json?uid=konrad&qrcode_url=true')
    await writeVideo(video, Buffer.from(await (await fetch(body[0].qrcode_url)).arrayBuffer()))
    const page = await (await newContext()).newPage()
    await page.goto(address((await ciphering.api('POST', `exhibitors/${stand._id}/codes.json`)).body.code))
    await named(page, 'Ann')
    const start = page.getByRole('button', { name: /the camera/ })
    if ((await start.innerText()) === en.camera_start) await start.click()
    await page.getByText(en.ciphered).waitFor()
    await writeVideo(video)
    await page.getByText(en.held_up).waitFor()
    await page.getByLabel(en.note).fill('Built it in a living room')
    await done(page)
    const { _id } = await client.register({ body: { name: 'Gatehouse Leads' } })
    await page.evaluate("dispatchEvent(new Event('online'))")
    await page.getByRole('button', { name: /Zuse/ }).waitFor()
    await expect
      .poll(() => ciphering.read(`exhibitors/${stand._id}/connections.json`))
      .toMatchObject([{ guest_uid: 'konrad', note: 'Built it in a living room' }])
    await client.revoke({ body: { app_id: _id } })
  })

  test('when the organizer ends the access, what the server has is deleted and the rest can be saved', async () => {
    const page = await newPhone()
    await scan(page, 'ada1815', 'Ada Lovelace')
    await done(page)
    await sent(page)
    await lost(page)
    await scan(page, 'alan1912', 'alan1912')
    await done(page)
    await testEvent.api('POST', `exhibitors/${exhibitor._id}/roll_token.json`)
    proxy.mend()
    await page.evaluate("dispatchEvent(new Event('online'))")
    await page.getByRole('heading', { name: en.ended_title }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: en.save }).click(),
    ])
    const text = await readFile(await download.path(), 'utf8')
    expect(text).toContain('alan1912')
    expect(text).not.toContain('ada1815')
    // A new code of the same stand: what waited is sent.
    await page.getByLabel(en.code).fill(await newCode())
    await page.getByRole('button', { name: en.enrol }).click()
    await page.getByRole('button', { name: /Alan Turing/ }).waitFor()
    expect((await listed()).map(({ guest_uid }) => guest_uid).toSorted()).toEqual(['ada1815', 'alan1912'])
  })

  test('each view is accessible and fits on the smallest phone, in every language', async () => {
    for (const locale of tags) {
      const context = await newContext({
        bypassCSP: true,
        locale,
        viewport: { width: 320, height: 568 },
        colorScheme: tags.indexOf(locale) % 2 === 0 ? 'light' : 'dark',
      })
      const page = await context.newPage()
      const check = async (name: string) => {
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
        expect([name, violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])]).toEqual([name, []])
        expect([name, await overflowing(page)]).toEqual([name, []])
        if (process.env.SCREENSHOTS)
          await page.screenshot({ path: `${process.env.SCREENSHOTS}/leads-${locale}-${name}.png`, fullPage: true })
      }
      const { default: texts } = await import(`../src/texts/languages/${locale}.json`, { with: { type: 'json' } })
      await page.goto(address())
      await page.getByRole('heading', { name: texts.enrol_title }).waitFor()
      await check('enrol')
      await page.getByLabel(texts.code).fill(await newCode())
      await page.getByRole('button', { name: texts.enrol }).click()
      await page.getByRole('heading', { name: texts.author_title }).waitFor()
      await check('author')
      await page.getByLabel(texts.author).fill('Charles Babbage')
      await page.getByRole('button', { name: texts.author_done }).click()
      await page.getByLabel(texts.type_code).fill('ada1815')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
      await check('lead')
      await page.getByRole('button', { name: texts.done, exact: true }).click()
      await page.getByRole('button', { name: /Ada Lovelace/ }).waitFor()
      await check('list')
      await context.close()
    }
  })
})
