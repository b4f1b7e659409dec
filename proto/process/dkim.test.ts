import { createHash, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { afterAll, expect, test } from 'vitest'
import { attemptOf, Mailer } from './mail.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
const named = { dkim_domain: 'gatehouse.example', dkim_selector: 'may26' }
const mail = {
  to: 'a@b.example',
  subject: 'Grüße  an alle',
  text: 'Zoë,\n\n.a line that begins with a stop\n  blanks  \n\n\n',
  html: '<p>Zoë</p>',
  from_name: 'Académie',
  headers: { 'List-Unsubscribe': '<https://x.example/u>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
}

const server = await startMailServer()
const folder = await mkdtemp(join(tmpdir(), 'gatehouse-dkim-'))
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const mailerWith = (settings: object) =>
  new Mailer({ smtp_url: server.url, mail_from: 'a@gatehouse.example', ...settings })

/** Verifies the signature of a message as receivers do (RFC 6376, relaxed/relaxed). Returns the tags of a signature that holds. */
function verified(raw: Buffer, key: KeyObject): Record<string, string> | undefined {
  const [head = '', ...rest] = raw.toString('latin1').split('\r\n\r\n')
  // A field is one line here, its name in small letters, and all blanks are single.
  const fields = head
    .replaceAll(/\r\n(?=[ \t])/g, '')
    .replaceAll(/[ \t]+/g, ' ')
    .split('\r\n')
    .map((field) => field.replace(/^([^:]+): */, (_, name) => `${name.toLowerCase()}:`))
  const fieldOf = (name: string): string => fields.find((field) => field.startsWith(`${name}:`)) ?? ''
  const signature = fieldOf('dkim-signature')
  const tags = Object.fromEntries(
    Array.from(signature.matchAll(/[:;] ?(\w+)=([^;]*)/g), ([, tag, value]) => [tag, value]),
  )
  const body = rest
    .join('\r\n\r\n')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(' \r\n', '\r\n')
    .replace(/(\r\n)*$/, '\r\n')
  if (tags.bh !== createHash('sha256').update(body, 'latin1').digest('base64')) return undefined
  const signed = tags.h.replaceAll(' ', '').split(':').map(fieldOf)
  const bytes = Buffer.from([...signed, signature.replace(/(; ?b=).*/, '$1')].join('\r\n'), 'latin1')
  return verify('sha256', bytes, key, Buffer.from(tags.b, 'base64')) ? tags : undefined
}

test('with a key e-mail is signed as it arrives, the headers for unsubscribing included; a changed one is not', async () => {
  const mailer = mailerWith({ ...named, dkim_private_key: pem.replaceAll('\n', '\\n') })
  await mailer.send(mail)
  mailer.close()
  const raw = server.mails.at(-1)?.raw ?? Buffer.of()
  const tags = verified(raw, publicKey)
  expect(tags).toMatchObject({ d: 'gatehouse.example', s: 'may26', a: 'rsa-sha256', c: 'relaxed/relaxed' })
  const names = tags?.h?.replaceAll(' ', '').split(':')
  const needed = ['from', 'to', 'subject', 'date', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post']
  expect(names).toEqual(expect.arrayContaining(needed))
  const changed = (from: string, to: string) => Buffer.from(raw.toString('latin1').replace(from, to), 'latin1')
  expect(verified(changed('a@b.example', 'x@b.example'), publicKey)).toBeUndefined()
  expect(verified(changed('a line', 'a lie'), publicKey)).toBeUndefined()
  expect(verified(changed('One-Click', 'Two-Click'), publicKey)).toBeUndefined()
  expect(verified(raw, generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)).toBeUndefined()
})

test('the key may be in a file, and of the older form', async () => {
  const file = join(folder, 'key.pem')
  await writeFile(file, privateKey.export({ type: 'pkcs1', format: 'pem' }))
  const mailer = mailerWith({ ...named, dkim_private_key_file: file })
  await mailer.send(mail)
  mailer.close()
  expect(verified(server.mails.at(-1)?.raw ?? Buffer.of(), publicKey)).toBeDefined()
})

test('signed or not, the outcome of an attempt is reported alike', async () => {
  const mailer = mailerWith({ ...named, dkim_private_key: pem })
  for (const [treatment, meaning] of [
    ['drop-before', 'later'],
    ['drop-after', 'unknown'],
    ['refuse-message', 'rejected'],
  ] as const) {
    server.plan(() => treatment)
    expect(attemptOf(await mailer.send(mail).catch((error) => error))).toBe(meaning)
  }
  server.plan(() => 'take')
  mailer.close()
})

const small = generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })

test.each([
  [{ dkim_domain: 'a.example' }, 'DKIM needs DKIM_SELECTOR and DKIM_PRIVATE_KEY too'],
  [{ dkim_private_key: pem }, 'DKIM needs DKIM_DOMAIN and DKIM_SELECTOR too'],
  [{ ...named }, 'DKIM needs DKIM_PRIVATE_KEY too'],
  [
    { ...named, dkim_private_key: pem, dkim_private_key_file: 'x' },
    'DKIM_PRIVATE_KEY and DKIM_PRIVATE_KEY_FILE exclude',
  ],
  [{ ...named, dkim_private_key: 'c2VjcmV0' }, 'DKIM_PRIVATE_KEY is not a private key in PEM'],
  [{ ...named, dkim_private_key_file: '/none' }, 'DKIM_PRIVATE_KEY_FILE is not a private key in PEM'],
  [{ ...named, dkim_private_key: ed25519 }, 'DKIM_PRIVATE_KEY is not an RSA key of 1024 bits or more'],
  [{ ...named, dkim_private_key: small }, 'DKIM_PRIVATE_KEY is not an RSA key of 1024 bits or more'],
])('a wrong or missing setting is refused by name: %#', (settings, sentence) => {
  expect(() => mailerWith(settings)).toThrow(sentence)
  expect(() => mailerWith(settings)).not.toThrow(/c2Vj|BEGIN/)
})
