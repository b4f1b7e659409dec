import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePassCertificates } from '@gatehouse/test/harness/pass-certificates.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe('links to wallet passes', slow, () => {
  let folder: string
  let system: System

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'passes-'))
    const { settings } = await makePassCertificates(folder)
    system = await startSystem({ with: ['badges', 'partners', 'promo'], badges: settings })
  })
  afterAll(async () => {
    await system?.stop()
    await rm(folder, { recursive: true })
  })

  /** Registers somebody on a registration page, and gives the page that follows. */
  async function registered(event: TestEvent, language: string): Promise<string> {
    const category = { name: 'Public', registration_enabled: true, registration_confirms_email: false }
    const { _id } = await event.make('guest_categories.json', category)
    const answer = await fetch(`${event.system.url}/register/${event.id}/${_id}`, {
      method: 'POST',
      headers: { 'accept-language': language },
      body: new URLSearchParams({ email: `${language}@example.org`, first_name: 'Ada', last_name: 'Lovelace' }),
    })
    const text = await answer.text()
    expect(answer.status, text).toBe(200)
    return text
  }

  /** Previews a mailing with the placeholder for a guest. */
  async function mailed(event: TestEvent): Promise<{ text: string; html: string }> {
    const guest_id = await event.guest(await event.category(), 'ada')
    const { _id } = await event.make('mailings.json', { name: 'M', subject: 'S', message: 'Hello\n\n{{wallet}}' })
    const answer = await event.api('POST', `mailings/${_id}/preview.json`, { guest_id })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }

  test('a guest who has registered may add the pass to either wallet, in the language of the page', async () => {
    const page = await registered(await TestEvent.open(system), 'de')
    const [, apple = ''] = /<a class="wallet" href="(\S+\.pkpass)">Zu Apple Wallet hinzufügen<\/a>/.exec(page) ?? []
    const [, google = ''] = /<a class="wallet" href="(\S+)">Zu Google Wallet hinzufügen<\/a>/.exec(page) ?? []
    expect((await fetch(system.url + apple)).status).toBe(200)
    expect((await fetch(system.url + google, { redirect: 'manual' })).status).toBe(302)
  })

  test('{{wallet}} of a mailing stands for buttons, and for their addresses in the text part', async () => {
    const { text, html } = await mailed(await TestEvent.open(system))
    expect(text).toMatch(
      /Add to Apple Wallet\n\S+\/wallet\/[\w-]{43}\.pkpass\n\nAdd to Google Wallet\n\S+\/google\/\S+\n/,
    )
    expect(html).toMatch(/<a href="[^"]+\.pkpass" class="button"[^>]*><span[^>]*>Add to Apple Wallet<\/span><\/a>/)
    expect(html).toContain('Add to Google Wallet')
  })

  test('without certificates neither page nor e-mail mentions a wallet', async () => {
    const event = await TestEvent.open(await sharedSystem())
    expect(await registered(event, 'en')).not.toContain('Wallet')
    const { text, html } = await mailed(event)
    expect(text + html).not.toMatch(/wallet/i)
  })
})
