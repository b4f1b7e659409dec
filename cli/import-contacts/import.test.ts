import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mapColumns } from '@gatehouse/sso/contact-columns'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { TestAccount } from '@gatehouse/test/harness/system.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, expect, test } from 'vitest'
import { captured } from '../testing/captured-terminal.ts'
import { type ImportContactsOptions, importContacts } from './command.ts'

const system = await sharedSystem()

const folder = await mkdtemp(join(tmpdir(), 'import-'))
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

let count = 0
const account = (): Promise<TestAccount> => system.account(`account-${count++}`)

async function run(text: string, options: ImportContactsOptions, stop = new AbortController().signal) {
  const file = join(folder, `${crypto.randomUUID()}.csv`)
  await writeFile(file, text)
  const terminal = captured({ stop })
  const code = await importContacts(file, options, system.bus, terminal)
  return { code, out: terminal.text.out.trim(), err: terminal.text.err }
}

// biome-ignore lint/suspicious/noExplicitAny: what the interface answers
async function listed({ auth_token: token }: TestAccount): Promise<any[]> {
  return (await system.api('GET', 'contacts.json', undefined, { token })).body
}

test('a list goes in with its fields, known by key or label, and again nothing twice', async () => {
  const to = await account()
  const init = { token: to.auth_token }
  await system.api('POST', 'contact_fields.json', { key: 'badge_number', label: 'Badge No.' }, init)
  const file = [
    'Vorname;Nachname;E-Mail;Passwort;badge no;Schuhgröße',
    'Zoë;Ünal;zoe@x.test;correct horse;7;42',
    ';Li;LI@x.test;;;',
  ]
  const options = { account: to.slug }
  const first = await run(file.join('\n'), options)
  expect([first.code, first.out]).toEqual([0, '2 imported, 0 already there, 0 bad'])
  expect(first.err).toMatch(/badge no\s+contact field badge_number/)
  expect(first.err).toMatch(/Schuhgröße\s+\(left out\)/)
  const contacts = await listed(to)
  expect(contacts.find(({ email }) => email === 'zoe@x.test')).toMatchObject({
    first_name: 'Zoë',
    last_name: 'Ünal',
    has_password: true,
    badge_number: '7',
  })
  expect(contacts.find(({ email }) => email === 'LI@x.test')).toMatchObject({ has_password: false, badge_number: null })
  const second = await run(`${file.join('\n').replace('zoe@', 'ZOE@')}\nNew;One;new@x.test;;;\n`, options)
  expect(second.out).toBe('1 imported, 2 already there, 0 bad')
  expect(await listed(to)).toHaveLength(3)
})

test('--create-fields makes a field of each other column, under its header', async () => {
  const to = await account()
  const file = 'email,Shoe size (EU),Club,Id\na@x.test,42,yes,17\n'
  const dry = await run(file, { account: to.slug, createFields: true, dryRun: true })
  expect([dry.out, dry.err]).toEqual(['1 would be imported, 0 already there, 0 bad', expect.any(String)])
  expect(dry.err).toContain('contact field "shoe_size_eu" would be created')
  expect(await listed(to)).toEqual([])
  expect((await run(file, { account: to.slug, createFields: true })).code).toBe(0)
  expect(await listed(to)).toMatchObject([{ email: 'a@x.test', shoe_size_eu: '42', club: 'yes' }])
  const fields = await system.api('GET', 'contact_fields.json', undefined, { token: to.auth_token })
  expect(fields.body.map(({ label }: { label: string }) => label)).toEqual(['Shoe size (EU)', 'Club'])
})

test('bad rows are shown by line and reason and written to a file, and the rest is imported', async () => {
  const to = await account()
  const errors = join(folder, 'errors.csv')
  const file =
    'email,password,is_blocked\nnot an address,,\na@x.test,short,\nb@x.test,,maybe\n,,true\nc@x.test,,true\nC@x.test,,\nd@x.test\n'
  const { code, out, err } = await run(file, { account: to.slug, errors })
  expect([code, out]).toEqual([1, '2 imported, 0 already there, 5 bad'])
  for (const line of [
    'line 2: Email is not valid',
    'line 3: Password is too short (minimum is 8 characters)',
    'line 4: Is blocked is not true or false',
    "line 5: Email can't be blank",
    'line 7: Email c@x.test is also in line 6',
  ]) {
    expect(err).toContain(line)
  }
  expect(await listed(to)).toContainEqual(expect.objectContaining({ email: 'c@x.test', is_blocked: true }))
  const mended = (await readFile(errors, 'utf8')).replace(',short,', ',long enough,').split('\n')
  expect((await run([mended[0], mended[2]].join('\n'), { account: to.slug })).out).toBe(
    '1 imported, 0 already there, 0 bad',
  )
})

test('stopped in the middle, it goes on at the next run', deep, async () => {
  const to = await account()
  // More than a slow machine has imported by the time that it hears of the first.
  const all = 2_000
  const file = ['email', ...Array.from({ length: all }, (_, n) => `p${n}@x.test`)].join('\n')
  const path = join(folder, 'long.csv')
  await writeFile(path, file)
  const stop = new AbortController()
  const terminal = captured({ stop: stop.signal })
  const running = importContacts(path, { account: to.slug }, system.bus, terminal)
  while ((await listed(to)).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  stop.abort()
  expect(await running).toBe(130)
  expect(terminal.text.err).toContain('Run the command again to continue')
  const before = (await listed(to)).length
  expect(before).toBeLessThan(all)
  expect((await run(file, { account: to.slug })).out).toBe(`${all - before} imported, ${before} already there, 0 bad`)
})

test('an account that is not there, and a --map that fits nothing, are refused in one sentence', async () => {
  await expect(run('email\n', { account: 'nobody' })).rejects.toThrow('There is no account nobody')
  const fields = [{ key: 'club', label: null }]
  expect(mapColumns(['Team', 'Mail'], fields, false, new Map([['Team', 'club']]))).toEqual([
    { contactField: 'club', label: 'Team' },
    { field: 'email' },
  ])
  for (const [given, sentence] of [
    [[['Tim', 'club']], 'has no column "Tim"'],
    [[['Team', 'clob']], '"clob" is not a field'],
    [
      [
        ['Team', 'email'],
        ['Mail', 'email'],
      ],
      'two columns cannot both be email',
    ],
  ] as const) {
    expect(() => mapColumns(['Team', 'Mail'], fields, false, new Map(given))).toThrow(sentence)
  }
})
