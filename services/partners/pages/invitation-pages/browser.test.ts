import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Language } from '@gatehouse/proto/pages/languages.ts'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { overflowing } from '@gatehouse/test/harness/chromium-pages.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestCampaign } from '../../testing/test-campaign.ts'
import { leaseBatch } from '../../testing/test-sending.ts'
import { languages } from './languages.ts'

const system = await sharedSystem()

const phone = { width: 360, height: 740 }
const LONG = 'x'.repeat(200)

// The test is the mail service too: it gets the links as e-mails do.
describe('pages of invitations in a browser', () => {
  let browser: Browser
  let context: BrowserContext
  let page: Page

  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
  })

  /** Opens a campaign with long names, and returns the links of an invitation. */
  const invited = async (hasAnswers: boolean) => {
    const fields = { title: `Opening ${LONG}`, organizer: `Fair ${LONG}`, start_date: '2999-01-01T00:00:00Z' }
    const testEvent = await TestEvent.open(system, { ...fields, reply_to_email: `${'y'.repeat(60)}@example.com` })
    const category =
      hasAnswers && (await testEvent.make('guest_categories.json', { name: 'Guests', rsvp_enabled: true }))
    const type = { name: 'Evening', guest_category_id: category ? category._id : null }
    const campaign = await TestCampaign.open(system, { testEvent, type, partner: { name: `Acme ${LONG}` } })
    await campaign.invite(['ada@example.org'])
    const [mail] = (await leaseBatch(campaign)).mails
    if (!mail) throw new Error('There is no e-mail')
    return { campaign, mail }
  }

  async function open(locale: string): Promise<void> {
    await context?.close()
    // axe is a script, so these tests lift the policy.
    context = await browser.newContext({ bypassCSP: true, viewport: phone, locale })
    page = await context.newPage()
  }

  async function check(name: string, locale: Language): Promise<void> {
    const { SCREENSHOTS } = process.env
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}-${locale}.png`), fullPage: true })
    expect(await page.locator('html').getAttribute('lang'), name).toBe(locale)
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      name,
    ).toEqual([])
    expect(await overflowing(page), name).toEqual([])
  }

  test.each(['en', 'de', 'ja'] as const)(
    '%s: axe finds nothing on any of them, and nothing is wider than a phone',
    deep,
    async (locale) => {
      const texts = languages[locale]
      const { campaign, mail } = await invited(true)
      const silent = await invited(false)
      await open(locale)
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
      await page.goto(mail.link)
      await check('rsvp', locale)
      await press(texts.accept)
      await page.getByText(texts.accepted).waitFor()
      await check('rsvp-accepted', locale)
      await press(texts.decline)
      await page.getByText(texts.declined).waitFor()
      await page.getByText(texts.changed_mind).waitFor()
      await check('rsvp-declined', locale)
      await page.goto(silent.mail.link)
      await page.getByText(texts.no_answer).waitFor()
      await check('rsvp-unanswerable', locale)
      await page.goto(mail.unsubscribe_link)
      await check('unsubscribe', locale)
      await press(texts.unsubscribe)
      await page.getByRole('heading', { name: texts.unsubscribed, exact: true }).waitFor()
      await check('unsubscribed', locale)
      await campaign.testEvent.api('DELETE', `invitation_types/${campaign.type}/partner_campaigns/${campaign.id}.json`)
      await page.goto(mail.link)
      await page.getByText(texts.withdrawn).waitFor()
      await check('rsvp-withdrawn', locale)
      await page.goto(`${mail.link}x`)
      await page.getByRole('heading', { name: texts.nothing, exact: true }).waitFor()
      await check('rsvp-nothing', locale)
    },
  )

  test('by keyboard alone an invitation is accepted', deep, async () => {
    const { campaign, mail } = await invited(true)
    await open('en-GB')
    await page.goto(mail.link)
    const accept = page.getByRole('button', { name: languages.en.accept, exact: true }).and(page.locator(':focus'))
    for (let steps = 0; steps < 20 && (await accept.count()) === 0; steps++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText(languages.en.accepted).waitFor()
    expect(await campaign.invitations()).toMatchObject([{ answer: 'accepted' }])
  })
})
