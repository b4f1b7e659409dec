import { tags } from '@gatehouse/proto/pages/languages.ts'
import { Mailer } from '@gatehouse/proto/process/mail.ts'
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { readMail } from '@gatehouse/test/harness/read-mail.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeMail, linkMail } from './mails.ts'

const look = { colour: '#7a1f3d', logo: 'https://gate.example/api/v1/logos/66f1a0c2e4b0a1d2c3e43598.png' }
let server: MailServer
let mailer: Mailer

beforeAll(async () => {
  server = await startMailServer()
  mailer = new Mailer({ smtp_url: server.url, mail_from: 'noreply@gatehouse.example' })
})
afterAll(async () => {
  mailer?.close()
  await server?.stop()
})

test.each(tags)(
  '%s: e-mails of single sign-on arrive as they are written, whatever the account is called',
  async (tag) => {
    for (const account of ['Acme, Inc.', 'الشركة', 'חברה', '株式会社', '🎪 <b>', 'x'.repeat(255), '字'.repeat(255)]) {
      const url = `https://gate.example/sso/${'x'.repeat(200)}/invitations/${'y'.repeat(900)}`
      for (const mail of [
        codeMail(tag, { to: 'a@b.example', look, account, code: '123456', minutes: 10 }),
        linkMail(tag, 'invitation', { to: 'a@b.example', look, account, url, expires_at: new Date() }),
      ]) {
        await mailer.send(mail)
        const read = await readMail(server.mails.at(-1)?.raw ?? Buffer.of())
        expect([read.subject, read.from?.name, read.text?.trim()]).toEqual([mail.subject, account, mail.text.trim()])
        expect(read.html?.trim()).toBe(mail.html?.trim())
      }
    }
  },
)
