// @module-tag slow
import { reservePort } from '@gatehouse/local/ports'
import { startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'

const system = await sharedSystem()

describe('the page of a webhook', () => {
  let browser: ConsoleBrowser
  beforeAll(async () => {
    browser = await ConsoleBrowser.start(system)
  })
  afterEach(() => browser?.closePages())
  afterAll(() => browser?.close())

  test('sends a test, lists what the receiver answered, and sends it again', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const { _id } = (await system.api('POST', 'webhooks.json', { url: receiver.url })).body
    const page = await browser.open(`webhooks/${_id}`)
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText(/^The test is on its way/).waitFor()
    const isTest = ({ headers }: { headers: object }) =>
      (headers as Record<string, string>)['gatehouse-event-type'] === 'test'
    await receiver.until((received) => received.filter(isTest).length === 1)
    const listed = async () => (await system.api('GET', `webhooks/${_id}/deliveries.json`)).body[0]?.state
    await expect.poll(listed).toBe('delivered')
    await page.getByRole('link', { name: 'Deliveries' }).click()
    const row = page.getByRole('row', { name: /Test/ })
    await row.getByText('204').waitFor()
    await row.getByText('Delivered').waitFor()
    await row.getByRole('button', { name: 'Send again' }).click()
    await receiver.until((received) => received.filter(isTest).length === 2)
  })

  test('a webhook says that its latest message did not arrive, and in words why, with the code for whoever runs the receiver', async () => {
    const url = `http://127.0.0.1:${await reservePort()}/`
    const { _id } = (await system.api('POST', 'webhooks.json', { url })).body
    await system.api('POST', `webhooks/${_id}/test.json`)
    await expect
      .poll(async () => (await system.api('GET', `webhooks/${_id}/deliveries.json`)).body[0]?.error)
      .toBe('ECONNREFUSED')
    const page = await browser.open(`webhooks/${_id}`)
    const failing = page.getByText('The latest message did not arrive.')
    await failing.getByRole('link', { name: 'Deliveries' }).click()
    await page.getByRole('cell', { name: 'Nobody answered at this address ECONNREFUSED' }).waitFor()
  })

  test('says in words what it can be told about, with the API’s name beside, and that it is told everything if nothing is chosen', async () => {
    const { _id } = (await system.api('POST', 'webhooks.json', { url: 'https://words.example.com/' })).body
    const page = await browser.open('webhooks')
    const row = page.getByRole('row', { name: /words\.example\.com/ })
    await row.getByText('Everything').waitFor()
    await page.goto(browser.at(`webhooks/${_id}`))
    await page.getByLabel('Guest added guest.created').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    expect((await system.api('GET', `webhooks/${_id}.json`)).body.event_types).toEqual(['guest.created'])
    await page.goto(browser.at('webhooks'))
    await row.getByText('Guest added').waitFor()
  })

  test('shows the signing secret when asked, and renews it; only owners see that there is one', async () => {
    const { _id } = (await system.api('POST', 'webhooks.json', { url: 'https://hooks.example.com/' })).body
    const secret = async () => (await system.api('GET', 'webhook_secret.json')).body.secret
    const first = await secret()
    const page = await browser.open(`webhooks/${_id}`)
    await page.getByRole('button', { name: 'Show secret' }).click()
    const shown = page.locator('.webhook-secret .secret')
    await expect.poll(() => shown.innerText()).toBe(first)
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('alert').getByRole('button', { name: 'New secret' }).click()
    await page.getByText(/^The old secret signs too until/).waitFor()
    expect(await shown.innerText()).toBe(await secret())
    expect(await secret()).not.toBe(first)
    const organizer = await browser.open(`webhooks/${_id}`, { role: 'organizer' })
    await organizer.getByRole('button', { name: 'Send a test' }).waitFor()
    expect(await organizer.getByText('Signing secret').count()).toBe(0)
  })
})
