import type { Running } from '@gatehouse/proto/serving/run.ts'
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { TestCampaign } from '../../testing/test-campaign.ts'

const PER_HOUR = 30

describe('test sends', () => {
  let server: MailServer
  let system: System
  let processes: Running[]

  beforeAll(async () => {
    server = await startMailServer()
    const mail = { smtp_url: server.url, mail_from: 'Gatehouse <noreply@gatehouse.example>' }
    system = await startSystem({ with: ['promo', 'mail'], mail })
    const start = () => startReplica('partners', system, { test_sends_per_hour: PER_HOUR })
    processes = await Promise.all([start(), start()])
  })
  afterAll(async () => {
    await Promise.all(processes?.map((each) => each.stop()) ?? [])
    await system?.stop()
    await server?.stop()
  })
  afterEach(() => server.plan(() => 'take'))

  const typeIn = async (event: TestEvent, fields: object = {}): Promise<string> =>
    (await event.make('invitation_types.json', { name: 'Evening', ...fields }))._id
  const send = (event: TestEvent, type: string, email: unknown, init: object = {}): Promise<Answer> =>
    event.api('POST', `invitation_types/${type}/test_send.json`, { email }, init)

  test('answers go to the address of the event, else to that of its account', async () => {
    expect((await system.api('PUT', 'account.json', { reply_to_email: 'desk@example.com' })).status).toBe(204)
    for (const [own, address] of [
      ['guests@example.com', 'guests@example.com'],
      [null, 'desk@example.com'],
    ]) {
      const event = await TestEvent.open(system, { reply_to_email: own })
      const subject = `Answered at ${address}`
      expect((await send(event, await typeIn(event, { subject }), 'me@example.org')).status).toBe(200)
      expect(server.mails.find(({ text }) => text.includes(subject))?.text).toContain(`Reply-To: ${address}`)
    }
    expect((await system.api('PUT', 'account.json', { reply_to_email: null })).status).toBe(204)
  })

  test('the e-mail goes out with example values, marked in its subject, and its link leads to the page for no invitation', async () => {
    const event = await TestEvent.open(system, { title: 'Opening', reply_to_email: 'guests@example.com' })
    const type = await typeIn(event, {
      subject: '{{first_name}}, come to {{event_title}}',
      message: 'Dear **{{first_name}} {{last_name}}**, [answer]({{link}})! {{partner_name}}, {{email}}',
      sender_name: 'Royal Society',
    })
    const { status, body } = await send(event, type, 'me@example.org')
    expect([status, body]).toEqual([200, { email: 'me@example.org', subject: '[Test] Ada, come to Opening' }])
    const { text, to } = server.mails.find(({ text }) => text.includes('come to Opening')) ?? {}
    expect(to).toEqual(['me@example.org'])
    for (const part of [
      'Subject: [Test] Ada, come to Opening',
      'From: Royal Society <noreply@gatehouse.example>',
      'Reply-To: guests@example.com',
      'Dear <strong>Ada Lovelace</strong>',
      'Example partner, me@example.org',
    ]) {
      expect(text).toContain(part)
    }
    const [, link = ''] = /answer <(http\S+)>/.exec(text ?? '') ?? []
    expect((await fetch(link)).status).toBe(404)
    expect((await fetch(`${link}/unsubscribe`)).status).toBe(404)
  })

  test('texts that are typed stand in place of the stored ones, which stay; unknown placeholders in them are refused', async () => {
    const event = await TestEvent.open(system, { title: 'Opening' })
    const type = await typeIn(event, { subject: 'Stored', message: 'Stored message' })
    const test = (texts: object) =>
      event.api('POST', `invitation_types/${type}/test_send.json`, { email: 'typed@example.org', ...texts })
    const { body } = await test({ subject: 'Typed for {{first_name}}', sender_name: 'Typist' })
    expect(body.subject).toBe('[Test] Typed for Ada')
    const { text } = server.mails.find(({ to }) => to.includes('typed@example.org')) ?? {}
    for (const part of ['From: Typist', 'Stored message']) expect(text).toContain(part)
    expect(await event.read(`invitation_types/${type}.json`)).toMatchObject({ subject: 'Stored', sender_name: null })
    expect((await test({ message: '{{nobody}}' })).body).toMatchObject({ errors: { message: [expect.any(String)] } })
  })

  test('it counts in no quota and in no counter, and makes no invitation', async () => {
    const campaign = await TestCampaign.open(system, { quota: 1 })
    expect((await send(campaign.testEvent, campaign.type, 'me@example.org')).status).toBe(200)
    expect(await campaign.counters()).toMatchObject({ used: 0, nb_recipients: 0, nb_email_sent: 0 })
    expect(await campaign.invitations()).toEqual([])
  })

  test.each([
    ['refuse-recipient', 422, { errors: { email: [expect.stringMatching(/^was refused: 550 .*No such mailbox/)] } }],
    ['refuse-message', 422, { errors: { email: [expect.stringMatching(/^was refused: 550 /)] } }],
    ['postpone-recipient', 503, { error: expect.stringMatching(/^The mail server does not take it now: 451 /) }],
    ['drop-before', 503, { error: expect.stringMatching(/^The mail server does not take it now: No answer/) }],
    ['drop-after', 503, { error: expect.stringMatching(/^The mail server may have taken it, but did not say so/) }],
  ] as const)('what the mail server says is in the answer: %s is %s', async (treatment, status, body) => {
    const event = await TestEvent.open(system)
    const type = await typeIn(event)
    server.plan((to) => (to === 'me@example.org' ? treatment : 'take'))
    const answer = await send(event, type, 'me@example.org')
    expect([answer.status, answer.body]).toEqual([status, body])
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '60' : null)
  })

  test('an address that is no address, is blocked or has unsubscribed gets none: 422', async () => {
    const campaign = await TestCampaign.open(system)
    await campaign.testEvent.make('blocked_recipients.json', { address: 'blocked.example' })
    await campaign.invite(['left@example.org'])
    const found = () => server.mails.find(({ to }) => to[0] === 'left@example.org')
    await expect.poll(found).toBeDefined()
    const [, unsubscribe = ''] = /List-Unsubscribe: <(\S+)>/.exec(found()?.text ?? '') ?? []
    expect((await fetch(unsubscribe, { method: 'POST' })).status).toBe(200)
    const before = server.mails.length
    for (const [email, errors] of [
      ['nobody', { email: ['is not valid'] }],
      ['me@blocked.example', { email: ['is blocked'] }],
      ['LEFT@example.org', { email: ['has unsubscribed'] }],
      [undefined, { email: ["can't be blank"] }],
    ] as const) {
      const answer = await send(campaign.testEvent, campaign.type, email)
      expect([email, answer.status, answer.body]).toEqual([email, 422, { errors }])
    }
    expect(server.mails).toHaveLength(before)
  })

  test('a type of another event, or of another account, is 404, and nothing is sent', async () => {
    const [one, two] = [await TestEvent.open(system), await TestEvent.open(system)]
    const type = await typeIn(one)
    const other = await system.account('other')
    const before = server.mails.length
    expect((await send(two, type, 'me@example.org')).status).toBe(404)
    expect((await send(one, type, 'me@example.org', { token: other.auth_token })).status).toBe(404)
    expect(server.mails).toHaveLength(before)
  })

  test('with an Idempotency-Key one e-mail is sent, however often it is asked for', async () => {
    const event = await TestEvent.open(system)
    const type = await typeIn(event, { subject: 'Once and never again' })
    const headers = { 'idempotency-key': crypto.randomUUID() }
    for (let n = 0; n < 3; n++) expect((await send(event, type, 'me@example.org', { headers })).status).toBe(200)
    expect(server.mails.filter(({ text }) => text.includes('Once and never again'))).toHaveLength(1)
  })

  test(
    'an account sends no more an hour than it may, by all processes together and at once; another account its own',
    slow,
    async () => {
      const account = await system.account('busy')
      const sendAs = async (account: { account_id: string; auth_token: string }, count: number) => {
        const init = { token: account.auth_token }
        const fields = { title: 'Fair', account_id: account.account_id }
        const { body } = await system.api('POST', 'events.json', fields, init)
        const type = await system.api('POST', `events/${body._id}/invitation_types.json`, { name: 'x' }, init)
        const path = `events/${body._id}/invitation_types/${type.body._id}/test_send.json`
        return Promise.all(
          Array.from({ length: count }, () => system.api('POST', path, { email: 'busy@example.org' }, init)),
        )
      }
      const hour = () => Math.floor(Date.now() / 3_600_000)
      const begun = hour()
      const answers = await sendAs(account, PER_HOUR + 15)
      const refused = answers.filter(({ status }) => status !== 200)
      // Unless the hour ended meanwhile.
      if (hour() === begun) expect(refused).toHaveLength(15)
      for (const { status, body, headers } of refused) {
        expect([status, body]).toEqual([429, { error: `An account may send ${PER_HOUR} e-mails an hour as a test` }])
        expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3_600)
      }
      const other = await sendAs(await system.account('quiet'), 1)
      expect(other.map(({ status }) => status)).toEqual([200])
    },
  )
})

test('without a mail server a test send is 422 and says so', slow, async () => {
  const system = await startSystem({ with: ['partners', 'promo', 'mail'] })
  const event = await TestEvent.open(system)
  const { _id } = await event.make('invitation_types.json', { name: 'Evening' })
  const answer = await event.api('POST', `invitation_types/${_id}/test_send.json`, { email: 'me@example.org' })
  const email = ['was refused: no mail server is configured (SMTP_URL, MAIL_FROM)']
  expect([answer.status, answer.body]).toEqual([422, { errors: { email } }])
  await system.stop()
})
