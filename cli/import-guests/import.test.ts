import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCsv } from '@gatehouse/proto/csv.ts'
import { type System, startSystem } from '@gatehouse/test/system.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { captured } from '../testing/captured-terminal.ts'
import { type ImportOptions, importGuests } from './command.ts'
import { mapColumns } from './headers.ts'
import { GuestImport } from './import.ts'

let system: System
let folder: string

beforeAll(async () => {
  ;[system, folder] = [await startSystem(), await mkdtemp(join(tmpdir(), 'import-'))]
})
afterAll(async () => {
  await system?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function makeEvent(...categories: string[]): Promise<string> {
  const event = await system.api('POST', 'events.json', { account_id: system.account_id, title: 'Gala' })
  for (const name of categories) await system.api('POST', `events/${event.body._id}/guest_categories.json`, { name })
  return event.body._id
}

async function run(text: string | Buffer, options: ImportOptions, stop = new AbortController().signal) {
  const file = join(folder, `${crypto.randomUUID()}.csv`)
  await writeFile(file, text)
  const terminal = captured(stop)
  const code = await importGuests(file, options, system.bus, terminal)
  return { code, out: terminal.text.out.trim(), err: terminal.text.err }
}

// biome-ignore lint/suspicious/noExplicitAny: what the interface answers
async function listed(event: string): Promise<any[]> {
  return (await system.api('GET', `events/${event}/guests.json?guest_metadata=true`)).body
}

const countOf = async (event: string): Promise<number> =>
  (await system.api('GET', `events/${event}.json`)).body.guest_count

const people = (count: number): string =>
  [
    'Vorname;Name;E-Mail;Schuhgröße',
    ...Array.from({ length: count }, (_, n) => `Zoë;Ünal ${n};z${n}@x.test;${n % 40}`),
  ].join('\n')

test('a list goes in with all its columns', async () => {
  const event = await makeEvent('Gäste')
  const { code, out } = await run(people(3), { event })
  expect([code, out]).toEqual([0, '3 imported, 0 already there, 0 bad'])
  const found = (await listed(event)).find(({ email }) => email === 'z2@x.test')
  expect(found).toMatchObject({
    first_name: 'Zoë',
    last_name: 'Ünal 2',
    guest_metadata: [{ name: 'Schuhgröße', value: '2' }],
  })
})

test('running it again imports nothing twice, and two equal rows are two guests', async () => {
  const event = await makeEvent('Guests')
  const file = `${people(70)}\nZoë;Ünal 1;z1@x.test;1`
  expect((await run(file, { event })).out).toBe('71 imported, 0 already there, 0 bad')
  expect((await run(file, { event })).out).toBe('0 imported, 71 already there, 0 bad')
  expect(await listed(event)).toHaveLength(71)
})

test('stopped in the middle, it goes on at the next run', async () => {
  const event = await makeEvent('Guests')
  const stop = new AbortController()
  // More than a slow machine has imported by the time that it hears of the first.
  const all = 20_000
  const file = people(all)
  const path = join(folder, 'long.csv')
  await writeFile(path, file)
  const terminal = captured(stop.signal)
  const running = importGuests(path, { event }, system.bus, terminal)
  while ((await countOf(event)) === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  stop.abort()
  expect(await running).toBe(130)
  expect(terminal.text.err).toContain('Run it again to go on')
  const before = await countOf(event)
  expect(before).toBeLessThan(all)
  expect((await run(file, { event })).out).toBe(`${all - before} imported, ${before} already there, 0 bad`)
  expect(await countOf(event)).toBe(all)
})

test('a guest that was deleted since comes back, once', async () => {
  const event = await makeEvent('Guests')
  await run(people(3), { event })
  for (let round = 0; round < 2; round++) {
    const [{ _id }] = (await listed(event)) as [{ _id: string }]
    await system.api('DELETE', `events/${event}/guests/${_id}.json`)
    expect((await run(people(3), { event })).out).toBe('1 imported, 2 already there, 0 bad')
    expect((await run(people(3), { event })).out).toBe('0 imported, 3 already there, 0 bad')
  }
  expect(await listed(event)).toHaveLength(3)
})

test('bad rows are told by line and reason, written out, and the rest goes in', async () => {
  const event = await makeEvent('Guests')
  await run('name,uid\nFirst,taken\n', { event })
  const errors = join(folder, 'errors.csv')
  const file = 'name,uid,category\n"Two\nlines",,\n,,\nNobody,,Crew\nThief,taken,\n,,vip\nGood,,guests\n=1+1,x,y,z\n'
  const { code, out, err } = await run(file, { event, errors })
  expect([code, out]).toEqual([1, '2 imported, 0 already there, 4 bad'])
  expect(err).toContain('line 5: There is no guest category "Crew"')
  expect(err).toContain('line 6: Uid taken has already been taken')
  expect(err).toContain('line 7: There is no guest category "vip"; It has no last name, e-mail, company or uid')
  expect(err).toContain('line 9: Row has 4 columns, the header has 3')
  const written = await readFile(errors, 'utf8')
  expect(written.split('\n').slice(0, 2)).toEqual([
    'import_line,import_problem,name,uid,category',
    '5,"There is no guest category ""Crew""",Nobody,,Crew',
  ])
  expect(written).toContain("'=1+1")
  const mended = written.replaceAll('Crew', 'guests').split('\n').slice(0, 2).join('\n')
  expect((await run(mended, { event })).out).toBe('1 imported, 0 already there, 0 bad')
})

test('what the service alone can refuse is a bad row as well', async () => {
  const event = await makeEvent('Guests')
  const work = await GuestImport.into(system.bus, { event })
  const { headers, rows } = await readCsv(Buffer.from('name,uid\nA,one\nB,two\n'))
  const plan = await (await work.planner(mapColumns(headers)))(rows)
  // Somebody else is faster.
  const { guest_category_id } = plan.fresh[0]!.body
  await system.api('POST', `events/${event}/guests.json`, { guest_category_id, last_name: 'C', uid: 'one' })
  const { imported, bad } = await work.run(plan.fresh, new AbortController().signal, () => {})
  expect(imported).toBe(1)
  expect(bad.map(({ row, problem }) => [row.line, problem])).toEqual([[2, 'Uid has already been taken']])
})

test('--create-categories makes what is missing, once', async () => {
  const event = await makeEvent('Guests')
  const file = 'name,category\nA,Crew\nB,crew\nC,Guests\n,Ghosts\n'
  const first = await run(file, { event, createCategories: true })
  expect(first.out).toBe('3 imported, 0 already there, 1 bad')
  expect((await run(file, { event, createCategories: true })).out).toBe('0 imported, 3 already there, 1 bad')
  const categories = (await system.api('GET', `events/${event}/guest_categories.json`)).body
  expect(categories.filter(({ name }: { name: string }) => name.toLowerCase() === 'crew')).toHaveLength(1)
})

test('a dry run writes nothing and tells what would be', async () => {
  const event = await makeEvent('Guests')
  const file = 'name,category,shoe\nA,Crew,42\nB,Guests,43\n,,\nC\n'
  const { code, out, err } = await run(file, { event, createCategories: true, dryRun: true })
  expect([code, out]).toEqual([1, '2 would be imported, 0 already there, 1 bad'])
  expect(err).toContain('metadata "shoe"')
  expect(err).toContain('guest category "Crew" would be made')
  expect(err).toContain('line 5: Row has 1 columns, the header has 3')
  expect(await listed(event)).toEqual([])
  expect((await system.api('GET', `events/${event}/guest_categories.json`)).body).toHaveLength(1)
})

test('an event that is not there is refused in one sentence', async () => {
  await expect(run(people(1), { event: 'f'.repeat(24) })).rejects.toThrow('There is no event ffffffffffffffffffffffff')
})
