// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'

const system = await sharedSystem()
const PDF = { name: 'passport.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }

describe('what the page of a guest says of the person', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  test('a guest’s files are uploaded, downloaded, replaced and, once confirmed, deleted; a viewer downloads alone', async () => {
    const event = await TestEvent.open(system)
    await event.make('guest_fields.json', { key: 'passport', label: 'Passport copy', type: 'file' })
    const ada = await event.guest(await event.category(), 'ada', { last_name: 'Lovelace' })
    const page = await browser.open(`events/${event.id}/guests/${ada}`)
    const files = page.locator('.guest-files')
    await files.getByText('No file yet.').waitFor()
    await files.locator('input').setInputFiles(PDF)
    const link = files.getByRole('link', { name: 'passport.pdf' })
    const loading = page.waitForEvent('download')
    await link.click()
    expect((await loading).suggestedFilename()).toBe('passport.pdf')
    await files.locator('input').setInputFiles({ ...PDF, name: 'second.pdf' })
    await files.getByRole('link', { name: 'second.pdf' }).waitFor()
    const viewer = await browser.open(`events/${event.id}/guests/${ada}`, { role: 'viewer' })
    await viewer.locator('.guest-files').getByRole('link', { name: 'second.pdf' }).waitFor()
    expect(await viewer.locator('.guest-files button').count()).toBe(0)
    await files.getByRole('button', { name: 'Delete file' }).click()
    await files.getByRole('alert').getByRole('button', { name: 'Delete file' }).click()
    await files.getByText('No file yet.').waitFor()
    expect(await event.read(`guests/${ada}/files.json`)).toEqual([])
  })

  test('a party is checked in by the number of persons who are there', async () => {
    const event = await TestEvent.open(system)
    const [vip, door] = [await event.category(), await event.point('North')]
    await event.link(vip, door, 1)
    const ada = await event.guest(vip, 'ada', { last_name: 'Lovelace', party_size: 4 })
    const page = await browser.open(`events/${event.id}/guests/${ada}`)
    await page.getByLabel('How many').fill('3')
    await page.getByRole('button', { name: 'Check in' }).click()
    await page.getByText('3 people').waitFor()
    expect(await event.read('access_controls.json')).toMatchObject([{ persons: 3, access_status: 0 }])
  })

  test('what was written to the guest is listed with its state, and what staff did with the guest as sentences', async () => {
    const event = await TestEvent.open(system)
    const category = await event.category()
    const ada = await event.guest(category, 'ada', { last_name: 'Lovelace', email: 'ada@person.example' })
    const gala = (await event.make('invitation_types.json', { name: 'Gala', guest_category_id: category }))._id
    // Nothing is sent: the state stays as it is.
    const partner = { name: 'Northern Press', recipients_quota: 9, disable_emails: true }
    const partner_id = (await event.make('partners.json', partner))._id
    const { _id: campaign } = await event.make(`invitation_types/${gala}/partner_campaigns.json`, {
      partner_id,
      quota: 9,
    })
    const path = `partners/${partner_id}/partner_campaigns/${campaign}/partner_access_tokens.json`
    const { token } = await event.make(path, {})
    const recipients = [{ email: 'ADA@person.example' }]
    const invited = await system.api('POST', `partners/${token}/invitations/batch_create.json`, recipients, {
      token: '',
    })
    expect(invited.status, invited.text).toBe(201)
    await event.make('guest_fields.json', { key: 'passport', label: 'Passport copy', type: 'file' })
    const page = await browser.open(`events/${event.id}/guests/${ada}`)
    await page.locator('.mails').getByText('Invitation: Gala (invited by Northern Press)').waitFor()
    await page.locator('.mails').getByText('Waiting to be sent').waitFor()
    await page.getByText('Nothing yet.').waitFor()
    const viewer = await browser.open(`events/${event.id}/guests/${ada}`, { role: 'viewer' })
    await viewer.locator('.mails').waitFor()
    expect(await viewer.getByRole('heading', { name: 'History' }).count()).toBe(0)
  })
})
