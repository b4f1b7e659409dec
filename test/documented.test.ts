import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { guideNames, guides } from '@gatehouse/gateway/guides'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver } from './receiver.ts'
import { type System, startSystem } from './system.ts'

/** A fenced block of a guide. */
interface Block {
  language: string
  text: string
}

const folder = join(import.meta.dirname, '../docs/guides')
const START = 'first-check-in'

async function blocksOf(guide: string): Promise<Block[]> {
  const text = await readFile(join(folder, `${guide}.md`), 'utf8')
  return [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text }))
}

const SEPARATOR = '=== end of a block ==='

/** Runs the shell blocks of a guide as one script, after those of the first one, whose variables it uses; what each block prints. */
async function run(guide: string): Promise<string[]> {
  const shell = async (name: string): Promise<string[]> =>
    (await blocksOf(name)).filter(({ language }) => language === 'sh').map(({ text }) => text)
  const before = guide === START ? [] : await shell(START)
  const script = [...before, ...(await shell(guide))].map((block) => `${block}echo '${SEPARATOR}'\n`).join('')
  const { account_id: ACCOUNT, auth_token: TOKEN, url: BASE } = system
  const env = { PATH: process.env.PATH, ACCOUNT, TOKEN, BASE, SLUG: 'first' }
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { env })
  return stdout.split(`${SEPARATOR}\n`).slice(before.length, -1)
}

/** What an answer has to be like: `"…"` stands for any text. */
function like(expected: unknown): unknown {
  if (expected === '…') return expect.stringMatching(/./)
  if (Array.isArray(expected)) return expected.map(like)
  if (typeof expected !== 'object' || expected === null) return expected
  return expect.objectContaining(
    Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, like(value)])),
  )
}

let system: System
beforeAll(async () => {
  system = await startSystem({ with: ['leads', 'hooks'] })
})
afterAll(() => system?.stop())

test('every guide is one of those of the docs page, and none is long', async () => {
  const files = (await readdir(folder)).map((file) => file.replace(/\.md$/, ''))
  expect(files.toSorted()).toEqual(guideNames.toSorted())
  for (const guide of guides()) {
    expect(guide).toMatch(/^# \S/)
    expect(guide.split(/\s+/).length, guide.slice(0, 30)).toBeLessThan(450)
  }
})

test.each(guideNames)('the commands of the guide %s do what it says', async (guide) => {
  const printed = await run(guide)
  const blocks = (await blocksOf(guide)).filter(({ language }) => language === 'sh' || language === 'json')
  let at = -1
  for (const { language, text } of blocks) {
    if (language === 'sh') at++
    else expect(JSON.parse(printed[at]?.trim().split('\n').at(-1) ?? ''), text).toEqual(like(JSON.parse(text)))
  }
  expect(printed).toHaveLength(at + 1)
})

test('the check of a signature that the guide shows takes what is genuine, and nothing else', async () => {
  const [code] = (await blocksOf('webhooks')).filter(({ language }) => language === 'js')
  const directory = await mkdtemp(join(tmpdir(), 'guide-'))
  const file = join(directory, 'genuine.mjs')
  await writeFile(file, code?.text ?? '')
  const { isGenuine } = await import(file)
  const receiver = await startReceiver()
  await system.api('POST', 'webhooks.json', { url: receiver.url, event_types: ['guest.created'] })
  const { body: event } = await system.api('POST', 'events.json', { title: 'Hooked', account_id: system.account_id })
  const { body: category } = await system.api('POST', `events/${event._id}/guest_categories.json`, { name: 'VIP' })
  await system.api('POST', `events/${event._id}/guests.json`, {
    guest_category_id: category._id,
    last_name: 'Lovelace',
  })
  const [{ headers, body } = expect.fail()] = await receiver.until((received) => received.length > 0)
  const { secret } = (await system.api('GET', 'webhook_secret.json')).body
  expect(isGenuine(secret, headers, body)).toBe(true)
  expect(isGenuine(secret, headers, body.replace('Lovelace', 'Babbage'))).toBe(false)
  expect(isGenuine(secret, { ...headers, 'webhook-timestamp': '1' }, body)).toBe(false)
  expect(isGenuine(secret, {}, body)).toBe(false)
  expect(isGenuine('whsec_b3RoZXI=', headers, body)).toBe(false)
  await receiver.close()
  await rm(directory, { recursive: true })
})
