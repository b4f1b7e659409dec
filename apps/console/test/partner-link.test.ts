// @module-tag slow
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'
import { overflowAt, violationsOf } from './looks.ts'

// A system of its own, since the others' e-mails go nowhere.
describe('the link to a partner’s page', () => {
  let server: MailServer
  let system: System
  let browser: ConsoleBrowser
  let event: TestEvent
  let place: string
  let page: Page

  beforeAll(async () => {
    server = await startMailServer()
    const mail = { smtp_url: server.url, mail_from: 'Gatehouse <noreply@gatehouse.example>' }
    system = await startSystem({ with: ['partners', 'promo', 'mail'], mail })
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
    await server?.stop()
  })
  beforeEach(async () => {
    event = await TestEvent.open(system, { title: 'Opening Night', organizer: 'Somerset Trust' })
    const fields = { name: 'Royal Society', recipients_quota: 20, email: 'guests@royal.example' }
    const partner_id = (await event.make('partners.json', fields))._id
    const gala = (await event.make('invitation_types.json', { name: 'Gala' }))._id
    const campaigns = `invitation_types/${gala}/partner_campaigns`
    place = `events/${event.id}/${campaigns}/${(await event.make(`${campaigns}.json`, { partner_id, quota: 10 }))._id}`
    page = await browser.open(place)
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const shown = (): Promise<string> => page.locator('code.secret').innerText()
  /** What the partner sees who opens a link. */
  const opened = async (link: string): Promise<string> => {
    const partner = await browser.open('', { role: null })
    await partner.goto(link)
    return partner.locator('main').innerText()
  }
  const linkSent = (): string =>
    /(http\S+\/partner\/gh_partner_[\w-]{43})/.exec(server.mails.at(-1)?.text ?? '')?.[1] ?? ''

  /** Saves a picture of the last e-mail, if a folder for pictures is named. */
  const lookAtMail = async (): Promise<void> => {
    const folder = process.env.SCREENSHOTS
    if (!folder) return
    const [html = ''] = /<!doctype html>.*<\/html>/s.exec(server.mails.at(-1)?.text ?? '') ?? []
    for (const colorScheme of ['light', 'dark'] as const) {
      const mail = await browser.open('', { role: null, colorScheme, viewport: { width: 700, height: 700 } })
      // The console's policy forbids the styles of e-mails.
      await mail.goto('about:blank')
      await mail.setContent(html)
      await mail.screenshot({ path: `${folder}/partner-link-mail-${colorScheme}.png` })
    }
  }

  test('is sent to the partner’s address or to another one, and the card then says when and to whom', async () => {
    await page.getByText('The partner has no link yet').waitFor()
    await page.getByRole('heading', { name: 'Royal Society' }).waitFor()
    await page
      .getByText('The quota of a campaign stays as it is.')
      .getByRole('link', { name: 'Royal Society' })
      .waitFor()
    const once = page.getByText('To keep it safe, a link is shown only once.')
    expect(await once.innerText()).not.toContain('Renew link')
    const address = page.getByLabel('Send the link to')
    expect(await address.inputValue()).toBe('guests@royal.example')
    await button('Send by e-mail').click()
    await page.getByText('Sent to guests@royal.example').waitFor()
    await page.getByText(/, guests@royal\.example$/).waitFor()
    expect(await opened(linkSent())).toContain('Royal Society')
    await lookAtMail()
    await address.fill('ada@royal.example')
    await button('Send by e-mail').click()
    await page.getByText('Sent to ada@royal.example').waitFor()
    expect(server.mails.at(-1)?.to).toEqual(['ada@royal.example'])
    await page.getByText('Earlier links that work').waitFor()
    expect(await once.innerText()).toContain('go on working until you choose “Renew link”')
  })

  test('is refused in words beside what was typed if the address gets no e-mails', async () => {
    await event.make('blocked_recipients.json', { address: 'guests@royal.example' })
    await button('Send by e-mail').click()
    await page.getByRole('alert').filter({ hasText: 'blocked' }).waitFor()
    expect(await page.getByLabel('Send the link to').inputValue()).toBe('guests@royal.example')
  })

  test('is shown once with a QR code, and renewing, which asks first, ends the old one', async () => {
    await button('Get a link').click()
    const old = await shown()
    await page.getByRole('img', { name: 'Partner’s page' }).locator('svg').waitFor()
    expect(await opened(old)).toContain('Royal Society')
    await button('Renew link').click()
    await page
      .getByRole('alert')
      .getByText(/stop working at once/)
      .waitFor()
    expect(await opened(old)).toContain('Royal Society')
    await page.getByRole('alert').getByRole('button', { name: 'Renew link' }).click()
    await expect.poll(shown).not.toBe(old)
    const renewed = await shown()
    expect(await opened(old)).toContain('This link is not valid')
    expect(await opened(renewed)).toContain('Royal Society')
    await page.reload()
    await page.getByText('Link made').waitFor()
    expect(await page.locator('code.secret').count()).toBe(0)
  })

  test('is no matter of viewers, and an archived event says what there is and changes nothing', async () => {
    const viewer = await browser.open(place, { role: 'viewer' })
    await viewer.getByRole('heading', { name: 'Royal Society' }).waitFor()
    expect(await viewer.getByRole('heading', { name: 'Partner’s page' }).count()).toBe(0)
    await system.api('PUT', `events/${event.id}.json`, { archived: true })
    await page.reload()
    await page.getByRole('heading', { name: 'Partner’s page' }).waitFor()
    expect(await button('Send by e-mail').count()).toBe(0)
  })

  test.each([
    ['light', 360],
    ['dark', 360],
    ['light', 1280],
    ['dark', 1280],
  ] as const)(
    'has a card that is without a violation of WCAG 2.2 AA in %s colours, %i pixels wide, and fits into 320',
    async (colorScheme, width) => {
      const size = { width, height: 800 }
      page = await browser.open(place, { colorScheme, viewport: size })
      const look = async (name: string): Promise<void> => {
        expect(await violationsOf(page)).toEqual([])
        expect(await overflowAt(page, [320])).toEqual([])
        await page.setViewportSize(size)
        const folder = process.env.SCREENSHOTS
        if (folder)
          await page.screenshot({ path: `${folder}/partner-link-${name}-${width}-${colorScheme}.png`, fullPage: true })
      }
      await page.getByText('The partner has no link yet').waitFor()
      await look('none')
      await button('Send by e-mail').click()
      await page.getByText(/^Sent to/).waitFor()
      await button('Get a link').click()
      await page.locator('.qr-code svg').waitFor()
      await button('Renew link').click()
      await page.getByRole('alert').waitFor()
      await look('made')
    },
  )
})
