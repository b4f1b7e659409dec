// @module-tag slow
import { guests } from '@gatehouse/guests/resources'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'
import { overflowAt, violationsOf } from './looks.ts'

const system = await sharedSystem()

describe('what leads an organizer on in the console', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser.closePages())
  afterAll(() => browser?.close())

  test('the page of a partner names what it may invite to, lets it invite to more with its quota, and then has its link', async () => {
    const event = await TestEvent.open(system)
    const partner = await event.make('partners.json', { name: 'Northern Press', recipients_quota: 20 })
    const page = await browser.open(`events/${event.id}/partners/${partner._id}`)
    await page.getByRole('link', { name: 'Add category' }).waitFor()
    const gala = await event.make('invitation_types.json', { name: 'Gala', guest_category_id: await event.category() })
    await page.reload()
    await page.getByRole('button', { name: 'Let the partner invite' }).waitFor()
    expect([await violationsOf(page), await overflowAt(page, [3840, 320])]).toEqual([[], []])
    await page.getByRole('button', { name: 'Let the partner invite' }).click()
    await page.getByRole('status').filter({ hasText: 'The partner can invite as soon as' }).waitFor()
    const link = page.getByRole('heading', { name: 'Partner’s page' })
    await link.waitFor()
    expect(await link.evaluate((heading) => heading === heading.ownerDocument.activeElement)).toBe(true)
    await page.getByRole('button', { name: 'Send by e-mail' }).waitFor()
    expect([await violationsOf(page), await overflowAt(page, [3840, 320])]).toEqual([[], []])
    const campaigns = `events/${event.id}/invitation_types/${gala._id}/partner_campaigns`
    const [campaign] = (await system.api('GET', `${campaigns}.json`)).body
    expect(campaign).toMatchObject({ partner_id: partner._id, quota: 20 })

    expect(page.url()).toContain(`events/${event.id}/partners/${partner._id}`)
    const row = page.locator('.panel .row', { hasText: 'Gala' })
    await row.getByText('0 of 20 invitations sent').waitFor()
    expect(await row.getByRole('link').getAttribute('href')).toBe(`#/${campaigns}/${campaign._id}`)
    expect(await page.getByRole('button', { name: 'Let the partner invite' }).count()).toBe(0)
    await page.reload()
    await page.getByRole('button', { name: 'Send by e-mail' }).waitFor()
  })

  test('a partner of an event without an invitation type is let invite in one step, which makes one that asks for replies, and none twice', async () => {
    const event = await TestEvent.open(system, { title: 'Opening Night' })
    await event.category('VIP')
    const press = await event.category('Press')
    const page = await browser.open(`events/${event.id}/partners/new`, { viewport: { width: 1280, height: 800 } })
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Northern Press')
    await page.getByRole('textbox', { name: 'E-mail' }).fill('guests@northern.example')
    await page.getByLabel('Quota').fill('20')
    const progress = page.waitForResponse('**/statistics.json')
    await page.getByRole('button', { name: 'Save' }).click()
    const start = page.getByRole('button', { name: 'Let the partner invite' })
    await start.waitFor()
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    expect(await page.evaluate(`document.querySelector('main').scrollTop`)).toBe(0)
    const [button, bar] = await Promise.all([start.boundingBox(), page.locator('.below').boundingBox()])
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
    expect([await violationsOf(page), await overflowAt(page, [3840, 320])]).toEqual([[], []])
    // It cannot invite yet: nothing leads away.
    await progress
    const next = page.getByRole('navigation', { name: 'Get ready' })
    expect(await next.count()).toBe(0)

    const most = page.getByLabel('Invitations, at most')
    const category = page.getByLabel('Guests come as')
    expect(await most.inputValue()).toBe('20')
    await category.selectOption('Press')
    await most.fill('99999999999')
    await start.click()
    await page.getByRole('alert').waitFor()
    expect(await category.count()).toBe(0)
    await most.fill('20')
    await start.click()
    await page.getByRole('button', { name: 'Send by e-mail' }).waitFor()
    await page.locator('.panel .row', { hasText: 'Opening Night' }).waitFor()
    expect(await next.count()).toBe(0)
    await page.getByRole('button', { name: 'Get a link' }).click()
    await next.getByText('Next: ').waitFor()
    const linkTo = page.getByLabel('Send the link to')
    expect(await linkTo.inputValue()).toBe('guests@northern.example')
    for (const warning of ['Nobody can accept yet', 'get no QR code'])
      expect(await page.getByText(warning).count()).toBe(0)
    const types = await event.read('invitation_types.json')
    expect(types).toMatchObject([{ name: 'Opening Night', guest_category_id: press }])
    expect(await event.read(`invitation_types/${types[0]._id}/partner_campaigns.json`)).toMatchObject([{ quota: 20 }])
    expect(await event.read(`guest_categories/${press}.json`)).toMatchObject({
      rsvp_enabled: true,
      confirmation_email_enabled: true,
    })
    // The link that is shown once stays.
    await page.getByRole('textbox', { name: 'E-mail' }).fill('desk@northern.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => linkTo.inputValue()).toBe('desk@northern.example')
    await page.getByText('Shown only once.').first().waitFor()
  })

  test('an invitation that nobody can accept says why, and asks for replies at once', async () => {
    const event = await TestEvent.open(system)
    const press = await event.category('Press')
    const type = await event.make('invitation_types.json', { name: 'Gala', guest_category_id: press })
    const open = await event.make('invitation_types.json', { name: 'Party' })
    const page = await browser.open(`events/${event.id}/invitation_types/${type._id}`)
    await page.getByText('Nobody can accept yet: guests in “Press”').waitFor()
    expect([await violationsOf(page), await overflowAt(page, [3840, 320])]).toEqual([[], []])
    await page.getByRole('button', { name: 'Turn on “Reply requested”' }).click()
    await expect.poll(() => page.getByText('Nobody can accept yet').count()).toBe(0)
    expect((await event.read(`guest_categories/${press}.json`)).rsvp_enabled).toBe(true)
    await page.getByText('Guests in “Press” who accept get no QR code').waitFor()
    await page.getByRole('button', { name: 'Turn on “Confirmation by e-mail”' }).click()
    await expect.poll(() => page.getByText('get no QR code').count()).toBe(0)
    expect((await event.read(`guest_categories/${press}.json`)).confirmation_email_enabled).toBe(true)

    await page.goto(browser.at(`events/${event.id}/invitation_types/${open._id}`))
    await page.getByText('Choose a category: without one, nobody can accept.').waitFor()
  })

  test('a new invitation type asks guests in its category for a reply, and sends them their codes then, unless that is not wanted', async () => {
    const event = await TestEvent.open(system)
    const [press, crew] = [await event.category('Press'), await event.category('Crew')]
    const page = await browser.open(`events/${event.id}/invitation_types/new`)
    const asks = page.getByLabel('Ask guests in this category for a reply')
    const confirms = page.getByLabel('Send guests in this category their QR code when they accept')
    const isAsked = async (id: string) => {
      const { rsvp_enabled, confirmation_email_enabled } = await event.read(`guest_categories/${id}.json`)
      return [rsvp_enabled, confirmation_email_enabled]
    }
    const create = async (name: string, category: string) => {
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
      await page.getByLabel('Category', { exact: true }).selectOption(category)
      await asks.waitFor()
    }
    const save = async (name: string) => {
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name }).waitFor()
    }
    await create('Gala', 'Press')
    expect([await violationsOf(page), await overflowAt(page, [320])]).toEqual([[], []])
    await save('Gala')
    expect(await isAsked(press)).toEqual([true, true])
    await page.goto(browser.at(`events/${event.id}/invitation_types/new`))
    await create('Party', 'Crew')
    await asks.uncheck()
    await save('Party')
    expect(await isAsked(crew)).toEqual([false, true])
    await page.goto(browser.at(`events/${event.id}/invitation_types/new`))
    await page.getByLabel('Category', { exact: true }).selectOption('Press')
    await expect.poll(async () => [await asks.count(), await confirms.count()]).toEqual([0, 0])
  })

  test('the pages of a partner and of its campaign warn of an invitation that nobody can accept, and of guests who get no code', async () => {
    const event = await TestEvent.open(system)
    const press = await event.category('Press')
    const { _id } = await event.make('partners.json', { name: 'Northern Press', recipients_quota: 20 })
    await event.make('invitation_types.json', { name: 'Gala', guest_category_id: press })
    const warning = 'Nobody can accept yet: guests in “Press”'
    const page = await browser.open(`events/${event.id}/partners/${_id}`)
    await page.getByText(warning).waitFor()
    expect([await violationsOf(page), await overflowAt(page, [320])]).toEqual([[], []])
    await page.getByRole('button', { name: 'Let the partner invite' }).click()
    await page.getByRole('link', { name: 'Gala' }).click()
    await page.getByRole('button', { name: 'Send by e-mail' }).waitFor()
    await page.getByText(warning).waitFor()
    await page.getByText('get no QR code').waitFor()
    expect([await violationsOf(page), await overflowAt(page, [320])]).toEqual([[], []])
    await page.getByRole('button', { name: 'Turn on “Reply requested”' }).click()
    await expect.poll(() => page.getByText(warning).count()).toBe(0)
    expect((await event.read(`guest_categories/${press}.json`)).rsvp_enabled).toBe(true)
  })

  test('a category begins with badge, QR code and confirmation, another item with the ticks and choices of the one that was just made, without its texts', async () => {
    const event = await TestEvent.open(system)
    const page = await browser.open(`events/${event.id}/guest_categories/new`)
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    const badge = page.locator('#field-badge_enabled')
    const save = async (text: string) => {
      await name.fill(text)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: text }).waitFor()
    }
    const code = page.locator('#field-badge_qr_code_enabled')
    const more = page.getByText('More settings')
    expect([await badge.isChecked(), await code.isChecked()]).toEqual([true, true])
    expect(await page.locator('#field-confirmation_email_enabled').isChecked()).toBe(true)
    expect(await code.isVisible()).toBe(false)
    await more.click()
    await code.uncheck()
    await save('Press')
    await page.getByRole('link', { name: 'Add another' }).click()
    await page.getByRole('heading', { name: 'Add category' }).waitFor()
    await name.waitFor()
    expect([await name.inputValue(), await badge.isChecked(), await code.isChecked()]).toEqual(['', true, false])
    expect(await code.isVisible()).toBe(true)
    await save('Crew')
    expect(await event.read('guest_categories.json')).toMatchObject([
      { badge_enabled: true, badge_qr_code_enabled: false },
      { badge_enabled: true, badge_qr_code_enabled: false },
    ])
  })

  test('after something was done, the next open step of the checklist is offered, until another job is opened', async () => {
    const event = await TestEvent.open(system, { start_date: '2027-03-20T09:00:00Z' })
    const page = await browser.open(`events/${event.id}/guest_categories/new`)
    const next = page.getByRole('navigation', { name: 'Get ready' }).getByRole('link')
    const save = async (name: string) => {
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name }).waitFor()
    }
    await save('Press')
    await next.getByText('Next: Create check-in points').waitFor()
    const bars = [page.locator('.next'), page.locator('.toast.shown')].map((each) => each.boundingBox())
    const [low, beside] = await Promise.all(bars)
    expect([low?.y, low?.height]).toEqual([beside?.y, beside?.height])
    expect([await violationsOf(page), await overflowAt(page, [3840, 320])]).toEqual([[], []])
    await next.click()
    await page.getByRole('heading', { name: 'Add check-in point' }).waitFor()
    await expect.poll(() => next.count()).toBe(0)
    await save('Door')
    await next.getByText('Next: Say who may enter where').click()
    await page.getByLabel('Press at Door', { exact: true }).selectOption({ label: 'Once here' })
    await next.getByText('Next: Add or import guests').waitFor()
  })

  test('the step of rights is done once guests of each category may enter somewhere, which is not so at an exit', async () => {
    const event = await TestEvent.open(system, { start_date: '2027-03-20T09:00:00Z' })
    for (const name of ['Press', 'VIP']) await event.category(name)
    await event.point('Door')
    await event.make('accesspoints.json', { name: 'Way out', direction: 'out' })
    const page = await browser.open(`events/${event.id}/rights`)
    const next = page.getByRole('navigation', { name: 'Get ready' }).getByRole('link')
    const progress = () => page.waitForResponse('**/statistics.json')
    const choose = (cell: string) => page.getByLabel(cell, { exact: true }).selectOption('once')
    for (const cell of ['Press at Door', 'VIP at Way out']) {
      const read = progress()
      await choose(cell)
      await read
      await page.getByRole('rowheader', { name: 'VIP' }).getByText('No access anywhere').waitFor()
      expect(await next.count()).toBe(0)
    }
    await choose('VIP at Door')
    await next.getByText('Next: Add or import guests').waitFor()
  })

  test('beside an optional step the next one that every event has is offered; who has passed it is not led back', async () => {
    const event = await TestEvent.open(system, { start_date: '2027-03-20T09:00:00Z' })
    const [press, door] = [await event.category('Press'), await event.point('Door')]
    await event.link(press, door, 1)
    await event.guest(press, 'ada', { email: 'ada@example.org' })
    const { _id } = await event.make('mailings.json', { name: 'Codes', subject: 'Code', message: '{{qrcode}}' })
    const page = await browser.open(`events/${event.id}/mailings/${_id}?act=mailing_send`)
    const next = page.getByRole('navigation', { name: 'Get ready' }).getByRole('link')
    await page.getByRole('alert').getByRole('button', { name: 'Send', exact: true }).click()
    await expect
      .poll(() => next.allInnerTexts())
      .toEqual(['Next: Let partners invite (optional)', 'Set up a device and test it'])
    expect([await violationsOf(page), await overflowAt(page, [3840, 320])]).toEqual([[], []])
    await next.first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Northern Press')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => next.count()).toBe(0)
    await page.getByLabel('Invitations, at most').fill('20')
    await page.getByRole('button', { name: 'Let the partner invite' }).click()
    await page.getByRole('button', { name: 'Get a link' }).click()
    await expect
      .poll(() => next.allInnerTexts())
      .toEqual(['Next: Set up badges (optional)', 'Set up a device and test it'])
    await page.goto(browser.at(`events/${event.id}/badge_templates/new`))
    await page.getByRole('button', { name: 'Save' }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Small')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => next.allInnerTexts()).toEqual(['Next: Set up a device and test it'])
  })

  test('once the device that was just made has tested itself, the next step is offered beside it', async () => {
    const event = await TestEvent.open(system, { start_date: '2027-03-20T09:00:00Z' })
    const page = await browser.open(`events/${event.id}/devices/new`)
    const next = page.getByRole('navigation', { name: 'Get ready' }).getByRole('link')
    const making = page.waitForResponse((answer) => answer.request().method() === 'POST')
    await page.getByLabel('Name').fill('Phone')
    await page.getByRole('button', { name: 'Save' }).click()
    const { code } = await (await making).json()
    await page.locator('.device-code').waitFor()
    expect(await next.count()).toBe(0)
    const { body } = await system.api('POST', `device_codes/${code}/exchange.json`, undefined, { token: '' })
    const passed = { tested_at: '2026-09-17T07:12:00Z', camera: 'passed' }
    const tell = (self_test: object) =>
      system.api('PUT', 'devices/heartbeat.json', { self_test }, { token: body.token })
    await tell({ ...passed, sound: 'failed' })
    const overview = await browser.open(`events/${event.id}`)
    await overview.getByRole('link', { name: /^Phone · Failed: Sound\. .*2026/ }).click()
    await overview.getByRole('heading', { name: 'Phone' }).waitFor()
    await overview.goBack()
    const step = overview.getByRole('listitem').filter({ hasText: 'Set up a device and test it' }).getByRole('img')
    expect(await step.getAttribute('aria-label')).toBe('To do')
    expect(await next.count()).toBe(0)
    await tell({ ...passed, sound: 'passed' })
    await next.getByText('Next: Create guest categories').waitFor()
    await overview.reload()
    await overview.getByText('Nothing right now.').waitFor()
    expect(await step.getAttribute('aria-label')).toBe('Done')
  })

  test('nobody is offered a next step that they may not do', async () => {
    const event = await TestEvent.open(system, { start_date: '2027-03-20T09:00:00Z' })
    await event.category('Press')
    const page = await browser.open(`events/${event.id}/accesspoints/new`, { role: 'door_manager' })
    const next = page.getByRole('navigation', { name: 'Get ready' }).getByRole('link')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Door')
    await page.getByRole('button', { name: 'Save' }).click()
    // Rights, guests and codes are for organizers.
    await next.getByText('Next: Set up a device').waitFor()
  })

  test('a step of the checklist leads whoever may do it to its page, and to the form where there is nothing yet; others read it', async () => {
    const event = await TestEvent.open(system)
    await event.point()
    const placesFor = async (role: 'organizer' | 'door_manager' | 'viewer') => {
      const page = await browser.open(`events/${event.id}`, { role })
      const steps = page.locator('.checklist li')
      await steps.first().waitFor()
      expect(await steps.count()).toBe(10)
      const hrefs = await steps.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
      return hrefs.map((href) => href?.replace(`#/events/${event.id}/`, ''))
    }
    expect(await placesFor('organizer')).toEqual([
      ...['settings', 'guest_categories/new', 'accesspoints', 'rights', 'guests', 'mailings/new?text=codes'],
      ...['partners/new', 'badge_templates', 'devices/new', 'live'],
    ])
    expect(await placesFor('door_manager')).toEqual(['accesspoints', 'devices/new', 'live'])
    expect(await placesFor('viewer')).toEqual([])
  })

  test('the step of the rights names who may enter nowhere, once somebody may', async () => {
    const event = await TestEvent.open(system)
    const door = await event.point()
    const [vip] = [await event.category('VIP'), await event.category('Press'), await event.category('Staff')]
    const page = await browser.open(`events/${event.id}`, { role: 'viewer' })
    const step = page.locator('.checklist li', { hasText: 'Say who may enter where' })
    await step.waitFor()
    expect(await step.innerText()).not.toContain('No access yet')
    await event.link(vip, door, 1)
    await page.reload()
    await step.getByText('No access yet: Press and Staff').waitFor()
  })

  test('an owner is told at the first sign-in what the account is called, which the next one asks for', async () => {
    const account = await system.account('fresh')
    const own = await ConsoleBrowser.start({ ...system, ...account })
    const told = `Your account is called ${account.slug}.`
    const page = await own.open()
    await page.getByText(told).waitFor()
    expect([await violationsOf(page), await overflowAt(page, [320])]).toEqual([[], []])
    const organizer = await own.open('', { role: 'organizer' })
    await organizer.getByText('Nothing here yet.').waitFor()
    expect(await organizer.getByText('Filters', { exact: true }).count()).toBe(0)
    expect(await organizer.getByText(told).count()).toBe(0)
    await own.closePages()
  })

  test('a new mailing begins with a text for QR codes if somebody wants it', async () => {
    const event = await TestEvent.open(system)
    const page = await browser.open(`events/${event.id}/mailings/new`)
    await page.getByLabel('Sender name').fill('Somerset Trust')
    await page.getByRole('button', { name: 'Start with a text for QR codes' }).click()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Codes')
    expect(await page.getByLabel('Subject').inputValue()).toBe('Your QR code for {{event_title}}')
    expect(await page.getByLabel('Message').inputValue()).toContain('Hello {{first_name}},')
    expect(await page.getByLabel('Message').inputValue()).toContain('{{qrcode}}')
    expect(await page.getByRole('button', { name: 'Start with a text for QR codes' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Codes' }).waitFor()
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    // It is still to be sent: nothing leads away from that.
    expect(await page.getByRole('link', { name: 'Add another' }).count()).toBe(0)
    expect(await event.read('mailings.json')).toMatchObject([
      { sender_name: 'Somerset Trust', audience: { mailed: false } },
    ])
  })

  test('the text for QR codes is in the language of the event, as its e-mails are', async () => {
    const event = await TestEvent.open(system, { locale: 'fr' })
    const page = await browser.open(`events/${event.id}/mailings/new?text=codes`)
    await page.getByLabel('Subject').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Codes')
    expect(await page.getByLabel('Message').inputValue()).toMatch(/^Bonjour {{first_name}}/)
  })

  test('the step of the codes opens a mailing that is written, for all who have an address and no code yet; it is sent once someone has said so', async () => {
    const event = await TestEvent.open(system)
    const guest_category_id = await event.category()
    for (const email of ['ada@example.org', 'grace@example.org', 'mary@example.org', null])
      await event.make('guests.json', { last_name: 'Ada', guest_category_id, ...(email && { email }) })
    const [mary] = await event.read('guests.json?search=mary')
    const body = { event_id: event.id, ids: [mary._id], at: new Date() }
    await clientOf(system.bus, guests).note_mailed({ body })
    await event.make('mailings.json', { name: 'News', subject: 'News', message: 'Not sent' })
    const page = await browser.open(`events/${event.id}/mailings/new?text=codes`)
    const send = page.getByRole('button', { name: 'Save and send to 2' })
    await send.waitFor()
    await page.getByText('This goes to guests who have an e-mail address and were not sent their code yet.').waitFor()
    expect(await page.getByLabel('Subject').inputValue()).toBe('Your QR code for {{event_title}}')
    expect([await violationsOf(page), await overflowAt(page, [3840, 320])]).toEqual([[], []])
    await send.click()
    const question = page.getByRole('alert')
    await question.getByText('Not sent yet. People who get this e-mail: 2.').waitFor()
    await page.getByRole('status').filter({ hasText: 'Saved, not sent yet' }).waitFor()
    const read = async () => (await event.read('mailings.json')).find(({ name }: { name: string }) => name === 'Codes')
    expect(await read()).toMatchObject({ started_at: null, audience: { mailed: false } })
    await question.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('status').filter({ hasText: 'It is on its way.' }).waitFor()
    expect((await read()).started_at).not.toBeNull()
  })

  test('where there was a mailing without codes, the one with codes goes to all but those to whom codes went before', async () => {
    const event = await TestEvent.open(system)
    const send = async (name: string, message: string): Promise<string> => {
      const { _id } = await event.make('mailings.json', { name, subject: name, message })
      await event.api('POST', `mailings/${_id}/send.json`)
      return _id
    }
    await send('News', 'Come early')
    const save = async (name: string) => {
      const page = await browser.open(`events/${event.id}/mailings/new?text=codes`)
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('heading', { name }).waitFor()
      return (await event.read('mailings.json')).find((mailing: { name: string }) => mailing.name === name).audience
    }
    expect(await save('First')).toMatchObject({ mailed: null, not_in_mailing_id: null })
    const codes = await send('Codes', '{{qrcode}}')
    expect(await save('Second')).toMatchObject({ mailed: null, not_in_mailing_id: codes })
  })

  test('a mailing that was told to send says that it is on its way, and which step is next', async () => {
    const event = await TestEvent.open(system, { start_date: '2027-03-20T09:00:00Z' })
    const mailing = { name: 'Codes', subject: 'Your code', message: '{{qrcode}}' }
    const { _id } = await event.make('mailings.json', mailing)
    const later = await event.make('mailings.json', { ...mailing, send_at: '2099-03-01T09:00:00Z' })
    const send = async (id: string, words: string) => {
      await page.goto(browser.at(`events/${event.id}/mailings/${id}`))
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByRole('alert').getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByRole('status').filter({ hasText: words }).waitFor()
    }
    const page = await browser.open()
    await send(later._id, 'It will be sent at the planned time.')
    await send(_id, 'It is on its way.')
    await page.getByRole('navigation', { name: 'Get ready' }).getByText('Next: ').waitFor()
  })

  test('the step of a device is done once a scan was answered, too', async () => {
    const event = await TestEvent.open(system)
    const [door, category] = [await event.point(), await event.category('Press')]
    await event.guest(category, 'ada')
    const { code } = await event.make('devices.json', { name: 'Phone 1' })
    await system.api('POST', `device_codes/${code}/exchange.json`)
    const page = await browser.open(`events/${event.id}`)
    const step = page.locator('.checklist li', { hasText: 'Set up a device and test it' })
    await step.waitFor()
    const isDone = async () => (await step.getAttribute('class')) === 'done'
    expect(await isDone()).toBe(false)
    await event.scan(door, 'ada')
    await expect.poll(isDone).toBe(true)
  })

  test('before a mailing is sent, it is said how many people get it, and how many have no e-mail address', async () => {
    const event = await TestEvent.open(system)
    const guest_category_id = await event.category()
    for (const email of ['ada@example.org', 'grace@example.org', null])
      await event.make('guests.json', { last_name: 'Ada', guest_category_id, ...(email && { email }) })
    const { _id } = await event.make('mailings.json', { name: 'Codes', subject: 'Your code', message: 'Hello' })
    const page = await browser.open(`events/${event.id}/mailings/${_id}`)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const question = page.getByRole('alert')
    await question.getByText('People who get this e-mail: 2.').waitFor()
    await page.getByRole('link', { name: 'Guests without an e-mail address, who do not get it: 1.' }).waitFor()
    expect(await question.innerText()).toContain('Guests without an e-mail address, who do not get it: 1.')
    expect([await violationsOf(page), await overflowAt(page, [3840, 320])]).toEqual([[], []])
  })

  test('a mailing for guests who are added later ends with the event, unless another time is typed', async () => {
    const event = await TestEvent.open(system, {
      start_date: '2027-03-20T09:00:00Z',
      end_date: '2027-03-20T17:00:00Z',
      timezone: 'Asia/Tokyo',
    })
    const page = await browser.open(`events/${event.id}/mailings/new`, { timezoneId: 'UTC' })
    const ongoing = page.getByLabel('Also send to guests who are added later')
    const until = page.getByLabel('Until')
    await ongoing.waitFor()
    expect(await until.count()).toBe(0)
    await ongoing.check()
    await expect.poll(() => until.inputValue()).toBe('2027-03-21T02:00')
    expect(await until.evaluate((field) => field.matches(':required'))).toBe(true)
    await until.fill('2027-03-20T12:00')
    await ongoing.uncheck()
    expect(await until.count()).toBe(0)
    await ongoing.check()
    expect(await until.inputValue()).toBe('2027-03-20T12:00')
    await page.getByLabel('Name', { exact: true }).fill('Codes')
    await page.getByLabel('Subject').fill('Your code')
    await page.getByLabel('Message').fill('Hello')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Codes' }).waitFor()
    expect(await event.read('mailings.json')).toMatchObject([{ ongoing: true, closes_at: '2027-03-20T03:00:00.000Z' }])
  })
})
