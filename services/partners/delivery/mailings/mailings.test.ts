// @module-tag slow
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const PROGRESS = {
  is_sent: false,
  nb_recipients: 0,
  nb_email_sent: 0,
  nb_recipients_email_sent: 0,
  unknown_recipients: 0,
  blacklisted_recipients: 0,
  bounced_recipients: 0,
  rejected_recipients: 0,
  spammed_recipients: 0,
  unsubscribed_recipients: 0,
}

describe('mailings (docs/interface.md 19)', () => {
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
  beforeEach(async () => {
    event = await TestEvent.open(system, { title: 'Opening', organizer: 'Fair & Co', locale: 'fr' })
    category = await event.category()
  })

  const given = { name: 'Reminder', subject: 'See you', message: 'Welcome', sender_name: null }
  const make = (fields: object = {}): Promise<Answer['body']> => event.make('mailings.json', { ...given, ...fields })
  const preview = async (id: string, guest_id?: string): Promise<Answer['body']> => {
    const answer = await event.api('POST', `mailings/${id}/preview.json`, { guest_id })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const testSend = (id: string, body: object, init: object = {}): Promise<Answer> =>
    event.api('POST', `mailings/${id}/test_send.json`, body, init)
  const guest = (fields: object = {}): Promise<string> =>
    event.guest(category, crypto.randomUUID(), { first_name: 'Grace', email: 'grace@example.org', ...fields })
  const mailTo = (email: string): string => server.mails.find(({ to }) => to.includes(email))?.text ?? ''

  test('are created, listed with the newest first, read, changed and deleted', async () => {
    const first = await make()
    expect(first).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      ...given,
      audience: {
        guest_category_ids: [],
        rsvp_status: null,
        checked_in: null,
        mailed: null,
        not_in_mailing_id: null,
        invitation_type_id: null,
      },
      send_at: null,
      ongoing: false,
      closes_at: null,
      started_at: null,
      paused_at: null,
      pause_reason: null,
      ...PROGRESS,
      event_id: event.id,
      created_at: expect.stringMatching(/Z$/),
      updated_at: first.created_at,
    })
    const second = await make({ name: 'Thanks' })
    expect(await event.read('mailings.json')).toEqual([second, first])
    expect(await event.read('mailings.json?page=2&per_page=1')).toEqual([first])
    await event.change(`mailings/${first._id}.json`, { subject: 'Soon, {{first_name}}' })
    expect(await event.read(`mailings/${first._id}.json`)).toMatchObject({ ...given, subject: 'Soon, {{first_name}}' })
    await event.remove(`mailings/${first._id}.json`)
    expect(await event.status('GET', `mailings/${first._id}.json`)).toBe(404)
    expect(await event.read('mailings.json')).toEqual([second])
  })

  test('name, subject and message are needed; unknown placeholders and other links are 422', async () => {
    const blank = ["can't be blank"]
    expect(await event.refused('mailings.json', {})).toEqual({ name: blank, subject: blank, message: blank })
    const { _id } = await make()
    for (const [fields, errors] of [
      [{ subject: '{{qrcode}}' }, { subject: ['has an unknown placeholder: {{qrcode}}'] }],
      [{ message: '{{link}}' }, { message: ['has an unknown placeholder: {{link}}'] }],
      [{ message: '{{host_email}} {{message}}' }, { message: ['has an unknown placeholder: {{host_email}}'] }],
      [{ message: '{{__proto__}}' }, { message: ['has an unknown placeholder: {{__proto__}}'] }],
      [
        { message: '[x](https://evil.example)' },
        { message: [expect.stringMatching(/^links to something other than .*: https:\/\/evil\.example$/)] },
      ],
      [{ message: '[x]({{email}})' }, { message: [expect.stringMatching(/^links to something other than/)] }],
    ] as const) {
      expect(await event.refused('mailings.json', { ...given, ...fields })).toEqual(errors)
      expect(await event.refused(`mailings/${_id}.json`, fields, 'PUT')).toEqual(errors)
    }
  })

  test('a preview has a guest’s values, guest fields of the event included, and takes none of them for markup', async () => {
    await event.make('guest_fields.json', { key: 'Table number', type: 'text' })
    const id = await guest({
      last_name: '<b>Hopper</b> **x** {{email}}',
      company_name: null,
      guest_metadata: [{ name: 'Table number', value: '7' }],
    })
    const message =
      'Dear **{{first_name}}** {{last_name}} of {{company_name|your company}}, table {{Table number}} at {{event_title}}'
    const { _id } = await make({ subject: '{{first_name}}: {{Table number}}', message })
    const { subject, text, html } = await preview(_id, id)
    expect(subject).toBe('Grace: 7')
    expect(text).toContain('Dear Grace <b>Hopper</b> **x** {{email}} of your company, table 7 at Opening\n')
    expect(html).toContain('Dear <strong>Grace</strong> &lt;b&gt;Hopper&lt;/b&gt; **x** {{email}} of your company')
  })

  test('a mailing that is not stored can be looked at, with what is typed so far; unknown placeholders, links, guests and other events’ are refused', async () => {
    const id = await guest({ last_name: 'Hopper' })
    const look = async (body: object, of = event) => of.api('POST', 'mailings/preview.json', body)
    const { body } = await look({ subject: 'For {{first_name}}', message: '**Come**, {{last_name}}', guest_id: id })
    expect(body).toMatchObject({ subject: 'For Grace', text: expect.stringMatching(/^Come, Hopper\n/) })
    expect(body.html).toContain('<strong>Come</strong>, Hopper')
    expect((await look({})).body).toMatchObject({ subject: 'Opening' })
    const { _id: invitation_type_id } = await event.make('invitation_types.json', { name: 'Gala' })
    const reminder = { message: '{{partner_name}}: {{link}}', invitation_type_id }
    expect((await look(reminder)).body.text).toMatch(/^Example partner: http/)
    const wrong = { subject: '{{qrcode}}', message: '{{first_name}} {{link}}', guest_id: 'x' }
    const { status, body: refused } = await look(wrong)
    expect([status, Object.keys(refused.errors)]).toEqual([422, ['guest_id', 'subject', 'message']])
    const elsewhere = await TestEvent.open(system)
    expect((await look({ guest_id: id }, elsewhere)).status).toBe(422)
    const other = await system.account('other')
    expect(await event.status('POST', 'mailings/preview.json', {}, { token: other.auth_token })).toBe(404)
  })

  test('preview.html is the HTML part as a page, which loads nothing but pictures of this site, runs nothing and is framed by this site alone', async () => {
    const id = await guest({ last_name: '<script>alert(1)</script>' })
    const { _id } = await make({ message: 'Dear {{last_name}}' })
    const path = `${system.url}/api/v1/events/${event.id}/mailings/${_id}/preview.html`
    const get = (query: string) => fetch(path + query, { headers: { authorization: `Bearer ${system.auth_token}` } })
    const answer = await get(`?guest_id=${id}`)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'self'; sandbox",
    })
    expect(await answer.text()).toContain('Dear &lt;script&gt;')
    expect((await get('')).status).toBe(200)
    expect((await get(`?guest_id=${'f'.repeat(24)}`)).status).toBe(404)
  })

  test('a preview without a guest has example values, and the labels of guest fields', async () => {
    await event.make('guest_fields.json', { key: 'table', label: 'Table', type: 'text' })
    const { _id } = await make({ subject: '{{first_name}} {{table}}', message: '{{qrcode}} [badge]({{badge}})' })
    const { subject, html } = await preview(_id)
    expect(subject).toBe('Ada Table')
    expect(html).toContain('<strong>[Votre code QR]</strong>')
    const [, link = ''] = /<a href="(http\S+)">badge</.exec(html) ?? []
    expect((await fetch(link)).status).toBe(404)
  })

  test('{{qrcode}} is the picture with the code below it, {{badge}} a link that is left out without a badge, and the last line unsubscribes', async () => {
    const { _id } = await make({ message: 'Your code:\n\n{{qrcode}}\n\n[your badge]({{badge}}){{badge|none}}' })
    const id = await guest()
    const { html, text } = await preview(_id, id)
    const { uid } = await event.read(`guests/${id}.json`)
    expect(html).toContain(`>${uid}</span>`)
    const [, picture = ''] = /<img src="(http\S+\.png)"/.exec(html) ?? []
    expect((await fetch(picture)).headers.get('content-type')).toBe('image/png')
    expect(text).toContain(`Your code:\n\n${picture}\nCode\u00a0: ${uid}\n\nyour badgenone\n`)
    expect(text).toMatch(/\n\nSe désabonner <http\S+\/unsubscribe>\n$/)
    const own = await make({ message: '[Stop]({{unsubscribe_link}})' })
    expect((await preview(own._id)).text).toMatch(/^Stop <http\S+\/unsubscribe>\n$/)
  })

  test('a badge that is a paragraph of its own is a button, and in the text part says what its address opens', async () => {
    const { _id } = await make({ message: 'Hello\n\n{{badge}}' })
    const { html, text } = await preview(_id)
    expect(html).toMatch(/<a href="http\S+" class="button"[^>]*><span[^>]*>Ouvrir votre badge</)
    expect(text).toMatch(/^Hello\n\nOuvrir votre badge\nhttp\S+\n/)
  })

  test('a test e-mail has a guest’s values with QR code and calendar file, is marked, and goes to the given address alone', async () => {
    const fields = { start_date: '2030-05-04T18:00:00Z', reply_to_email: 'guests@example.com' }
    expect((await system.api('PUT', `events/${event.id}.json`, fields)).status).toBe(204)
    const { _id } = await make({ subject: 'For {{first_name}}', message: '{{qrcode}} {{calendar}}' })
    const guest_id = await guest({ email: 'not-written-to@example.org' })
    const email = `${crypto.randomUUID()}@example.org`
    const { status, body } = await testSend(_id, { email, guest_id })
    expect([status, body]).toEqual([200, { email, subject: '[Test] For Grace' }])
    for (const part of [
      'Subject: [Test] For Grace',
      'From: "Fair & Co" <noreply@gatehouse.example>',
      'Reply-To: guests@example.com',
      '<img src="cid:qrcode"',
      'Content-ID: <qrcode>',
      'DTSTART:20300504T180000Z',
    ]) {
      expect(mailTo(email)).toContain(part)
    }
    expect(mailTo('not-written-to@example.org')).toBe('')
  })

  test('a test e-mail says what is typed in place of what is stored', async () => {
    const { _id } = await make({ subject: 'Stored', message: 'Stored message' })
    const email = `${crypto.randomUUID()}@example.org`
    const { body } = await testSend(_id, { email, subject: 'Typed for {{first_name}}' })
    expect(body.subject).toBe('[Test] Typed for Ada')
    expect(mailTo(email)).toContain('Stored message')
    expect((await testSend(_id, { email, message: '{{nobody}}' })).status).toBe(422)
  })

  test('a test e-mail without a guest has example values and no QR code; a wrong or blocked address, and an unknown guest are 422', async () => {
    const { _id } = await make({ message: 'Dear {{first_name}}, {{qrcode}}', sender_name: 'The team' })
    const email = `${crypto.randomUUID()}@example.org`
    expect((await testSend(_id, { email })).status).toBe(200)
    expect(mailTo(email)).toContain('From: The team <noreply@gatehouse.example>')
    expect(mailTo(email)).toContain('Dear Ada')
    expect(mailTo(email)).not.toContain('image/png')
    await event.make('blocked_recipients.json', { address: 'blocked.example' })
    const errors = await event.refused(`mailings/${_id}/test_send.json`, {
      email: 'me@blocked.example',
      guest_id: 'nobody',
    })
    expect(errors).toEqual({ email: ['is blocked'], guest_id: ['is not a guest of the event'] })
  })

  test('belong to their event: another one, and another account, neither see them nor their guests', async () => {
    const { _id } = await make()
    const id = await guest()
    const elsewhere = await TestEvent.open(system)
    const own = await elsewhere.make('mailings.json', given)
    const other = await system.account('other')
    expect(await elsewhere.read('mailings.json')).toEqual([own])
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PUT', '', { name: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/preview', {}],
      ['POST', '/test_send', { email: 'me@example.org' }],
    ] as const) {
      expect(await elsewhere.status(method, `mailings/${_id}${path}.json`, body)).toBe(404)
      expect(await event.status(method, `mailings/${_id}${path}.json`, body, { token: other.auth_token })).toBe(404)
    }
    const errors = await elsewhere.refused(`mailings/${own._id}/preview.json`, { guest_id: id })
    expect(errors).toEqual({ guest_id: ['is not a guest of the event'] })
  })

  test('with an Idempotency-Key one test e-mail is sent, however often it is asked for', async () => {
    const { _id } = await make()
    const email = `${crypto.randomUUID()}@example.org`
    const headers = { 'idempotency-key': crypto.randomUUID() }
    for (let n = 0; n < 3; n++) expect((await testSend(_id, { email }, { headers })).status).toBe(200)
    expect(server.mails.filter(({ to }) => to.includes(email))).toHaveLength(1)
  })
})
