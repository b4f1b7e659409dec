import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mailServerAdapter } from './mail-server.ts'

const SECRET = 'secret-of-the-mail-server'
const CASES = join(import.meta.dirname, 'cases')
/** To whom the invitations of all cases went. */
const INVITED = 'guest@host.example'
const INVITATION = /<([0-9a-f]{24})@gatehouse\.example>|\+([0-9a-f]{24})@gatehouse\.example/

/** What an e-mail is read as: the invitation, and what came of its e-mail. */
async function read(mail: string): Promise<{ invitation_id?: string | undefined; kind: string }> {
  const [report] = await mailServerAdapter(SECRET)({
    headers: new Map([['authorization', `Bearer ${SECRET}`]]),
    recipient: null,
    body: Buffer.from(mail),
  })
  const event = typeof report?.event === 'function' ? report.event(INVITED) : report?.event
  if (!event) return { kind: 'nothing' }
  const kind = event.type === 'bounced' ? (event.isHard ? 'hard' : 'soft') : event.type
  return { invitation_id: report?.invitation_id, kind }
}

const fileOf = (path: string) => readFileSync(join(CASES, path), 'utf8')
const forms: Record<string, (mail: string) => string> = {
  'as it is': (mail) => mail,
  'with CR LF': (mail) => mail.replaceAll(/\r?\n/g, '\r\n'),
  'behind a line of a mailbox file': (mail) => `From MAILER-DAEMON Fri Nov 27 10:00:00 2026\n${mail}`,
}

describe.each(['hard', 'soft', 'delivered', 'nothing'])('%s', (kind) => {
  test.each(readdirSync(join(CASES, kind)))('%s', async (file) => {
    const mail = fileOf(`${kind}/${file}`)
    const id = INVITATION.exec(mail)?.slice(1).find(Boolean)
    for (const [form, written] of Object.entries(forms))
      expect(await read(written(mail)), form).toEqual(kind === 'nothing' ? { kind } : { invitation_id: id, kind })
  })
})

test('a report behind more than 64 KiB of HTML is read', async () => {
  const html = `<table>${'<tr><td style="padding:0">x</td></tr>\n'.repeat(10_000)}</table>`
  const mail = fileOf('hard/exchange-o365.eml').replace('<html>', `<html>${html}`)
  expect(await read(mail)).toMatchObject({ kind: 'hard' })
})

test('the address to which a report came names the invitation, whatever the e-mail in it says', async () => {
  const mail = fileOf('hard/postfix.eml').replace(/^Message-ID: <[0-9a-f]{24}/m, `Message-ID: <${'f'.repeat(24)}`)
  expect(await read(mail)).toEqual({ invitation_id: '8e830dcd702c16050d1327b1', kind: 'hard' })
})

test('an address of a recipient names no invitation', async () => {
  const mail = fileOf('hard/no-status.eml')
    .replace(/^To: .*/m, 'To: noreply@gatehouse.example')
    .replaceAll(INVITED, `guest+${'a'.repeat(24)}@host.example`)
  expect(await read(mail)).toEqual({ kind: 'hard' })
})
