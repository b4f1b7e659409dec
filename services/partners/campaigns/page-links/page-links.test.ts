// @module-tag slow
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { BrowserSession } from '@gatehouse/test/harness/browser-session.ts'
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { rounds } from '@gatehouse/test/rounds.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { personalData } from '../../resources.ts'

describe('the links to a partner’s page (docs/interface.md 12.11, 12.12)', () => {
  let server: MailServer
  let system: System
  let replica: Running
  let event: TestEvent
  let partner: Answer['body']
  let path: string
  let email: string

  beforeAll(async () => {
    server = await startMailServer()
    const mail = { smtp_url: server.url, mail_from: 'Gatehouse <noreply@gatehouse.example>' }
    system = await startSystem({ with: ['partners', 'promo', 'mail'], mail })
    replica = await startReplica('partners', system)
  })
  afterAll(async () => {
    await replica?.stop()
    await system?.stop()
    await server?.stop()
  })
  afterEach(() => server.plan(() => 'take'))
  beforeEach(async () => {
    email = `${crypto.randomUUID()}@example.org`
    event = await TestEvent.open(system, { title: 'Soirée <b>', locale: 'fr', organizer: 'Fair & Co' })
    partner = await event.make('partners.json', { name: 'Acme', email })
    path = await campaignOf(partner._id)
  })

  async function campaignOf(partner_id: string): Promise<string> {
    const type = await event.make('invitation_types.json', { name: 'Evening' })
    const campaigns = `invitation_types/${type._id}/partner_campaigns`
    const campaign = await event.make(`${campaigns}.json`, { partner_id, quota: 5 })
    return `${campaigns}/${campaign._id}/page_link`
  }
  const show = (): Promise<Answer['body']> => event.read(`${path}.json`)
  const make = (): Promise<Answer['body']> => event.make(`${path}.json`, undefined)
  const post = (action: string, body?: object, init: object = {}): Promise<Answer> =>
    event.api('POST', `${path}/${action}.json`, body, init)
  const taken = (to = email): string[] => server.mails.filter((mail) => mail.to.includes(to)).map(({ text }) => text)
  const linkIn = (text = ''): string => /(http\S+\/partner\/gh_partner_[\w-]{43})/.exec(text)?.[1] ?? ''
  const opens = async (link: string): Promise<boolean> => {
    const { text } = await new BrowserSession(system.url, { 'accept-language': 'en' }).open(link)
    return text.includes('Invitations in total')
  }
  const none = { link_count: 0, created_at: null, created_by: null, expires_at: null, sent_at: null, sent_to: null }

  test('creation gives a link that opens the page, once, with a QR code; what is shown later is when and by whom it was made, and when it was opened', async () => {
    expect(await show()).toMatchObject({ ...none, opened_at: null, partner_id: partner._id })
    const answer = await event.api('POST', `${path}.json`)
    expect(answer.status, answer.text).toBe(201)
    const { page_url, qr_code, ...rest } = answer.body
    expect(qr_code).toMatch(/^<svg/)
    expect(rest).toMatchObject({ link_count: 1, created_by: expect.any(String), sent_at: null, opened_at: null })
    expect(await show()).toEqual(rest)
    expect(await opens(page_url)).toBe(true)
    expect((await show()).opened_at).toMatch(/Z$/)
    expect(JSON.stringify(await show())).not.toContain('gh_partner')
    const stored = await storedText(inject('mongodbUrl'), system.namespace)
    expect(stored).not.toContain(page_url.split('/').at(-1))
  })

  test('each creation adds a link, and those of before work on; tokens of partners with developers count too', async () => {
    const links = [(await make()).page_url, (await make()).page_url]
    const [, campaign] = /partner_campaigns\/(\w+)/.exec(path) ?? []
    await event.make(`partners/${partner._id}/partner_campaigns/${campaign}/partner_access_tokens.json`, {})
    expect((await show()).link_count).toBe(3)
    for (const link of links) expect(await opens(link)).toBe(true)
  })

  test('renewing ends every link and token of the campaign at once, also for a browser that is signed in, and gives a new one; other campaigns keep theirs', async () => {
    const other = await event.make('partners.json', { name: 'Other' })
    const [mine, theirs] = [path, await campaignOf(other._id)]
    const { page_url: kept } = await event.make(`${theirs}.json`, undefined)
    path = mine
    const { page_url: old } = await make()
    const session = new BrowserSession(system.url, { 'accept-language': 'en' })
    const { url } = await session.open(old)
    const token = old.split('/').at(-1)
    const { status, body } = await post('renew')
    expect([status, body.link_count]).toEqual([200, 1])
    expect([await opens(old), await opens(body.page_url), await opens(kept)]).toEqual([false, true, true])
    expect((await session.open(url)).text).toContain('This link is not valid')
    expect((await system.api('GET', `partners/${token}/campaign.json`, undefined, { token: '' })).status).toBe(401)
  })

  test('the e-mail goes to the partner, in the look of the event and the partner’s language, in HTML and plain text, with a link of its own beside the others', async () => {
    await event.change(`partners/${partner._id}.json`, { locale: 'de' })
    const { page_url } = await make()
    const { status, body } = await post('send')
    expect([status, body]).toMatchObject([200, { link_count: 2, sent_to: email, sent_at: expect.stringMatching(/Z$/) }])
    const [text = '', ...others] = taken()
    expect(others).toEqual([])
    for (const part of [
      'From: "Fair & Co" <noreply@gatehouse.example>',
      'Subject: Ihre Seite zum Einladen: Soirée <b>',
      'Guten Tag, Acme,',
      'Content-Type: text/plain',
      'Soirée &lt;b&gt;',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    ])
      expect(text).toContain(part)
    expect(linkIn(text)).not.toBe(page_url)
    expect([await opens(linkIn(text)), await opens(page_url)]).toEqual([true, true])
  })

  test('without a language of its own the partner is written to in that of the event', async () => {
    await post('send')
    expect(taken()).toEqual([expect.stringContaining('Ouvrir votre page')])
  })

  test('another address may be given; without any, or for one that is invalid or blocked, it is 422 on email, and no link is made', async () => {
    const other = `${crypto.randomUUID()}@example.org`
    expect((await post('send', { email: other })).body.sent_to).toBe(other)
    expect([taken().length, taken(other).length]).toEqual([0, 1])
    await event.change(`partners/${partner._id}.json`, { email: null })
    await event.make('blocked_recipients.json', { address: email })
    for (const [body, message] of [
      [undefined, "can't be blank"],
      [{ email: 'nobody' }, 'is not valid'],
      [{ email }, 'is blocked'],
    ] as const) {
      const { status, body: answer } = await post('send', body)
      expect([status, answer]).toEqual([422, { errors: { email: [message] } }])
    }
    expect((await show()).link_count).toBe(1)
  })

  test.each([
    ['refuse-recipient', 422],
    ['postpone-recipient', 503],
  ] as const)(
    'if the mail server says %s, the answer is %i, and the link that was made for it is gone',
    async (treatment, status) => {
      server.plan((to) => (to === email ? treatment : 'take'))
      expect((await post('send')).status).toBe(status)
      expect(await show()).toMatchObject(none)
    },
  )

  test('a request that is sent again with its Idempotency-Key, to several processes at once too, sends one e-mail', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const answers = await Promise.all(Array.from({ length: 6 }, () => post('send', {}, { headers })))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect((await post('send', {}, { headers })).status).toBe(200)
    expect(taken()).toHaveLength(1)
    expect((await show()).link_count).toBe(1)
  })

  test('of renewals in two processes at once, beside e-mails that leave, one link is left, and what was sent after it', async () => {
    for (let round = 0; round < rounds(3, 30); round++) {
      const { page_url: old } = await make()
      const before = taken().length
      const renewals = Array.from({ length: 6 }, () => post('renew'))
      const sends = Array.from({ length: 3 }, () => post('send'))
      const [renewed, sent] = [await Promise.all(renewals), await Promise.all(sends)]
      for (const { status } of [...renewed, ...sent]) expect([200, 409]).toContain(status)
      const mails = taken().slice(before)
      expect(mails).toHaveLength(sent.filter(({ status }) => status === 200).length)
      const working = async (links: string[]): Promise<number> =>
        (await Promise.all(links.map(opens))).filter(Boolean).length
      expect(await working([old])).toBe(0)
      const made = renewed.flatMap(({ status, body }) => (status === 200 ? [body.page_url as string] : []))
      expect(await working(made)).toBe(1)
      expect((await show()).link_count).toBe(1 + (await working(mails.map(linkIn))))
    }
  })

  test('a campaign of another event, invitation type or account is 404, and nothing is sent', async () => {
    const other = await system.account('other')
    const elsewhere = await TestEvent.open(system)
    const wrong = path.replace(/invitation_types\/\w+/, 'invitation_types/unknown')
    for (const [method, action] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/renew'],
      ['POST', '/send'],
    ] as const) {
      const name = `${action}.json`
      expect(await elsewhere.status(method, path + name)).toBe(404)
      expect(await event.status(method, wrong + name)).toBe(404)
      expect(await event.status(method, path + name, undefined, { token: other.auth_token })).toBe(404)
    }
    expect(taken()).toEqual([])
    expect(await show()).toMatchObject(none)
  })

  test('erasing the person takes the address out of the partner and of what was sent, and the link works on', async () => {
    await post('send')
    const link = linkIn(taken()[0])
    const { find, erase } = clientOf(system.bus, personalData)
    const person = { guest_ids: [], guest_uids: [], emails: [email] }
    const body = { account_id: system.account_id, event_id: event.id, with_account: false, person }
    expect((await find({ body })).map(({ data, outcome }) => [data, outcome])).toEqual(
      expect.arrayContaining([
        ['partners.partners', 'blanked'],
        ['partners.partner_access_tokens', 'blanked'],
        ['partners.former_recipients', 'deleted'],
      ]),
    )
    while (!(await erase({ body: { ...body, key: 'key' } })).is_done);
    expect(await storedText(inject('mongodbUrl'), system.namespace)).not.toContain(email)
    expect(await event.read(`partners/${partner._id}.json`)).toMatchObject({ name: 'Acme', email: null })
    expect(await opens(link)).toBe(true)
  })
})
