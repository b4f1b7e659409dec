// @module-tag slow
import { text as textOf } from 'node:stream/consumers'
import { guests } from '@gatehouse/guests/resources'
import { openCampaign, TestInvitee } from '@gatehouse/partners/test-invitee'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'
import { overflowAt, violationsOf } from './looks.ts'

const system = await sharedSystem()

// Six seconds for all.
describe('the desk of an organizer', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  /** An event with a guest who may come in once at a door. */
  async function eventWithAda() {
    const event = await TestEvent.open(system, { title: 'Opening Night' })
    const [vip, door] = [await event.category('VIP'), await event.point('Main entrance')]
    await event.link(vip, door, 1)
    const ada = await event.guest(vip, 'ada', { first_name: 'Ada', last_name: 'Lovelace' })
    return { event, door, ada }
  }

  test('a new event begins in the time zone of whoever makes it, and at the time that was typed there', async () => {
    const page = await browser.open('events/new', { timezoneId: 'America/New_York' })
    await page.getByLabel('Title').fill('Zoned Night')
    expect(await page.getByLabel('Time zone').inputValue()).toBe('America/New_York')
    await page.getByLabel('Time zone').selectOption('Europe/Berlin')
    await page.getByLabel('Start', { exact: true }).fill('2026-12-03T19:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Zoned Night' }).waitFor()
    await page.getByText(/3\sDec\s2026, 19:00\s(CET|GMT\+1)/).waitFor()
    const made = async () =>
      (await system.api('GET', 'events.json')).body.find(({ title }: { title: string }) => title === 'Zoned Night')
    expect((await made()).start_date).toBe('2026-12-03T18:00:00.000Z')
    await page.goto(browser.at(`events/${(await made())._id}/settings`))
    expect(await page.getByLabel('Start', { exact: true }).inputValue()).toBe('2026-12-03T19:00')
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await made()).start_date).toBe('2026-12-03T10:00:00.000Z')
  })

  test('the overview ticks what is done, and leads to what is left', async () => {
    const { event, door } = await eventWithAda()
    const page = await browser.open(`events/${event.id}`)
    const step = (name: string) => page.getByRole('listitem').filter({ hasText: name }).getByRole('img')
    const isDone = async (name: string) => (await step(name).getAttribute('aria-label')) === 'Done'
    await page.getByText('Say who may enter where').waitFor()
    expect([await isDone('Say who may enter where'), await isDone('Set date'), await isDone('first guest')]).toEqual([
      true,
      false,
      false,
    ])
    expect(await isDone('Send guests their codes')).toBe(false)
    const { _id } = await event.make('mailings.json', { name: 'Codes', subject: 'Code', message: 'Here: {{qrcode}}' })
    await event.api('POST', `mailings/${_id}/send.json`)
    await event.scan(door, 'ada')
    await page.reload()
    await expect.poll(() => isDone('first guest')).toBe(true)
    expect(await isDone('Send guests their codes')).toBe(true)
    await page.getByRole('link', { name: 'Set up a device' }).click()
    await page.getByRole('heading', { name: 'Add device' }).waitFor()
  })

  test('a code that a single guest was sent ticks the step of the codes; an e-mail of a mailing without codes does not', async () => {
    const mailed = async ({ event, ada }: Awaited<ReturnType<typeof eventWithAda>>): Promise<boolean> => {
      // What the partners service says once the mail server has taken an e-mail.
      const body = { event_id: event.id, ids: [ada], at: new Date() }
      await clientOf(system.bus, guests).note_mailed({ body })
      const page = await browser.open(`events/${event.id}`)
      const step = page.getByRole('listitem').filter({ hasText: 'Send guests their codes' }).getByRole('img')
      return (await step.getAttribute('aria-label')) === 'Done'
    }
    expect(await mailed(await eventWithAda())).toBe(true)
    const invited = await eventWithAda()
    const news = await invited.event.make('mailings.json', { name: 'News', subject: 'News', message: 'Come early.' })
    await invited.event.api('POST', `mailings/${news._id}/send.json`)
    expect(await mailed(invited)).toBe(false)
  })

  test('a mailing counts nobody in the list before it is told to send, and says on its page that its audience is saved at once', async () => {
    const { event } = await eventWithAda()
    const { _id } = await event.make('mailings.json', { name: 'Codes', subject: 'Code', message: 'Here: {{qrcode}}' })
    const page = await browser.open(`events/${event.id}/mailings/${_id}`)
    await page.getByText('Each choice here is saved at once.').waitFor()
    await page.goto(browser.at(`events/${event.id}/mailings`))
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Codes', exact: true }) })
    const counts = async () => (await row.getByRole('cell').allInnerTexts()).slice(2, 4)
    await expect.poll(counts).toEqual(['–', '–'])
    await event.api('POST', `mailings/${_id}/send.json`)
    await page.reload()
    await expect.poll(counts).toEqual(['0', '0'])
  })

  test('a mailing that is paused needs attention, and offers no deletion', async () => {
    const event = await TestEvent.open(system)
    const guest_category_id = await event.category()
    await event.make('guests.json', { guest_category_id, last_name: 'Ada', email: 'ada@example.org' })
    const send_at = new Date(Date.now() + 3_600_000).toISOString()
    const { _id } = await event.make('mailings.json', { name: 'Codes', subject: 'Codes', message: 'Hello', send_at })
    await event.api('POST', `mailings/${_id}/send.json`)
    await event.api('POST', `mailings/${_id}/pause.json`)
    const page = await browser.open(`events/${event.id}`)
    await page.getByRole('link', { name: 'Codes: sending is paused' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  })

  test('once codes were sent, guests who have no e-mail address need attention until they come in', async () => {
    const { event, door } = await eventWithAda()
    const page = await browser.open(`events/${event.id}`)
    await page.getByText('Nothing right now.').waitFor()
    const { _id } = await event.make('mailings.json', { name: 'Codes', subject: 'Code', message: 'Here: {{qrcode}}' })
    await event.api('POST', `mailings/${_id}/send.json`)
    await page.reload()
    await page.getByRole('link', { name: 'Guests without an e-mail address, who got no code: 1' }).click()
    await page.getByRole('heading', { name: 'Guests' }).waitFor()
    await page.getByRole('link', { name: 'Lovelace' }).waitFor()
    await event.scan(door, 'ada')
    await expect.poll(() => event.read('guests.json?has_email=false&checked_in=false')).toEqual([])
    await page.goto(browser.at(`events/${event.id}`))
    await page.getByText('Nothing right now.').waitFor()
  })

  test('a mailing that was told to send says that it is being prepared until its recipients are known', async () => {
    const { event } = await eventWithAda()
    const { _id } = await event.make('mailings.json', { name: 'Codes', subject: 'Code', message: 'Here: {{qrcode}}' })
    const page = await browser.open(`events/${event.id}`)
    await page.route(`**/mailings/${_id}.json*`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), started_at: new Date(), is_sent: false } })
    })
    await page.goto(browser.at(`events/${event.id}/mailings/${_id}`))
    await page.getByText('Preparing: looking for recipients').waitFor()
    expect(await page.getByText('E-mails sent', { exact: true }).count()).toBe(0)
  })

  test('a draft of a mailing tells no numbers, since nothing was sent of it, and no reason for a pause; nor does one that has no recipients', async () => {
    const { event } = await eventWithAda()
    const { _id } = await event.make('mailings.json', { name: 'Codes', subject: 'Code', message: 'Here: {{qrcode}}' })
    const page = await browser.open(`events/${event.id}/mailings/${_id}`)
    await page.getByRole('button', { name: 'Save' }).waitFor()
    for (const words of ['E-mails sent', 'Reason for pause']) expect(await page.getByText(words).count()).toBe(0)
    await event.api('POST', `mailings/${_id}/send.json`)
    await page.reload()
    // Nobody has an address, so nothing is left to be sent, and nothing to be paused.
    await page.getByText('Done: sent to 0 of 0.').waitFor()
    for (const words of ['E-mails sent', 'Reason for pause']) expect(await page.getByText(words).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Pause sending' }).count()).toBe(0)
  })

  test('a mailing that is finished is shown and no longer changed; one that later guests get, too, still can be', async () => {
    const { event } = await eventWithAda()
    const mailing = { name: 'News', subject: 'Doors at nine', message: 'Bring your badge' }
    const ongoing = { ...mailing, ongoing: true, closes_at: new Date(Date.now() + 3_600_000) }
    const page = await browser.open(`events/${event.id}`)
    for (const [body, isForm] of [
      [mailing, false],
      [ongoing, true],
    ] as const) {
      const { _id } = await event.make('mailings.json', body)
      await event.api('POST', `mailings/${_id}/send.json`)
      if (!isForm) await expect.poll(async () => (await event.read(`mailings/${_id}.json`)).is_sent).toBe(true)
      await page.goto(browser.at(`events/${event.id}/mailings/${_id}`))
      await page.getByRole('heading', { name: 'Audience' }).waitFor()
      await page.frameLocator('iframe').getByText('Bring your badge').waitFor()
      if (isForm) await page.getByRole('group', { name: 'Categories' }).waitFor()
      else await page.locator('.facts').getByText('Goes to').waitFor()
      expect(await page.getByLabel('Message').count()).toBe(isForm ? 1 : 0)
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(isForm ? 1 : 0)
      expect(await page.getByRole('button', { name: 'Send a test' }).count()).toBe(isForm ? 1 : 0)
      expect((await page.getByRole('checkbox').count()) > 0).toBe(isForm)
    }
  })

  test('check-ins are found by their result, with names and reasons, undone, and saved as a file', async () => {
    const { event, door } = await eventWithAda()
    await event.scan(door, 'ada')
    await event.scan(door, 'ada')
    await event.scan(door, 'stranger')
    const page = await browser.open(`events/${event.id}/access_controls`)
    const rows = page.locator('tbody tr')
    await page.getByRole('link', { name: 'Ada Lovelace' }).first().waitFor()
    expect(await rows.count()).toBe(3)
    await page.getByText('Filters', { exact: true }).click()
    await page.getByLabel('Result', { exact: true }).selectOption('Already used')
    await expect.poll(() => rows.count()).toBe(1)
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Export').click()])
    const lines = (await textOf(await download.createReadStream())).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('ada,Main entrance')
    await page.getByText('Filters (1)').click()
    await page.getByLabel('Result', { exact: true }).selectOption('Let in')
    await page.getByRole('row').filter({ hasText: 'Let in' }).getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('No results.').waitFor()
    expect(await event.scan(door, 'ada')).toMatchObject({ access_status: 0 })
  })

  test('who checks a guest in by the form is told what came of it', async () => {
    const { event } = await eventWithAda()
    const page = await browser.open(`events/${event.id}/access_controls`)
    const said = page.getByRole('status')
    for (const outcome of [/^Ada Lovelace · Let in$/, /^Ada Lovelace · Already used · was let in at [\d:]+$/]) {
      await page.getByRole('link', { name: 'Check a guest in' }).click()
      await page.getByLabel('Check-in point').selectOption('Main entrance')
      await page.locator('#field-guest_uid').fill('ada')
      await page.getByRole('button', { name: 'Check in' }).click()
      await said.filter({ hasText: outcome }).waitFor()
    }
  })

  test('who knows the name of a guest alone types it, and chooses the guest who is then checked in', async () => {
    const event = await TestEvent.open(system)
    const [vip, door] = [await event.category('VIP'), await event.point('Main entrance')]
    await event.link(vip, door, 1)
    await event.guest(vip, 'k7', { first_name: 'Ada', last_name: 'Lovelace', company_name: 'Analytical' })
    await event.guest(vip, 'k8', { first_name: 'Grace', last_name: 'Hopper' })
    await event.guest(vip, 'k9', { first_name: 'Grace', last_name: 'Kelly' })
    const page = await browser.open(`events/${event.id}/access_controls/new`, { role: 'door_manager' })
    await page.getByText('Type a name or the code.').waitFor()
    const guest = page.getByLabel('Guest', { exact: true })
    await page.getByLabel('Check-in point').selectOption('Main entrance')
    await guest.pressSequentially('lovel')
    const offered = page.locator('datalist option')
    await offered.waitFor({ state: 'attached' })
    expect(await offered.evaluateAll((all) => all.map((each) => each.getAttribute('label')))).toEqual([
      'Ada Lovelace · Analytical',
    ])
    expect(await guest.getAttribute('list')).toBe(await page.locator('datalist').getAttribute('id'))
    expect(await violationsOf(page)).toEqual([])
    // The browser draws the list itself, where no test can choose.
    await guest.fill(String(await offered.getAttribute('value')))
    await page.getByRole('button', { name: 'Check in' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /^Ada Lovelace · Let in$/ })
      .waitFor()
    expect(await event.read('access_controls.json')).toMatchObject([{ guest_uid: 'k7', access_status: 0 }])
    // Whoever does not choose is understood where the name is that of one guest.
    await page.goto(browser.at(`events/${event.id}/access_controls/new`))
    await page.getByLabel('Check-in point').selectOption('Main entrance')
    await page.getByLabel('Guest', { exact: true }).fill('grace')
    await page.getByRole('button', { name: 'Check in' }).click()
    await page.getByText('Several guests match.').waitFor()
    await page.getByLabel('Guest', { exact: true }).fill('grace kelly')
    await page.getByRole('button', { name: 'Check in' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /^Grace Kelly · Let in$/ })
      .waitFor()
  })

  test('a guest is checked in from its page by the rules of the door, and out of it again; a viewer may not', async () => {
    const { event, ada } = await eventWithAda()
    const page = await browser.open(`events/${event.id}/guests/${ada}`)
    const found = page.locator('.check-ins li')
    await page.getByRole('button', { name: 'Check in' }).click()
    await found.filter({ hasText: 'Let in' }).waitFor()
    await page.getByRole('button', { name: 'Check in' }).click()
    await found.filter({ hasText: /Already used · was let in at [\d:]+/ }).waitFor()
    await found.filter({ hasText: 'Let in' }).getByRole('button', { name: 'Undo' }).click()
    await found.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => found.count()).toBe(1)
    const viewer = await browser.open(`events/${event.id}/guests/${ada}`, { role: 'viewer' })
    await viewer.getByText('Already used').waitFor()
    expect(await viewer.getByRole('button', { name: /Check in|Undo/ }).count()).toBe(0)
  })

  test('a door manager is offered to undo the check-ins made on the page, and not those of others (8.18)', async () => {
    const { event, door, ada } = await eventWithAda()
    const { _id } = await event.scan(door, 'ada')
    const page = await browser.open(`events/${event.id}/guests/${ada}`, { role: 'door_manager' })
    const found = page.locator('.check-ins li')
    await found.filter({ hasText: 'Let in' }).waitFor()
    expect(await found.getByRole('button').count()).toBe(0)
    await event.remove(`access_controls/${_id}.json`)
    await page.getByRole('button', { name: 'Check in' }).click()
    await found.getByRole('button', { name: 'Undo' }).click()
    await found.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => found.count()).toBe(0)
  })

  test('registrations are approved and rejected by keys, a rejection is taken back, and the menu counts those that wait', async () => {
    const campaign = await openCampaign(system, {
      category: { moderated_registrations_enabled: true },
      campaign: { partner: { name: 'Northern Press' } },
    })
    const event = campaign.testEvent
    for (const first_name of ['Ada', 'Grace', 'Joan']) {
      const invitee = await TestInvitee.invite(campaign)
      await invitee.answer('accepted', { first_name })
    }
    const page = await browser.open(`events/${event.id}/registrations`)
    const rows = page.locator('.approval')
    await expect.poll(() => rows.locator('strong').allInnerTexts()).toEqual(['Joan', 'Grace', 'Ada'])
    expect(await rows.first().innerText()).toContain('invited by Northern Press')
    expect(await page.getByRole('navigation').locator('.count').innerText()).toBe('3')
    await rows.first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('a')
    await page.getByText('Grace is a guest now. No e-mail was sent.').waitFor()
    await page.keyboard.press('r')
    await page.getByText('Ada was rejected. No e-mail was sent.').waitFor()
    await expect.poll(() => page.getByRole('navigation').locator('.count').innerText()).toBe('1')
    expect((await event.read('guests.json')).map(({ first_name }: { first_name: string }) => first_name)).toEqual([
      'Grace',
    ])
    await page.keyboard.press('u')
    await expect.poll(() => rows.locator('strong').allInnerTexts()).toEqual(['Joan', 'Ada'])
    await page.goto(browser.at(`events/${event.id}`))
    await page.getByRole('link', { name: 'Registrations to approve: 2' }).click()
    const ada = rows.filter({ has: page.getByText('Ada', { exact: true }) })
    await ada.getByRole('button', { name: 'Approve' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    const viewer = await browser.open(`events/${event.id}/registrations`, { role: 'viewer' })
    await viewer.locator('.approval').waitFor()
    expect(await viewer.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0)
  })

  test('a mailing is written, previewed, aimed at a category, and sent once someone has said so', async () => {
    const { event } = await eventWithAda()
    await event.category('Press')
    const page = await browser.open(`events/${event.id}/mailings/new`)
    await page.getByLabel('Name').first().fill('Codes')
    await page.getByLabel('Subject').fill('See you, {{first_name}}')
    const message = page.getByLabel('Message')
    await message.fill('Dear {{first_name}}, here is your code: !')
    await message.press('ArrowLeft')
    await page.getByLabel('Insert').last().selectOption('QR code')
    expect(await message.inputValue()).toBe('Dear {{first_name}}, here is your code: {{qrcode}}!')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Codes' }).waitFor()
    await page.getByText('Draft, not sent yet.').waitFor()
    await page.frameLocator('iframe').getByText('here is your code').waitFor()
    await page.getByText('As plain text').click()
    await page.locator('.letter').getByText('here is your code').waitFor()
    const read = async () => (await event.read('mailings.json'))[0]
    await page.getByRole('checkbox', { name: 'Press' }).check()
    await expect.poll(async () => (await read()).audience.guest_category_ids.length).toBe(1)
    await page.getByText('People it reaches now: 0').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    expect((await read()).started_at).toBeNull()
    await page.getByRole('alert').getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Done: sent to 0 of 0.').waitFor()
    expect((await read()).started_at).not.toBeNull()
  })

  test('an invitation type is shown as its e-mail looks, wide and on a phone, in a frame without an origin whose links lead nowhere', async () => {
    const { event } = await eventWithAda()
    await system.api('PUT', 'account.json', { color: '#7a1f3d' })
    const message = 'Dear {{first_name}},\n\n[Reply now]({{link}})'
    const { _id } = await event.make('invitation_types.json', { name: 'Gala', subject: 'Come!', message })
    const page = await browser.open(`events/${event.id}/invitation_types/${_id}`)
    const frame = page.locator('iframe')
    const button = page.frameLocator('iframe').getByRole('link', { name: 'Reply now' })
    await button.waitFor()
    expect(await button.evaluate((link) => link.getAttribute('style'))).toContain('background:#7a1f3d')
    expect(await frame.getAttribute('sandbox')).toBe('allow-scripts')
    await button.click()
    await page.getByRole('button', { name: 'Phone', exact: true }).click()
    await expect.poll(async () => (await frame.boundingBox())?.width).toBe(360)
    await page.frameLocator('iframe').getByText('Dear Ada,').waitFor()
  })

  test('an e-mail is shown as it is typed, before it is saved: with its styles, and nothing of it runs; what is wrong with it is said', async () => {
    const { event } = await eventWithAda()
    const page = await browser.open(`events/${event.id}/mailings/new`)
    const mail = page.frameLocator('iframe')
    const message = page.getByLabel('Message')
    await page.getByLabel('Subject').fill('See you, {{first_name}}')
    await message.fill(
      'Dear **{{first_name}}** <script>top.document.title = "run"</script>,\n\n[Your badge]({{badge}})',
    )
    await page.getByText('See you, Ada').waitFor()
    const button = mail.getByRole('link', { name: 'Your badge' })
    await button.waitFor()
    const styles = 'getComputedStyle(document.querySelector("a.button")).borderRadius'
    expect(await page.frames()[1]?.evaluate(styles)).toBe('8px')
    await mail.getByText('<script>top.document.title').waitFor()
    expect(await page.frames()[1]?.evaluate('self.origin')).toBe('null')
    await button.click()
    await message.fill('Dear {{nobody}}')
    await page.getByRole('status').getByText('{{nobody}}').waitFor()
    await button.waitFor()
    await message.fill('Come at {{event_dates|eight}}!')
    await mail.getByText('Come at eight!').waitFor()
    expect(await event.read('mailings.json')).toEqual([])
    const phone = await browser.open(`events/${event.id}/invitation_types/new`, {
      viewport: { width: 320, height: 740 },
    })
    await phone.frameLocator('iframe').getByText('Example partner invites you to Opening Night').waitFor()
    await phone.getByLabel('Language of the e-mail').selectOption('Deutsch')
    await phone.frameLocator('iframe').getByText('Example partner lädt Sie ein: Opening Night').waitFor()
    await phone.frameLocator('iframe').getByRole('link', { name: 'Einladung öffnen' }).waitFor()
    expect([await violationsOf(phone), await overflowAt(phone, [320])]).toEqual([[], []])
    await phone.getByLabel('Message').fill('Come!')
    await phone.frameLocator('iframe').getByText('Come!').waitFor()
    expect(await phone.getByLabel('Language of the e-mail').count()).toBe(0)
  })

  test('the organizer invites without a partner, and reminds those who have not answered', async () => {
    const { event } = await eventWithAda()
    const gala = (await event.make('invitation_types.json', { name: 'Gala' }))._id
    const page = await browser.open(`events/${event.id}/invitation_types/${gala}`)
    await page.getByRole('button', { name: 'Invite people yourself' }).waitFor()
    expect(await page.getByRole('button', { name: /^Remind/ }).count()).toBe(0)
    // Nothing sends e-mails here.
    await event.make(`invitation_types/${gala}/invitations/batch_create.json`, [{ email: 'grace@example.org' }])
    await page.route('**/partner_campaigns.json*', async (route) => {
      const response = await route.fetch()
      const campaigns: object[] = await response.json()
      await route.fulfill({ response, json: campaigns.map((each) => ({ ...each, nb_email_sent: 1 })) })
    })
    await page.reload()
    await page.getByRole('button', { name: 'Invite people yourself' }).click()
    const link = (await page.getByRole('link', { name: 'Open the invitation page' }).getAttribute('href')) ?? ''
    await page.getByRole('button', { name: /^Remind/ }).click()
    await page
      .getByRole('alert')
      .getByRole('button', { name: /^Remind/ })
      .click()
    await page.getByText('The reminder is on its way').waitFor()
    const [{ _id, audience, started_at }] = await event.read('mailings.json')
    expect(audience.invitation_type_id).toBe(gala)
    expect(started_at).not.toBeNull()
    await expect.poll(async () => (await event.read(`mailings/${_id}.json`)).is_sent).toBe(true)
    await page.goto(browser.at(`events/${event.id}/mailings/${_id}`))
    await page.locator('.facts').getByText('Invited, no reply yet: Gala').waitFor()
    await page.goto(browser.at(`events/${event.id}/invitation_types/${gala}/partner_campaigns`))
    await page.getByRole('cell', { name: 'No limit' }).waitFor()
    const [{ partner_id }] = await event.read(`invitation_types/${gala}/partner_campaigns.json`)
    await page.goto(browser.at(`events/${event.id}/partners/${partner_id}`))
    await page.getByText(/^Invitations sent: \d+ \(no limit\)$/).waitFor()
    expect((await page.goto(link))?.status()).toBe(200)
    await page.getByText('Opening Night').first().waitFor()
  })

  test('a page says where it is, and leads to the pages above it', async () => {
    const { event } = await eventWithAda()
    const type = (await event.make('invitation_types.json', { name: 'Gala' }))._id
    const page = await browser.open(`events/${event.id}/invitation_types/${type}/partner_campaigns`)
    const trail = page.getByRole('navigation', { name: 'You are here' })
    await trail.getByRole('link', { name: 'Gala' }).waitFor()
    expect(await trail.getByRole('link').allInnerTexts()).toEqual(['Invitation types', 'Gala'])
    await trail.getByRole('link', { name: 'Invitation types' }).click()
    await page.getByRole('heading', { name: 'Invitation types' }).waitFor()
  })
})
