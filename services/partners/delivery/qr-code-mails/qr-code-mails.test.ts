// @module-tag slow
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TestCampaign } from '../../testing/test-campaign.ts'

describe('the e-mail with a guest’s QR code (docs/interface.md 8.43)', () => {
  let server: MailServer
  let system: System
  let event: TestEvent
  let category: string

  beforeAll(async () => {
    server = await startMailServer()
    const mail = { smtp_url: server.url, mail_from: 'Gatehouse <noreply@gatehouse.example>' }
    system = await startSystem({ with: ['partners', 'promo', 'badges', 'mail'], mail })
  })
  afterAll(async () => {
    await system?.stop()
    await server?.stop()
  })
  afterEach(() => server.plan(() => 'take'))
  beforeEach(async () => {
    event = await TestEvent.open(system, { title: 'Soirée <b>', locale: 'fr', organizer: 'Fair & Co' })
    category = await event.category()
  })

  const address = (): string => `${crypto.randomUUID()}@example.org`
  const guest = (email: string | null, fields: object = {}): Promise<string> =>
    event.guest(category, crypto.randomUUID(), { last_name: 'Lovelace', email, ...fields })
  const send = (id: string, init: object = {}): Promise<Answer> =>
    event.api('POST', `guests/${id}/send_qrcode.json`, undefined, init)
  const taken = (email: string): string[] => server.mails.filter(({ to }) => to.includes(email)).map(({ text }) => text)
  const unsubscribeLink = (email: string): string => {
    const [, link = ''] = /List-Unsubscribe: <(\S+)>/.exec(taken(email)[0] ?? '') ?? []
    return link
  }

  test('says what for, when and where in the language of the event, with QR code, the code as a text, calendar file and a link to unsubscribe', async () => {
    const fields = { start_date: '2030-05-04T18:00:00Z', location: 'Halle 3', reply_to_email: 'guests@example.com' }
    expect((await system.api('PUT', `events/${event.id}.json`, fields)).status).toBe(204)
    const email = address()
    const id = await guest(email)
    const { uid } = await event.read(`guests/${id}.json`)
    const { status, body } = await send(id)
    expect([status, body]).toEqual([200, { email, subject: 'Votre code QR : Soirée <b>'.replace(' :', '\u00a0:') }])
    const [text = ''] = taken(email)
    for (const part of [
      'From: "Fair & Co" <noreply@gatehouse.example>',
      'Reply-To: guests@example.com',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      '4\u00a0mai\u00a02030',
      'Soirée &lt;b&gt;',
      '<img src="cid:qrcode"',
      'Content-ID: <qrcode>',
      'PNG',
      `UID:${id}`,
      `Code\u00a0: ${uid}`,
      `>${uid}</span>`,
      'DTSTART:20300504T180000Z',
    ]) {
      expect(text).toContain(part)
    }
    const [, picture = ''] = /(http\S+\/qrcode\/\S+\.png)/.exec(text) ?? []
    expect((await fetch(picture)).headers.get('content-type')).toBe('image/png')
  })

  test('has no calendar file if the event has no date', async () => {
    const email = address()
    await send(await guest(email))
    expect(taken(email)).toEqual([expect.not.stringContaining('text/calendar')])
  })

  test('goes out once with an Idempotency-Key, and each time without one, with another Message-ID', async () => {
    const email = address()
    const id = await guest(email)
    const headers = { 'idempotency-key': crypto.randomUUID() }
    for (let n = 0; n < 3; n++) expect((await send(id, { headers })).status).toBe(200)
    expect(taken(email)).toHaveLength(1)
    expect((await send(id)).status).toBe(200)
    const ids = taken(email).map((text) => /Message-ID: (\S+)/.exec(text)?.[1])
    expect(new Set(ids).size).toBe(2)
  })

  test('does not go to a guest without an address, or whose address is blocked or has unsubscribed: 409 says why', async () => {
    const [blocked, left] = [address(), address()]
    await event.make('blocked_recipients.json', { address: blocked })
    const leaver = await guest(left)
    expect((await send(leaver)).status).toBe(200)
    expect((await fetch(unsubscribeLink(left), { method: 'POST' })).status).toBe(200)
    const before = server.mails.length
    for (const [id, error] of [
      [await guest(null), 'The guest has no valid e-mail address'],
      [await guest(blocked), 'The e-mail address of the guest is blocked'],
      [leaver, 'The guest has unsubscribed from e-mails of the event'],
    ] as const) {
      const { status, body } = await send(id)
      expect([status, body]).toEqual([409, { error }])
    }
    expect(server.mails).toHaveLength(before)
  })

  test('does not go to an address from which an e-mail of the event came back: 409', async () => {
    const campaign = await TestCampaign.open(system, { testEvent: event })
    const email = address()
    const { body: invited } = await campaign.invite([email])
    const report = [{ invitation_id: invited[0]._id, type: 'bounced', bounce_type: 'hard' }]
    expect((await system.api('POST', 'mail_events.json', report)).status).toBe(201)
    const { status, body } = await send(await guest(email))
    const error = 'The guest receives no more e-mails: one bounced or was marked as spam'
    expect([status, body]).toEqual([409, { error }])
  })

  test.each([
    ['refuse-recipient', 422, { errors: { email: [expect.stringMatching(/^was refused: 550 /)] } }],
    ['postpone-recipient', 503, { error: expect.stringMatching(/^The mail server does not take it now: 451 /) }],
  ] as const)('what the mail server says is in the answer: %s is %s', async (treatment, status, body) => {
    const email = address()
    server.plan((to) => (to === email ? treatment : 'take'))
    const answer = await send(await guest(email))
    expect([answer.status, answer.body]).toEqual([status, body])
  })

  test('a guest of another event, or of another account, is 404, and nothing is sent', async () => {
    const email = address()
    const id = await guest(email)
    const other = await system.account('other')
    const elsewhere = await TestEvent.open(system)
    expect((await elsewhere.api('POST', `guests/${id}/send_qrcode.json`)).status).toBe(404)
    expect((await send(id, { token: other.auth_token })).status).toBe(404)
    expect(taken(email)).toEqual([])
  })
})
