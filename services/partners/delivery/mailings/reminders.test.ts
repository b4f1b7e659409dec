// @module-tag slow
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

describe('reminders, and invitations without a partner (docs/interface.md 11.7, 11.8)', () => {
  let server: MailServer
  let system: System
  let replica: Running
  let event: TestEvent
  let type: string
  let domain: string

  beforeAll(async () => {
    server = await startMailServer()
    const mail = { smtp_url: server.url, mail_from: 'Gatehouse <noreply@gatehouse.example>' }
    system = await startSystem({ with: ['promo', 'badges', 'mail', 'partners'], mail })
    replica = await startReplica('partners', system, {})
  })
  afterAll(async () => {
    await replica?.stop()
    await system?.stop()
    await server?.stop()
  })
  beforeEach(async () => {
    event = await TestEvent.open(system, { title: 'Opening', organizer: 'Fair & Co' })
    const { _id: guest_category_id } = await event.make('guest_categories.json', { name: 'Guests', rsvp_enabled: true })
    type = (await event.make('invitation_types.json', { name: 'Evening', guest_category_id }))._id
    domain = `${crypto.randomUUID()}.example`
  })

  const addressOf = (name: string): string => `${name}@${domain}`
  const invite = (names: string[]): Promise<Answer> =>
    event.api(
      'POST',
      `invitation_types/${type}/invitations/batch_create.json`,
      names.map((name) => ({ email: addressOf(name), first_name: name })),
    )
  const mailsOf = (text = ''): MailServer['mails'] =>
    server.mails.filter((mail) => mail.to[0]?.endsWith(domain) && mail.text.includes(text))
  const receivers = (): string[] =>
    mailsOf()
      .flatMap(({ to }) => to[0]?.split('@')[0] ?? [])
      .sort()
  const gone = (count: number) => expect.poll(() => mailsOf().length).toBe(count)
  const campaigns = (): Promise<Answer['body'][]> => event.read(`invitation_types/${type}/partner_campaigns.json`)
  const statesOf = async (campaign: string): Promise<string[]> => {
    const path = `invitation_types/${type}/partner_campaigns/${campaign}/invitations.json`
    const all: Answer['body'][] = await event.readRetried(path)
    return all.map(({ state }) => state)
  }
  const isSent = async (count: number): Promise<void> => {
    const [campaign] = await campaigns()
    await expect.poll(() => statesOf(campaign._id)).toEqual(Array.from({ length: count }, () => 'sent'))
  }
  const remind = async (): Promise<Answer['body']> => {
    const answer = await event.api('POST', `invitation_types/${type}/remind.json`)
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const isCounted = (id: string, nb_email_sent: number) =>
    expect.poll(async () => (await event.readRetried(`mailings/${id}.json`)).nb_email_sent).toBe(nb_email_sent)
  const rsvp = async (name: string, answer: string): Promise<void> => {
    const [, link = ''] =
      /(http\S+\/rsvp\/[0-9a-f]{24}\/[\w-]{43})\s/.exec(mailsOf(addressOf(name))[0]?.text ?? '') ?? []
    expect((await fetch(link, { method: 'POST', body: new URLSearchParams({ answer }) })).status).toBe(200)
  }

  test('the organizer invites without a quota, in one campaign of the own name, whichever requests come at once', async () => {
    const answers = await Promise.all([['a', 'b'], ['b', 'c'], ['d'], ['a']].map(invite))
    for (const { status, text } of answers) expect(status, text).toBe(201)
    await gone(4)
    expect(receivers()).toEqual(['a', 'b', 'c', 'd'])
    expect(mailsOf('Fair & Co invites you to Opening').length).toBe(4)
    expect(await campaigns()).toEqual([expect.objectContaining({ quota: -1 })])
    expect(await event.read('partners.json')).toEqual([
      expect.objectContaining({ name: 'Fair & Co', recipients_quota: -1, nb_recipients: 4 }),
    ])
    await invite(['a', 'b', 'c', 'd'])
    expect((await event.read('partners.json'))[0].nb_recipients).toBe(4)
  })

  test('where a partner has the name of the organizer, another one is taken', async () => {
    await event.make('partners.json', { name: 'Fair & Co' })
    expect((await invite(['a'])).status).toBe(201)
    const names = (await event.read('partners.json')).map(({ name }: { name: string }) => name)
    expect(names).toEqual(['Fair & Co', 'Fair & Co (2)'])
  })

  test('items without an address are errors, an unknown type is 404, and an archived event 409', async () => {
    const path = `invitation_types/${type}/invitations/batch_create.json`
    const wrong = await event.api('POST', path, [{ first_name: 'Ada' }, { email: 'not an address' }])
    expect(wrong.status).toBe(422)
    expect(wrong.body.map(({ errors }: { errors: object }) => Object.keys(errors))).toEqual([['email'], ['email']])
    const unknown = await event.api('POST', path.replace(type, '0'.repeat(24)), [{ email: addressOf('a') }])
    expect(unknown.status).toBe(404)
    await system.api('PUT', `events/${event.id}.json`, { archived: true })
    expect((await invite(['a'])).status).toBe(409)
    expect((await event.api('POST', `invitation_types/${type}/remind.json`)).status).toBe(409)
  })

  test('a reminder goes once to each who has not answered, whoever invited, and to those who are invited later', async () => {
    const partner = await event.make('partners.json', { name: 'Acme' })
    const path = `invitation_types/${type}/partner_campaigns.json`
    const { _id } = await event.make(path, { partner_id: partner._id, quota: 10 })
    const tokens = `partners/${partner._id}/partner_campaigns/${_id}/partner_access_tokens.json`
    const { token } = await event.make(tokens, {})
    await invite(['accepts', 'declines', 'silent'])
    await system.api('POST', `partners/${token}/invitations/batch_create.json`, [{ email: addressOf('guest-of-acme') }])
    await gone(4)
    for (const each of await campaigns()) await expect.poll(() => statesOf(each._id)).not.toContain('queued')
    await rsvp('accepts', 'accepted')
    await rsvp('declines', 'declined')
    const [{ _id: mailing }] = await Promise.all([remind(), remind(), remind()])
    await isCounted(mailing, 2)
    await remind()
    await invite(['later'])
    await gone(7)
    await expect
      .poll(async () => (await Promise.all((await campaigns()).map((each) => statesOf(each._id)))).flat())
      .not.toContain('queued')
    await remind()
    await isCounted(mailing, 3)
    expect(receivers()).toEqual(
      ['accepts', 'declines', 'silent', 'silent', 'guest-of-acme', 'guest-of-acme', 'later', 'later'].sort(),
    )
    const [first, second] = mailsOf(addressOf('silent'))
    const linkOf = (mail = { text: '' }) => /\/rsvp\/[0-9a-f]{24}\/[\w-]{43}\s/.exec(mail.text)?.[0]
    expect(linkOf(second)).toBe(linkOf(first))
    expect(mailsOf('Acme invites you to Opening').length).toBe(2)
    expect((await event.read('partners.json')).map(({ nb_email_sent }: Answer['body']) => nb_email_sent)).toEqual([
      1, 4,
    ])
  })

  test('who unsubscribes gets no reminder', async () => {
    await invite(['leaves', 'stays'])
    await gone(2)
    await isSent(2)
    const [, link = ''] = /List-Unsubscribe: <(\S+)>/.exec(mailsOf(addressOf('leaves'))[0]?.text ?? '') ?? []
    expect((await fetch(link, { method: 'POST' })).status).toBe(200)
    const { _id } = await remind()
    await isCounted(_id, 1)
    expect(receivers()).toEqual(['leaves', 'stays', 'stays'])
  })

  test('a mailing to those who have not answered takes the placeholders of invitation types, and no filter of guests', async () => {
    const given = { name: 'Once more', subject: 'Please answer, {{first_name}}', message: '[Answer]({{link}})' }
    const audience = { invitation_type_id: type }
    const wrong = await event.api('POST', 'mailings.json', {
      ...given,
      message: '{{qrcode}}',
      audience: { ...audience, checked_in: true },
    })
    expect(wrong.status).toBe(422)
    expect(wrong.body.errors).toEqual({
      message: ['has an unknown placeholder: {{qrcode}}'],
      checked_in: ["can't be given with invitation_type_id"],
    })
    const other = await event.api('POST', 'mailings.json', {
      ...given,
      audience: { invitation_type_id: '0'.repeat(24) },
    })
    expect(other.body.errors).toEqual({ invitation_type_id: ['is not an invitation type of the event'] })
    const mailing = await event.make('mailings.json', { ...given, audience })
    const preview = await event.api('POST', `mailings/${mailing._id}/preview.json`, {})
    expect(preview.body).toMatchObject({ subject: 'Please answer, Ada', text: expect.stringContaining('/rsvp/') })
    const test = await event.api('POST', `mailings/${mailing._id}/test_send.json`, { email: addressOf('test') })
    expect(test.status, test.text).toBe(200)
    await invite(['silent'])
    await gone(2)
    await isSent(1)
    await event.api('POST', `mailings/${mailing._id}/send.json`)
    await isCounted(mailing._id, 1)
    expect(mailsOf('Subject: Please answer, silent').length).toBe(1)
  })

  test("deleting the organizer's partner ends its campaign; inviting again makes another", async () => {
    await invite(['a'])
    await gone(1)
    const [partner] = await event.read('partners.json')
    expect((await event.api('DELETE', `partners/${partner._id}.json`)).status).toBe(200)
    await expect.poll(async () => (await invite(['b'])).status).toBe(201)
    await gone(2)
    expect(await campaigns()).toHaveLength(1)
  })
})
