import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { Mailer } from '@gatehouse/proto/process/mail.ts'
import { MailFolder, mailCookie } from '@gatehouse/proto/process/mail-folder.ts'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { deep, slow } from '@gatehouse/test/rounds.ts'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { refuse } from '../../http/answers.ts'
import { takeSuffix } from '../../http/request.ts'
import { devMailRoutes } from './dev-mail.ts'

const log = makeLog('dev-mail', 'silent')
const SECRET = 's'.repeat(43)
const COOKIE = { cookie: `other=1; ${mailCookie(SECRET)}` }

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-dev-mail-'))
const mailer = new Mailer({ mail_folder: folder })
const app = fastify({ loggerInstance: log, rewriteUrl: takeSuffix }) as unknown as FastifyInstance
app.setErrorHandler((error, request, reply) => refuse(request, reply, error, log))
devMailRoutes(app, { folder, secret: SECRET })
const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** Sends a GET with these headers, as one who knows the secret by default; fetch would not let a test choose its host. */
function get(path: string, headers: Record<string, string> = COOKIE) {
  return new Promise<{ status: number; policy: string; cookies: string[] | undefined; text: string }>(
    (resolve, reject) => {
      const asking = request({ host: '127.0.0.1', port, path, headers }, async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        const { 'content-security-policy': policy, 'set-cookie': cookies } = response.headers
        resolve({ status: response.statusCode ?? 0, policy: String(policy), cookies, text })
      })
      asking.on('error', reject).end()
    },
  )
}

test('e-mails are listed, newest first, with receiver and subject; one shows text, HTML and headers', async () => {
  await mailer.send({ to: 'one@example.org', subject: 'First', text: 'x', message_id: 'first' })
  const text = 'Dear Zoë,\nanswer at https://example.org/rsvp/a?b=1&c <now>'
  const html = '<p>Dear <b>Zoë</b></p><script>alert(1)</script>'
  await mailer.send({ to: 'two@example.org', subject: 'Grüße & <b>', text, html, message_id: 'second' })
  const list = await get('/dev/mail')
  expect(list.status).toBe(200)
  expect(list.text).toMatch(/two@example\.org<\/td>\s*<td><a href="\/dev\/mail\/second">Grüße &amp; &lt;b&gt;/)
  expect(list.text.indexOf('/dev/mail/second')).toBeLessThan(list.text.indexOf('/dev/mail/first'))

  const mail = await get('/dev/mail/second')
  expect(mail.text).toContain('Dear Zoë,\nanswer at <a href="https://example.org/rsvp/a?b=1&amp;c"')
  expect(mail.text).toContain('&lt;now&gt;')
  expect(mail.text).toContain('Message-ID: &lt;second@gatehouse.invalid&gt;')
  expect(mail.text).toMatch(
    /<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox" src="\/dev\/mail\/second\/html"/,
  )
  expect(mail.text).not.toContain('<script')
  const part = await get('/dev/mail/second/html')
  expect(part.text).toContain(html)
  // No script of it runs, whatever it is opened in.
  expect(part.policy).toMatch(/default-src 'none'.*; sandbox allow-popups allow-popups-to-escape-sandbox$/)
})

test('a browser shows the HTML part as it is and runs nothing; its links open new windows', deep, async () => {
  const html = `<p><a href="http://127.0.0.1:${port}/dev/mail">To the list</a></p><img src="http://127.0.0.1:9/x">
<script>document.body.textContent = 'ran'</script><p onclick="top.location = '/'" id="trap">trap</p>`
  await mailer.send({ to: 'one@example.org', subject: 'Framed', text: 'x', html, message_id: 'framed' })
  const browser = await startChromium()
  const context = await browser.newContext()
  const page = await context.newPage()
  const refused: (string | undefined)[] = []
  page.on('requestfailed', (request) => refused.push(request.failure()?.errorText))
  await page.goto(`http://127.0.0.1:${port}/dev/mail/framed?secret=${SECRET}`)
  const frame = page.frameLocator('iframe')
  await frame.locator('#trap').click()
  expect(await frame.locator('body').textContent()).toContain('trap')
  const popup = context.waitForEvent('page')
  await frame.getByText('To the list').click()
  const opened = await popup
  // A new window is an empty page first. What it asks for then comes from another site, as the browser sees it: without the cookie.
  await expect.poll(() => opened.url()).toBe(`http://127.0.0.1:${port}/dev/mail`)
  expect(page.url()).toMatch(/\/dev\/mail\/framed\?/)
  // The picture was not even asked for.
  expect(refused).toEqual(['csp'])
  if (process.env.SCREENSHOTS) {
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/mail.png` })
    await page.goto(`http://127.0.0.1:${port}/dev/mail`)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/mails.png` })
  }
  await browser.close()
})

test('attachments are named, and pictures of the e-mail itself are in its HTML', async () => {
  const message = `To: a@example.org
Subject: Attached
MIME-Version: 1.0
Content-Type: multipart/related; boundary=b

--b
Content-Type: text/html

<img src="cid:qrcode"><img src="cid:none">
--b
Content-Type: image/png
Content-ID: <qrcode>
Content-Transfer-Encoding: base64
Content-Disposition: inline; filename="qr <code>.png"

iVBORw==
--b--
`
  await new MailFolder(folder).keep('<attached@x>', Buffer.from(message.replaceAll('\n', '\r\n')))
  expect((await get('/dev/mail/attached')).text).toContain('<li>qr &lt;code&gt;.png (image/png)</li>')
  const part = await get('/dev/mail/attached/html')
  expect(part.text).toContain('<img src="data:image/png;base64,iVBORw=="><img src="cid:none">')
})

test('only browsers of this machine see them: another host, as a rebound name sends it, and a proxy get 404', async () => {
  await mailer.send({ to: 'one@example.org', subject: 'x', text: 'x', message_id: 'guarded' })
  const paths = ['/dev/mail', '/dev/mail/guarded', '/dev/mail/guarded/html']
  for (const path of paths) {
    for (const headers of [
      { host: 'evil.example' },
      { host: 'localhost.evil.example' },
      { 'x-forwarded-for': '8.8.8.8' },
    ]) {
      const answer = await get(path, { ...COOKIE, ...headers } as unknown as Record<string, string>)
      expect([path, answer.status, answer.text]).toEqual([path, 404, '{"error":"There is no such path for GET"}'])
    }
  }
  expect((await get('/dev/mail', { ...COOKIE, host: `localhost:${port}` })).status).toBe(200)
})

test('only who knows the secret sees them: by the link at first, then by a cookie; others get 404', async () => {
  await mailer.send({ to: 'one@example.org', subject: 'x', text: 'x', message_id: 'secret' })
  for (const path of ['/dev/mail', '/dev/mail/secret', '/dev/mail/secret/html', '/dev/mail/missing']) {
    for (const [query, cookie] of [
      ['', ''],
      ['?secret=', ''],
      [`?secret=${SECRET.slice(1)}`, ''],
      [`?secret=${SECRET}x`, ''],
      [`?secret[]=${SECRET}`, ''],
      [`?secret=${SECRET}&secret=${SECRET}`, ''],
      ['', mailCookie('')],
      ['', mailCookie(`${SECRET}x`)],
      ['', `x${mailCookie(SECRET)}`],
    ]) {
      const { status, text, cookies } = await get(`${path}${query}`, { cookie } as Record<string, string>)
      expect([status, text, cookies]).toEqual([404, '{"error":"There is no such path for GET"}', undefined])
    }
  }
  const first = await get(`/dev/mail?secret=${SECRET}`, {})
  expect([first.status, first.cookies]).toEqual([
    200,
    [`${mailCookie(SECRET)}; Path=/dev/mail; HttpOnly; SameSite=Strict`],
  ])
  expect(first.text).not.toContain(SECRET)
  expect((await get('/dev/mail/secret', { cookie: String(first.cookies?.[0]?.split(';', 1)) })).status).toBe(200)
})

test('no name leads out of the folder', async () => {
  for (const name of ['..%2f..%2fetc%2fpasswd', '%2e%2e', '..%5cx', 'second%00', 'missing']) {
    expect([name, (await get(`/dev/mail/${name}`)).status]).toEqual([name, 404])
  }
  await mailer.send({ to: 'a@example.org', subject: 'x', text: 'x', message_id: '../../../tmp/out' })
  expect(await readdir(folder)).toContain('_________tmp_out.eml')
})

test('the oldest are deleted: the folder does not grow without end', slow, async () => {
  for (let n = 0; n < 230; n++) {
    await mailer.send({ to: 'a@example.org', subject: `${n}`, text: 'x', message_id: `many-${n}` })
  }
  const files = await readdir(folder)
  expect(files.length).toBeLessThanOrEqual(220)
  expect(files).toContain('many-229.eml')
  expect(files).not.toContain('first.eml')
})
