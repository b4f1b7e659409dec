// @module-tag slow
import { readFile } from 'node:fs/promises'
import { openCampaign, TestInvitee } from '@gatehouse/partners/test-invitee'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'

const system = await sharedSystem()

/** An organizer at the overview of an event, whose presses are counted. */
class Organizer {
  readonly page: Page
  clicks = 0

  constructor(page: Page) {
    this.page = page
  }

  link = (name: string | RegExp): Promise<void> => this.press(this.page.getByRole('link', { name, exact: true }))
  button = (name: string | RegExp): Promise<void> => this.press(this.page.getByRole('button', { name, exact: true }))

  /** The button of the question that an act asks. */
  confirm = (name: string | RegExp): Promise<void> =>
    this.press(this.page.getByRole('alert').getByRole('button', { name, exact: true }))

  async press(what: Locator): Promise<void> {
    this.clicks++
    await what.first().click()
  }

  /** Chooses a file: a click that opens the system's own window. */
  async choose(field: string, name: string, file: string): Promise<void> {
    this.clicks++
    const chosen = { name, mimeType: 'text/csv', buffer: Buffer.from(file) }
    await this.page.getByLabel(field, { exact: true }).setInputFiles(chosen)
  }

  type = (field: string, text: string): Promise<void> => this.page.getByLabel(field, { exact: true }).first().fill(text)
  sees = (text: string | RegExp): Promise<void> => this.page.getByText(text).first().waitFor()
}

const LIST = 'First name,Last name,E-mail,Category\nIda,Invent,ida@example.test,VIP\n'
const TICKETS = [
  'Order code,Position ID,Status,Product,Attendee name,Attendee email,Ticket secret',
  'A,1,paid,VIP,Otto Erdacht,otto@example.test,secret',
].join('\n')

/** The jobs by the words that begin them in docs/design/organizers.md, from the overview of an event to the result. */
const JOBS: Record<string, (organizer: Organizer) => Promise<void>> = {
  'See where': (o) => o.sees('Say who may enter where'),
  'Bring a list': async (o) => {
    await o.link('Guests')
    await o.link('Import')
    await o.choose('File', 'guests.csv', LIST)
    await o.button('Import rows: 1')
    await o.sees('Guests imported: 1')
  },
  'Find a guest': async (o) => {
    await o.link('Guests')
    await o.page.getByRole('searchbox').fill('lovelace')
    await o.link('Lovelace')
    await o.type('Company', 'Engines')
    await o.button('Save')
    await o.sees('Saved')
  },
  'Say who': async (o) => {
    await o.link('Door')
    await o.link('Categories and rights')
    await o.page.getByRole('table').waitFor()
  },
  'Set up a phone': async (o) => {
    await o.link('Door')
    await o.link('Devices')
    await o.link('Add device')
    await o.type('Name', 'Phone')
    await o.button('Save')
    await o.page.locator('.device-code').waitFor()
  },
  'Let a guest in': async (o) => {
    await o.link('Guests')
    await o.link('Lovelace')
    await o.button('Check in')
    await o.sees('Let in')
  },
  'Write to guests': async (o) => {
    // With the number of approvals that wait, as soon as it is known.
    await o.link(/^Invitations/)
    await o.link('Add mailing')
    await o.type('Name', 'Codes')
    await o.type('Subject', 'Your code')
    await o.type('Message', 'Here: {{qrcode}}')
    await o.button('Save')
    await o.button('Send')
    await o.confirm('Send')
    await o.sees(/^Done/)
  },
  'Let a partner': async (o) => {
    await o.link('Partners')
    await o.link('Add partner')
    await o.type('Name', 'Royal Society')
    await o.button('Save')
    await o.type('Invitations, at most', '20')
    await o.button('Let the partner invite')
    await o.button('Get a link')
    await o.page.locator('code.secret').waitFor()
  },
  'Print badges': async (o) => {
    const loading = o.page.waitForEvent('download')
    await o.link('Badges')
    await o.button('Save badges as PDF (1)')
    await loading
  },
  'Let an exhibitor': async (o) => {
    await o.link('Exhibitors')
    await o.link('Add exhibitor')
    await o.type('Name', 'Acme')
    await o.button('Save')
    await o.sees(/\/leads\/#/)
  },
  'Approve registrations': async (o) => {
    await o.link(/^Registrations to approve/)
    await o.page.locator('.approval').first().waitFor()
    await o.page.locator('.approval').first().focus()
    await o.page.keyboard.press('a')
    await o.sees(/is a guest now/)
  },
  'Answer a person': async (o) => {
    await o.link('Personal data')
    await o.type('E-mail address, name or code', 'lovelace')
    await o.button('Search')
    await o.button('Erase…')
    await o.type('To confirm, type Ada Lovelace', 'Ada Lovelace')
    await o.button('Erase for good')
    await o.sees('One person')
  },
  'Bring tickets': async (o) => {
    await o.link('Move from another system')
    await o.link('Tickets of another system')
    await o.choose('Files', 'orders.csv', TICKETS)
    await o.button('Import rows: 1')
    await o.page.getByRole('region', { name: 'The import is finished' }).waitFor()
  },
}

// Half a minute for all.
describe('no job of an organizer takes more clicks than docs/design/organizers.md promises', async () => {
  const design = await readFile(new URL('../../../docs/design/organizers.md', import.meta.url), 'utf8')
  const promised = [...design.matchAll(/^\| \d+ (.+?) \|.*\| (\d+)/gm)].map(([, job = '', clicks]) => ({ job, clicks }))
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  /** An event with a guest who may come in at a door, and a registration that waits; without guests where tickets are brought. */
  async function eventFor(job: string): Promise<TestEvent> {
    const campaign = await openCampaign(system, { category: { moderated_registrations_enabled: true } })
    const event = campaign.testEvent
    await (await TestInvitee.invite(campaign)).answer('accepted', { first_name: 'Joan' })
    const vip = (await event.make('guest_categories.json', { name: 'VIP', badge_enabled: true }))._id
    await event.link(vip, await event.point('Main entrance'), 1)
    if (!job.startsWith('Bring tickets')) await event.guest(vip, 'ada', { first_name: 'Ada', last_name: 'Lovelace' })
    return event
  }

  test.each(promised)('$job: $clicks', async ({ job, clicks }) => {
    const { id } = await eventFor(job)
    const organizer = new Organizer(await browser.open(`events/${id}`))
    const [, act] = Object.entries(JOBS).find(([words]) => job.startsWith(words)) ?? expect.fail('unknown')
    await act(organizer)
    expect(organizer.clicks).toBeLessThanOrEqual(Number(clicks))
  })

  test('each job is promised', () => expect(promised.length).toBe(Object.keys(JOBS).length))
})
