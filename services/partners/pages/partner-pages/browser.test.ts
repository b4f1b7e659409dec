// @module-tag slow
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import AxeBuilder from '@axe-core/playwright'
import { tags } from '@gatehouse/proto/pages/languages.ts'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { overflowing } from '@gatehouse/test/harness/chromium-pages.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep, sampled } from '@gatehouse/test/rounds.ts'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestCampaign } from '../../testing/test-campaign.ts'
import { beginBatch, sentOf } from '../../testing/test-sending.ts'
import { languages } from './languages.ts'
import { TestPartner } from './test-partner.ts'

const system = await sharedSystem()

const phone = { width: 360, height: 740 }
const LONG = `${'x'.repeat(64)}@${'y'.repeat(60)}.example.org`

// The test is the mail service too. Some fifty seconds: a page without script loads itself again after ten, and axe looks at twenty pages.
describe('a partner’s pages in a browser', () => {
  let browser: Browser
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'partner-pages-'))
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const openCampaign = async (quota = 1_000) => {
    const testEvent = await TestEvent.open(system, { title: 'Opening Night', organizer: 'Fair & Co' })
    return TestCampaign.open(system, { testEvent, quota, type: { name: 'Evening' }, partner: { name: 'Acme' } })
  }
  const open = async (options: BrowserContextOptions): Promise<{ context: BrowserContext; page: Page }> => {
    const context = await browser.newContext({ viewport: phone, locale: 'en-GB', ...options })
    return { context, page: await context.newPage() }
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
  /** The number beside a name. */
  const numberOf = (page: Page, name: string) => page.locator(`dt:text-is("${name}") + dd`).first().textContent()
  /** Hands over what waits, as the mail service does. */
  const deliver = async (campaign: TestCampaign) => {
    const { ids, progress } = await beginBatch(campaign)
    const [first = '', ...others] = ids
    const rejected = { _id: first, outcome: 'rejected', reason: '550 No such mailbox' } as const
    await progress({ outcomes: [rejected, ...others.map(sentOf)] })
  }

  test.each(
    sampled(
      [
        ['without script', false],
        ['with script', true],
      ] as const,
      2,
    ),
  )('%s: pasted addresses are corrected, checked, sent and watched', async (_name, javaScriptEnabled) => {
    const texts = languages.fr
    const campaign = await openCampaign(3)
    const { context, page } = await open({ locale: 'fr-CH', javaScriptEnabled })
    await page.goto(campaign.page)
    expect([page.url(), await page.title()]).toEqual([
      `${system.url}/partner/${campaign.id}`,
      'Opening Night – Fair & Co',
    ])
    const [cookie] = await context.cookies(page.url())
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: `/partner/${campaign.id}` })
    await page.getByLabel(texts.paste).fill('Ada Lovelace <ada@example.org>\nnobody\nbob@example.org\nADA@example.org')
    await press(page, texts.check)
    await heading(page, texts.check_title)
    expect([await numberOf(page, texts.good), await numberOf(page, texts.bad)]).toEqual(['2', '1'])
    expect(await page.getByRole('listitem').first().textContent()).toContain('nobody')
    await follow(page, texts.correct)
    expect(await page.getByLabel(texts.paste).inputValue()).toContain('\nnobody\n')
    await page
      .getByLabel(texts.paste)
      .fill('Ada Lovelace <ada@example.org>\nbob@example.org\nc@example.org\nd@example.org')
    await press(page, texts.check)
    await heading(page, texts.check_title)
    expect([await numberOf(page, texts.good), await numberOf(page, texts.beyond)]).toEqual(['3', '1'])
    const message = page.frameLocator('iframe')
    await message.getByText('Acme invites you to Opening Night').waitFor()
    expect(await campaign.invitations()).toEqual([])
    await page.getByRole('button', { name: /3/ }).dblclick()
    await heading(page, texts.report_title)
    await page.reload()
    expect([await numberOf(page, texts.report_invited), await numberOf(page, texts.beyond)]).toEqual(['3', '1'])
    expect(await campaign.counters()).toMatchObject({ nb_recipients: 3, left: 0 })

    await follow(page, texts.overview)
    expect(await page.getByRole('status').textContent()).toBe(texts.waiting.replace('{count}', '3'))
    const loads: string[] = []
    page.on('framenavigated', (frame) => loads.push(frame.url()))
    await deliver(campaign)
    // Without a script the page is loaded again after ten seconds.
    await expect.poll(() => page.getByRole('status').textContent()).toBe(texts.none_waiting)
    expect(await numberOf(page, texts.number_sent)).toBe('2')
    expect(loads).toHaveLength(javaScriptEnabled ? 0 : 1)
    await page.getByRole('term').getByRole('link', { name: texts.many_rejected, exact: true }).click()
    expect(await page.locator('ul.plain').textContent()).toContain('550 No such mailbox')
    const [download] = await Promise.all([page.waitForEvent('download'), follow(page, texts.download)])
    const rejected = (await campaign.invitations()).find(({ state }) => state === 'rejected')
    expect(await textOf(await download.createReadStream())).toContain(`${rejected?.email},`)
    await context.close()
  })

  test.each(
    sampled(
      [
        ['without script', false],
        ['with script', true],
      ] as const,
      2,
    ),
  )('%s: a CSV file is checked and sent', async (name, javaScriptEnabled) => {
    const texts = languages.en
    const campaign = await openCampaign()
    const { context, page } = await open({ javaScriptEnabled })
    await page.goto(campaign.page)
    const file = join(folder, `${name}.csv`)
    await writeFile(file, 'E-Mail;Vorname;Nachname\nzoe@example.org;Zoë;Müller\nnobody;x;y\n', 'latin1')
    await page.getByLabel(texts.file).setInputFiles(file)
    await press(page, texts.check)
    await heading(page, texts.check_title)
    await press(page, texts.send.replace('{count}', '1'))
    await heading(page, texts.report_title)
    expect(await campaign.invitations()).toMatchObject([
      { email: 'zoe@example.org', first_name: 'Zoë', last_name: 'Müller' },
    ])
    await context.close()
  })

  test('the form says how many invitations are left and, with a script, how many addresses are typed', async () => {
    const { context, page } = await open({})
    await page.goto((await openCampaign(2)).page)
    await page.getByText('Invitations you can still send: 2').waitFor()
    const typed = page.getByRole('status').filter({ hasText: 'Addresses' })
    const addresses = page.getByLabel(languages.en.paste)
    await addresses.fill('Ada <ada@example.org>, grace@example.org; nobody')
    await expect.poll(() => typed.textContent()).toBe('Addresses: 2.')
    await addresses.fill('a@example.org\nb@example.org\nA@example.org\nc@example.org')
    await expect.poll(() => typed.textContent()).toBe('Addresses: 3. That is more than you can still invite.')
    await addresses.fill('')
    await expect.poll(() => typed.count()).toBe(0)
    await context.close()
  })

  test.each([phone, { width: 1280, height: 900 }])(
    'the whole form is in sight at $width × $height pixels',
    async (viewport) => {
      const { context, page } = await open({ viewport })
      await page.goto((await openCampaign(20)).page)
      const hint = await page.getByText(languages.en.check_hint).boundingBox()
      expect((hint?.y ?? 0) + (hint?.height ?? 0)).toBeLessThan(viewport.height)
      await context.close()
    },
  )

  test('with a script a file that is too large is not even sent', deep, async () => {
    const { context, page } = await open({})
    await page.goto((await openCampaign()).page)
    const file = join(folder, 'large.csv')
    await writeFile(file, Buffer.alloc(11 * 2 ** 20, 'a'))
    await page.getByLabel(languages.en.file).setInputFiles(file)
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.method()))
    await press(page, languages.en.check)
    expect(await page.locator('input:invalid').count()).toBe(1)
    expect(sent).toEqual([])
    await context.close()
  })

  test('without a script the page says that a file is too large, even one of 100 MiB', deep, async () => {
    const { context, page } = await open({ javaScriptEnabled: false })
    await page.goto((await openCampaign()).page)
    const file = join(folder, 'huge.csv')
    await writeFile(file, Buffer.alloc(100 * 2 ** 20, 'a'))
    await page.getByLabel(languages.en.file).setInputFiles(file)
    await press(page, languages.en.check)
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('limit is 10 MB')
    await context.close()
  })

  test('by keyboard alone the whole way can be gone', async () => {
    const texts = languages.en
    const campaign = await openCampaign()
    const { context, page } = await open({ javaScriptEnabled: false })
    /** Presses Tab until something with this name has the focus. */
    const tabTo = async (role: 'link' | 'button' | 'textbox', name: string) => {
      const wanted = page.getByRole(role, { name, exact: true }).and(page.locator(':focus'))
      for (let steps = 0; steps < 40; steps++) {
        await page.keyboard.press('Tab')
        if ((await wanted.count()) > 0) return
      }
      throw new Error(`${name} cannot be reached`)
    }
    await page.goto(campaign.page)
    await tabTo('textbox', texts.paste)
    await page.keyboard.type('ada@example.org')
    await tabTo('button', texts.check)
    await page.keyboard.press('Enter')
    await heading(page, texts.check_title)
    await tabTo('button', texts.send.replace('{count}', '1'))
    await page.keyboard.press('Enter')
    await heading(page, texts.report_title)
    expect(await campaign.invitations()).toMatchObject([{ email: 'ada@example.org' }])
    await context.close()
  })

  test('a long word of the event’s title is in one line on a phone', async () => {
    const word = 'Unternehmensnachfolgetage'
    const testEvent = await TestEvent.open(system, { title: `${word} in Wien`, locale: 'de' })
    const campaign = await TestCampaign.open(system, { testEvent, quota: 1, type: { name: 'Abend' } })
    const { context, page } = await open({})
    await page.goto(campaign.page)
    await page.locator('h1').waitFor()
    const lines = await page.evaluate<number>(`(() => {
      const text = document.createTreeWalker(document.querySelector('h1'), NodeFilter.SHOW_TEXT).nextNode()
      const range = document.createRange()
      const from = text.data.indexOf('${word}')
      range.setStart(text, from)
      range.setEnd(text, from + ${word.length})
      return range.getClientRects().length
    })()`)
    expect(lines).toBe(1)
    await context.close()
  })

  test.each(['en', 'de'] as const)(
    '%s: axe finds nothing on any step, and nothing is wider than a phone',
    deep,
    async (locale) => {
      const texts = languages[locale]
      const campaign = await openCampaign(3)
      // axe is a script, so this test lifts the policy.
      const { context, page } = await open({ bypassCSP: true, locale })
      const check = async (name: string) => {
        const { SCREENSHOTS } = process.env
        if (SCREENSHOTS)
          await page.screenshot({ path: join(SCREENSHOTS, `partner-${name}-${locale}.png`), fullPage: true })
        expect(await page.locator('html').getAttribute('lang')).toBe(locale)
        // axe would wait half a minute for the frame of the message, which runs no scripts.
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
        expect(await overflowing(page), name).toEqual([])
      }
      await page.goto(campaign.page)
      await check('empty')
      await press(page, texts.check)
      await page.getByRole('alert').waitFor()
      await check('missing')
      const list = [
        'old@example.org',
        LONG,
        'Ada Lovelace <ada@example.org>',
        'c@example.org',
        `z${LONG.slice(1)}`,
        'nobody',
        'ada@example.org',
      ]
      await campaign.invite(['old@example.org'])
      await page.getByLabel(texts.paste).fill(list.join('\n'))
      await press(page, texts.check)
      await heading(page, texts.check_title)
      await page.locator('summary').click()
      await check('check')
      const checked = page.url()
      await page.getByRole('button').click()
      await heading(page, texts.report_title)
      await check('report')
      await follow(page, texts.overview)
      await check('waiting')
      await deliver(campaign)
      await page.goto(`${system.url}/partner/${campaign.id}`)
      await check('overview')
      await page.goto(checked.replace(/\w{24}$/, '0'.repeat(24)))
      await check('gone')
      await context.clearCookies()
      await page.goto(`${system.url}/partner/${campaign.id}`)
      await check('nothing')
      await context.close()
    },
  )

  test('nothing is wider than a phone in any language', deep, async () => {
    const campaign = await openCampaign(2)
    await campaign.invite(['old@example.org', LONG])
    await deliver(campaign)
    const partner = await TestPartner.enter(campaign)
    const list = `old@example.org\nz${LONG.slice(1)}\nnobody\n,x\n${'x'.repeat(300)}\nz${LONG.slice(1)}`
    const [checked, sent] = [await partner.give(list), await partner.give(list)]
    await partner.send(sent)
    const { home } = partner
    const urls = [
      home,
      `${home}/new`,
      `${home}/new?problem=unreadable`,
      checked.url,
      sent.url,
      `${home}/uploads/${campaign.id}`,
    ]
    for (const locale of sampled(tags, 15)) {
      const { context, page } = await open({ locale })
      await page.goto(campaign.page)
      for (const url of [...urls, `${home}/nothing`]) {
        await page.goto(url)
        expect([await page.locator('html').getAttribute('lang'), await overflowing(page)], url).toEqual([locale, []])
      }
      await context.close()
    }
  })

  test('the picture in docs/partners.md shows three of them; SCREENSHOTS keeps it', deep, async () => {
    const { SCREENSHOTS } = process.env
    const texts = languages.en
    const type = {
      name: 'Evening reception',
      subject: '{{first_name}}, please join us at {{event_title}}',
      message:
        'Dear {{first_name}} {{last_name}},\n\n{{partner_name}} would like to see you at {{event_title}}.\n\n{{link}}',
    }
    const testEvent = await TestEvent.open(system, { title: 'Opening Night', organizer: 'Riverside Hall' })
    const campaign = await TestCampaign.open(system, { testEvent, quota: 50, type, partner: { name: 'Acme' } })
    await campaign.invite(['charles@example.org', 'mary@example.org', 'luigi@example.org'])
    await deliver(campaign)
    const tall = { ...phone, height: 960 }
    const { context, page } = await open({ viewport: tall })
    const pictures: Buffer[] = []
    const take = async (): Promise<void> => void pictures.push(await page.screenshot())
    await page.goto(`${campaign.page}`)
    await page.goto(`${page.url()}/new`)
    await page
      .getByLabel(texts.paste)
      .fill('Ada Lovelace <ada@example.org>\ngrace@example.org\nalan@example.org\ncharles@example.org\nkatherine')
    await take()
    await press(page, texts.check)
    await heading(page, texts.check_title)
    await take()
    await page.getByRole('button').click()
    await heading(page, texts.report_title)
    await deliver(campaign)
    await page.goto(`${system.url}/partner/${campaign.id}`)
    await take()
    expect(pictures).toHaveLength(3)
    await page.goto('about:blank')
    await page.setViewportSize({ width: 3 * tall.width + 64, height: tall.height + 32 })
    const shown = pictures.map((each) => `<img src="data:image/png;base64,${each.toString('base64')}">`)
    await page.setContent(`<body style="display:flex;gap:16px;margin:16px;background:#9ca3af">${shown.join('')}</body>`)
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, 'partners.png') })
    await context.close()
  })
})
