// @module-tag slow
import { TestCampaign } from '@gatehouse/partners/test-campaign'
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { readMail, wordsOfHtml } from '@gatehouse/test/harness/read-mail.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const TITLES = {
  en: { greeting: 'Dear', text: 'you are invited', title: 'Opening night', name: ['Ada', "O'Brien"], partner: 'Acme' },
  fr: {
    greeting: 'Chère',
    text: 'vous êtes invitée à la fête',
    title: 'L’été',
    name: ['Zoë', 'Lefèvre'],
    partner: 'Académie',
  },
  de: {
    greeting: 'Grüß Gott',
    text: 'wir laden Sie ein',
    title: 'Eröffnung',
    name: ['Jürgen', 'Weiß'],
    partner: 'Söhne & Töchter',
  },
  pl: {
    greeting: 'Szanowny',
    text: 'zapraszamy na wieczór',
    title: 'Święto',
    name: ['Łukasz', 'Żak'],
    partner: 'Gołąb',
  },
  ru: {
    greeting: 'Здравствуйте',
    text: 'приглашаем вас',
    title: 'Открытие',
    name: ['Олена', 'Шевченко'],
    partner: 'Наука',
  },
  ar: {
    greeting: 'عزيزتي',
    text: 'أنت مدعوة إلى الحفل',
    title: 'ليلة الافتتاح',
    name: ['ليلى', 'حداد'],
    partner: 'الشركة',
  },
  he: { greeting: 'שלום', text: 'הנך מוזמן לערב', title: 'ערב פתיחה', name: ['נועה', 'כהן'], partner: 'חברה' },
  zh: { greeting: '尊敬的', text: '诚邀您参加', title: '开幕之夜', name: ['伟', '王'], partner: '公司' },
  ja: { greeting: '拝啓', text: 'ご招待します', title: '前夜祭', name: ['さくら', '小林'], partner: '株式会社' },
  emoji: { greeting: '👋', text: '🎉 come 👩‍👩‍👧‍👦', title: '🎪', name: ['😀', '👩🏽‍💻'], partner: '🏢' },
}

const MESSAGE = (greeting: string, text: string) => `${greeting} **{{first_name}} {{last_name}}**,

*{{partner_name}}*: ${text}
- {{event_title}}
- {{email}}

[${text}]({{link}})`

describe('the e-mail of an invitation as it arrives', () => {
  let server: MailServer
  let system: System

  beforeAll(async () => {
    server = await startMailServer()
    const mail = { smtp_url: server.url, mail_from: 'Gatehouse <noreply@gatehouse.example>' }
    system = await startSystem({ with: ['partners', 'promo', 'mail'], mail })
  })
  afterAll(async () => {
    await system?.stop()
    await server?.stop()
  })

  const arrived = async (email: string) => {
    const found = () => server.mails.find(({ to }) => to[0] === email)
    await expect.poll(found).toBeDefined()
    return readMail(found()?.raw ?? Buffer.of())
  }
  /** Without the signs that keep names from becoming links, and those that keep a sentence's order around names from right to left. */
  const typed = (text: string) => text.replaceAll(/[\u2060\u2068\u2069]/g, '')
  const open = async (title: string, partner: string, type: object): Promise<TestCampaign> => {
    const testEvent = await TestEvent.open(system, { title })
    return TestCampaign.open(system, { testEvent, partner: { name: partner }, type })
  }

  test.each(Object.entries(TITLES))(
    '%s: names, subject and words arrive as they were typed, the same in text and HTML; it can be unsubscribed from',
    async (language, { greeting, text, title, name: [first_name = '', last_name = ''], partner }) => {
      const message = MESSAGE(greeting, text)
      const campaign = await open(title, partner, { subject: '{{first_name}} · {{event_title}}', message })
      const email = `${language}@example.org`
      const { body } = await campaign.invite([{ email, first_name, last_name }])
      const mail = await arrived(email)
      expect(mail.subject).toBe(`${first_name} · ${title}`)
      expect(mail.from).toMatchObject({ name: partner, address: 'noreply@gatehouse.example' })
      expect(mail.to).toMatchObject([{ address: email }])
      expect(mail.messageId).toBe(`<${body[0]._id}@gatehouse.example>`)
      const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]))
      expect(headers['content-type']).toMatch(/^multipart\/alternative/)
      expect(headers['list-unsubscribe']).toMatch(/^<http:\/\/\S+\/rsvp\/[0-9a-f]{24}\/[\w-]{43}\/unsubscribe>$/)
      expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
      const raw = server.mails
        .find(({ to }) => to[0] === email)
        ?.raw.toString('latin1')
        .replaceAll('\r\n ', ' ')
      expect(raw).toContain(`\r\nX-SMTPAPI: { "unique_args": { "invitation_id": "${body[0]._id}" } }\r\n`)
      const [link] = /http\S+\/rsvp\/[0-9a-f]{24}\/[\w-]{43}/.exec(mail.text ?? '') ?? []
      const lines = [
        `${greeting} ${first_name} ${last_name},`,
        '',
        `${partner}: ${text}`,
        '',
        `- ${title}`,
        `- ${email}`,
        '',
        `${text} <${link}>`,
      ]
      expect(
        typed(mail.text ?? '')
          .trim()
          .split(/\r?\n/),
      ).toEqual([...lines, '', 'Unsubscribe', `${link}/unsubscribe`])
      const words = lines
        .join(' ')
        .replaceAll(/ <http\S+>|(?<= )- /g, '')
        .split(/\s+/)
        .filter(Boolean)
      expect(wordsOfHtml(typed(mail.html ?? ''))).toEqual(words)
      expect(mail.html).toContain(`<a href="${link}"`)
      expect(mail.html).toContain(`<a href="${link}/unsubscribe">Unsubscribe</a>`)
    },
  )

  test.each([
    ['letters', 'x'],
    ['of Chinese', '字'],
    ['of emoji', '👩🏽‍💻'],
    ['of Arabic with marks', 'ش́'],
  ])('very long words, %s, in every place: no line is too long, and nothing is lost', async (_, sign) => {
    const long = sign.repeat(Math.floor(255 / sign.length))
    const word = sign.repeat(Math.floor(4_000 / sign.length))
    const campaign = await open(long, long, {
      subject: '{{first_name}}{{first_name}} {{event_title}}',
      message: `${word} **${word.slice(0, -sign.length)}** {{last_name}}`,
      sender_name: long,
    })
    const email = `${crypto.randomUUID()}@example.org`
    await campaign.invite([{ email, first_name: long, last_name: long }])
    const mail = await arrived(email)
    expect(mail.subject).toBe(`${long}${long} ${long}`)
    expect(mail.from?.name).toBe(long)
    expect(typed(mail.text ?? '')).toContain(`${word} ${word.slice(0, -sign.length)} ${long}`)
    expect(typed(mail.html ?? '')).toContain(`${word} <strong>${word.slice(0, -sign.length)}</strong> ${long}`)
  })

  test('a test send arrives likewise', async () => {
    const campaign = await open('開幕', '公司', {
      subject: 'はじめ',
      message: '**你好** {{first_name}} [回答]({{link}})',
    })
    const path = `invitation_types/${campaign.type}/test_send.json`
    expect((await campaign.testEvent.api('POST', path, { email: 'me@example.org' })).status).toBe(200)
    const mail = await arrived('me@example.org')
    expect(mail.subject).toBe('[Test] はじめ')
    expect(wordsOfHtml(mail.html ?? '')).toEqual(['你好', 'Ada', '回答'])
    expect(mail.headers.map(({ key }) => key)).toContain('list-unsubscribe')
  })
})
