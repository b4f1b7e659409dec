import { TestCampaign } from '@gatehouse/partners/test-campaign'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { natsUrlOf } from '@gatehouse/test/harness/nats-urls.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService } from '../services.ts'

describe('the e-mail of an invitation', () => {
  let server: MailServer
  let system: System
  let mail: Running

  beforeAll(async () => {
    ;[server, system] = await Promise.all([startMailServer(), startSystem({ with: ['partners', 'promo'] })])
    mail = await startService('mail', {
      nats_url: natsUrlOf('mail'),
      namespace: system.namespace,
      log_level: 'silent',
      deadline_ms: 30_000,
      smtp_url: server.url,
      mail_from: 'Gatehouse <noreply@gatehouse.example>',
      mail_return_path: 'bounces@gatehouse.example',
    })
  })
  afterAll(async () => {
    await mail?.stop()
    await system?.stop()
    await server?.stop()
  })

  async function received(fields: { type?: object; partner?: object; event?: object; recipient: object }) {
    const testEvent = await TestEvent.open(system, { title: 'Opening night', ...fields.event })
    const { type = {}, partner = {} } = fields
    const campaign = await TestCampaign.open(system, { testEvent, type, partner })
    const email = `${crypto.randomUUID()}@example.org`
    const answer = await campaign.invite([{ email, ...fields.recipient }])
    expect(answer.status, answer.text).toBe(201)
    const found = () => server.mails.find(({ to }) => to[0] === email)
    await expect.poll(found).toBeDefined()
    return { ...(found() as NonNullable<ReturnType<typeof found>>), id: answer.body[0]._id as string, email }
  }

  test(
    'says what its type says, with the recipient’s values, in text and in HTML; answers go to the event',
    slow,
    async () => {
      const { text, from, id, email } = await received({
        type: {
          subject: '{{first_name}}, come to {{event_title}}',
          message: 'Dear {{first_name}} {{last_name}},\n\n{{partner_name}} invites you: {{link}}\nBye {{email}}',
          sender_name: 'Royal Society, London',
        },
        partner: { name: 'Académie & fils' },
        event: { reply_to_email: 'guests@example.com' },
        recipient: { first_name: 'Zoë', last_name: '<b>Day</b>' },
      })
      expect(text).toContain('Subject: Zoë, come to Opening night')
      expect(text).toContain('From: "Royal Society, London" <noreply@gatehouse.example>')
      expect(text).toContain('Reply-To: guests@example.com')
      expect(text).toContain(`Message-ID: <${id}@gatehouse.example>`)
      expect(from).toBe(`bounces+${id}@gatehouse.example`)
      expect(text).toMatch(new RegExp(`^X-PM-Metadata-invitation_id: ${id}$`, 'im'))
      const [, smtpApi = ''] = /^X-SMTPAPI: (.+)$/m.exec(text) ?? []
      expect(JSON.parse(smtpApi)).toEqual({ unique_args: { invitation_id: id } })
      expect(text).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
      const [, link = ''] = /List-Unsubscribe: <(\S+)\/unsubscribe>/.exec(text) ?? []
      expect(link).toMatch(new RegExp(`^${system.url}/rsvp/${id}/[\\w-]{43}$`))
      expect(text).toMatch(/multipart\/alternative/)
      expect(text).toContain(`Dear Zoë <b>Day</b>,\n\nAcadémie & fils invites you: ${link}\nBye ${email}`)
      expect(text).toContain('<p dir="ltr">Dear Zoë &lt;b&gt;Day&lt;/b&gt;,</p>')
      expect(text).toContain(`Académie &amp; fils invites you: <a href="${link}">${link}</a><br>`)
    },
  )

  test('without a message of its type there is one, with the link; so it is behind a message without it', async () => {
    const { text } = await received({ partner: { name: 'Acme One' }, recipient: {} })
    expect(text).toContain('Subject: Acme One invites you to Opening night')
    expect(text).toContain('From: Acme One <noreply@gatehouse.example>')
    expect(text).toMatch(/Please answer here:\n\nhttp\S+\/rsvp\//)
    const other = await received({ type: { subject: '{{last_name}}', message: 'Come!' }, recipient: {} })
    expect(other.text).toMatch(/Subject: Acme \S+ invites you to Opening night/)
    expect(other.text).toMatch(/Come!\n\nhttp\S+\/rsvp\//)
  })

  test('a value never becomes a header, a tag, a placeholder or another line of the subject', async () => {
    const evil = 'x, Bcc: eve@example.net <script>{{email}}</script>'
    const { text, to, email } = await received({
      type: { subject: '{{first_name}}', message: '{{first_name}} {{last_name}} {{link}}', sender_name: evil },
      recipient: { first_name: evil, last_name: '"><img src=http://evil.example>' },
    })
    expect(to).toEqual([email])
    const [head = ''] = text.split('\n\n')
    expect(head).not.toMatch(/^bcc:/im)
    expect(text).toContain('Subject: x, Bcc: eve@example.net <script>{{email}}</script>')
    const [, html = ''] = text.split('<!doctype html>')
    expect(html).not.toContain('<script')
    expect(html).not.toContain('<img')
    // To answer, and to unsubscribe.
    expect(html.match(/<a href="[^"]*"/g)).toHaveLength(2)
  })
})
