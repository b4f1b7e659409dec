import { join } from 'node:path'
import { startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { attemptOf, headerJson, Mailer } from './mail.ts'

const server = await startMailServer()
const mailer = new Mailer({ smtp_url: server.url, mail_from: 'Gatehouse <noreply@gatehouse.example>' })
afterAll(async () => {
  mailer.close()
  await server.stop()
})
beforeEach(() => {
  server.mails.length = 0
  server.plan(() => 'take')
})

test('an e-mail goes out with the sender of the settings, under a name of its own where one is given', async () => {
  const id = await mailer.send({ to: 'a@b.example', subject: 'Zoë', text: 'Grüße', reply_to: 'c@d.example' })
  await mailer.send({ to: 'a@b.example', subject: 'Two', text: 'x', from_name: 'Salon, Paris' })
  const [one, two] = server.mails
  expect(one).toMatchObject({ from: 'noreply@gatehouse.example', to: ['a@b.example'] })
  for (const part of [
    'From: Gatehouse <noreply@gatehouse.example>',
    'Subject: Zoë',
    'Reply-To: c@d.example',
    'Grüße',
  ]) {
    expect(one?.text).toContain(part)
  }
  expect(one?.text).toContain(id)
  expect(two?.text).toContain('From: "Salon, Paris" <noreply@gatehouse.example>')
})

test('an address is never read as several, nor a subject as a header', async () => {
  await mailer.send({ to: 'a@b.example, c@d.example', subject: 'x\r\nBcc: e@f.example', text: 'x' }).catch(() => {})
  for (const { to, text } of server.mails) {
    expect(to).toHaveLength(1)
    expect(to).not.toContain('c@d.example')
    expect(text).not.toMatch(/^Bcc:/im)
  }
})

test('fields that programs read leave as they are, in ASCII and in short lines', async () => {
  const args = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`"Zoë" ${index}, “{:}” 🎉`, `a,"b": ${index}`]),
  )
  const fields = {
    'X-SMTPAPI': headerJson({ unique_args: args }),
    'X-Mailgun-Variables': headerJson({ id: '7' }),
    'Feedback-ID': 'campaign:"partner":invitation:gatehouse',
    'List-Unsubscribe': '<https://gatehouse.example/rsvp/a?b="c">, <mailto:x@gatehouse.example?subject=y>',
  }
  await mailer.send({
    to: 'a@b.example',
    subject: 'x',
    text: 'x',
    headers: { ...fields, 'X-Injected': 'a\r\nBcc: b@c.example' },
  })
  const raw = server.mails[0]?.raw.toString('latin1') ?? ''
  const [header = ''] = raw.split('\r\n\r\n', 1)
  const lines = header.split('\r\n')
  expect(header).toMatch(/^[\r\n -~]*$/)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(78)
  const sent = new Map(
    header.split(/\r\n(?! )/).map((field): [string, string] => {
      const [name = '', ...value] = field.replaceAll('\r\n', '').split(': ')
      return [name, value.join(': ')]
    }),
  )
  for (const [name, value] of Object.entries(fields)) expect(sent.get(name), name).toBe(value)
  expect(JSON.parse(sent.get('X-SMTPAPI') ?? '')).toEqual({ unique_args: args })
  expect(sent.has('Bcc')).toBe(false)
})

test('a refusal of the mail server is an error', async () => {
  server.plan(() => 'postpone-message')
  await expect(mailer.send({ to: 'a@b.example', subject: 'x', text: 'x' })).rejects.toMatchObject({ responseCode: 451 })
})

test.each([
  ['refuse-recipient', 'rejected'],
  ['refuse-message', 'rejected'],
  ['postpone-recipient', 'later'],
  ['postpone-message', 'later'],
  ['drop-before', 'later'],
  ['drop-after', 'unknown'],
] as const)('an attempt that ends with %s is to be taken for %s', async (treatment, meaning) => {
  server.plan(() => treatment)
  const error = await mailer.send({ to: 'a@b.example', subject: 'x', text: 'x' }).catch((error) => error)
  server.plan(() => 'take')
  expect(attemptOf(error)).toBe(meaning)
})

test('a refusal of the sender or of the login is no refusal of the recipient, nor is a server that is not there', async () => {
  expect(attemptOf({ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 })).toBe('later')
  expect(attemptOf({ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 })).toBe('later')
  const away = new Mailer({ smtp_url: 'smtp://127.0.0.1:9', mail_from: 'a@b.example' })
  const error = await away.send({ to: 'a@b.example', subject: 'x', text: 'x' }).catch((error) => error)
  expect(attemptOf(error)).toBe('later')
  away.close()
})

test('without a mail server nothing is sent, and half a setting is refused by name', async () => {
  const none = new Mailer({})
  expect(none.isConfigured).toBe(false)
  await expect(none.send({ to: 'a@b.example', subject: 'x', text: 'x' })).rejects.toThrow('No mail server')
  for (const half of [{ smtp_url: server.url }, { mail_from: 'a@b.example' }]) {
    expect(() => new Mailer(half)).toThrow('SMTP_URL and MAIL_FROM need each other')
  }
  for (const smtp_url of ['mail.example', 'http://mail.example', 'smtp://'])
    expect(() => new Mailer({ smtp_url, mail_from: 'a@b.example' })).toThrow('SMTP_URL is not an address')
  const both = { smtp_url: server.url, mail_from: 'a@b.example', mail_folder: '/tmp' }
  expect(() => new Mailer(both)).toThrow('SMTP_URL and MAIL_FOLDER exclude each other')
})

test('a folder that cannot be written is worth another attempt', async () => {
  const mailer = new Mailer({ mail_folder: join(import.meta.filename, 'mail') })
  expect(mailer.isConfigured).toBe(true)
  const error = await mailer.send({ to: 'a@b.example', subject: 'x', text: 'x' }).catch((error) => error)
  expect(attemptOf(error)).toBe('later')
})
