import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { badgeOrders } from '@gatehouse/guests/resources'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { readList } from '@gatehouse/proto/formats/lists/list.ts'
import { natsUrlOf } from '@gatehouse/test/harness/nats-urls.ts'
import { bareEnv } from '@gatehouse/test/harness/process.ts'
import { startReceiver } from '@gatehouse/test/harness/receiver.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { deep, slow } from '@gatehouse/test/rounds.ts'
import { afterAll, expect, test } from 'vitest'
import { captured } from '../testing/captured-terminal.ts'
import { type ImportGuestsOptions, importGuests } from './command.ts'
import { guestColumns, mapColumns } from './headers.ts'
import { GuestRowImport } from './import.ts'

const system = await sharedSystem()

const folder = await mkdtemp(join(tmpdir(), 'import-'))
const receiver = await startReceiver()
afterAll(async () => {
  await receiver.close()
  await rm(folder, { recursive: true, force: true })
})

async function makeEvent(...categories: string[]): Promise<string> {
  const event = await system.api('POST', 'events.json', { account_id: system.account_id, title: 'Gala' })
  for (const name of categories) await system.api('POST', `events/${event.body._id}/guest_categories.json`, { name })
  return event.body._id
}

async function run(text: string | Buffer, options: ImportGuestsOptions, stop = new AbortController().signal) {
  const file = join(folder, `${crypto.randomUUID()}.csv`)
  await writeFile(file, text)
  const terminal = captured({ stop })
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

test('stopped in the middle, it goes on at the next run', slow, async () => {
  const event = await makeEvent('Guests')
  const stop = new AbortController()
  // More than a slow machine has imported by the time that it hears of the first.
  const all = 6_000
  const file = people(all)
  const path = join(folder, 'long.csv')
  await writeFile(path, file)
  const terminal = captured({ stop: stop.signal })
  const running = importGuests(path, { event }, system.bus, terminal)
  while ((await countOf(event)) === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  stop.abort()
  expect(await running).toBe(130)
  expect(terminal.text.err).toContain('Run the command again to continue')
  const before = await countOf(event)
  expect(before).toBeLessThan(all)
  expect((await run(file, { event })).out).toBe(`${all - before} imported, ${before} already there, 0 bad`)
  expect(await countOf(event)).toBe(all)
})

/** The last names of an event's guests, sorted. */
async function namesIn(event: string): Promise<string[]> {
  const names: string[] = []
  for (let page = 1; ; page++) {
    const { body } = await system.api('GET', `events/${event}/guests.json?per_page=500&page=${page}`)
    if (body.length === 0) return names.sort()
    names.push(...body.map(({ last_name }: { last_name: string }) => last_name))
  }
}

const namesOf = (all: number): string[] => Array.from({ length: all }, (_, n) => `Ünal ${n}`).sort()

test('killed in the middle and run again, it has brought in each row once', deep, async () => {
  const event = await makeEvent('Guests')
  const all = 5_000
  const path = join(folder, 'killed.csv')
  await writeFile(path, people(all))
  const importing = spawn(process.execPath, ['cli/main.ts', 'import', 'guests', path, '--event', event], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { ...bareEnv, NATS_URL: natsUrlOf('cli'), NAMESPACE: system.namespace },
    stdio: 'ignore',
  })
  const ended = once(importing, 'exit')
  await expect.poll(() => countOf(event), { interval: 5 }).toBeGreaterThan(0)
  importing.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect((await run(people(all), { event })).code).toBe(0)
  expect(await namesIn(event)).toEqual(namesOf(all))
  expect((await run(people(all), { event })).out).toBe(`0 imported, ${all} already there, 0 bad`)
})

test('two imports of the same file at once bring in each row once', slow, async () => {
  const event = await makeEvent('Guests')
  const all = 3_000
  const rows = Array.from({ length: all }, (_, n) => `Ünal ${n},${n % 2 ? `u${n}` : ''}`)
  const file = ['name,uid', ...rows].join('\n')
  const [one, other] = await Promise.all([run(file, { event }), run(file, { event })])
  expect([one.code, other.code]).toEqual([0, 0])
  expect(await namesIn(event)).toEqual(namesOf(all))
})

test('imported guests are found by search and published once each, again after their deletion', slow, async () => {
  const event = await makeEvent('Guests')
  const hook = { url: receiver.url, event_types: ['guest.created'], event_id: event }
  expect((await system.api('POST', 'webhooks.json', hook)).status).toBe(201)
  await run(people(3), { event })
  const found = (await system.api('GET', `events/${event}/guests.json?search=unal+z2`)).body
  expect(found.map(({ email }: { email: string }) => email)).toEqual(['z2@x.test'])
  const told = () => receiver.received.map(({ json }) => json.data)
  await receiver.until((all) => all.length >= 3)
  expect(new Set(told().map(({ email }) => email))).toEqual(new Set(['z0@x.test', 'z1@x.test', 'z2@x.test']))
  expect(told()[0]).toMatchObject({ guest_metadata: [{ name: 'Schuhgröße' }], uid: expect.any(String) })
  await system.api('DELETE', `events/${event}/guests/${found[0]._id}.json`)
  await run(people(3), { event })
  await receiver.until((all) => all.length >= 4)
  expect(told()[3].email).toBe('z2@x.test')
  expect(receiver.received).toHaveLength(4)
})

test('guests of a category with badges are imported with an order for theirs', async () => {
  const event = await makeEvent()
  await system.api('POST', `events/${event}/guest_categories.json`, { name: 'Speakers', badge_enabled: true })
  await run(people(2), { event })
  const orders = await clientOf(system.bus, badgeOrders).due({ body: { after: [], limit: 1_000 } })
  expect(orders.filter(({ event_id }) => event_id === event)).toHaveLength(2)
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

test('bad rows are shown by line and reason and written to a file, and the rest is imported', async () => {
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

test('a row that only the service refuses is a bad row too', async () => {
  const event = await makeEvent('Guests')
  const work = await GuestRowImport.into(system.bus, { event })
  const list = await readList(Buffer.from('name,uid\nA,one\nB,two\n'), guestColumns)
  const plan = await (await work.planner(mapColumns(list), list))(list.rows)
  // Another client is faster.
  const { guest_category_id } = plan.fresh[0]!.body
  await system.api('POST', `events/${event}/guests.json`, { guest_category_id, last_name: 'C', uid: 'one' })
  const { imported, bad } = await work.run(plan.fresh, new AbortController().signal, () => {})
  expect(imported).toBe(1)
  expect(bad.map(({ row, problem }) => [row.line, problem])).toEqual([[2, 'Uid has already been taken']])
})

test('rows that are refused in the middle of many keep none of the others out', slow, async () => {
  const event = await makeEvent('Guests', 'Crew')
  const door = (await system.api('POST', `events/${event}/accesspoints.json`, { name: 'Door' })).body._id
  const lines = Array.from({ length: 600 }, (_, n) => `N${n},,Guests,`)
  lines[3] = 'Late,,Crew,'
  lines[5] = 'Shut,,Guests,"[{""accesspoint"":""Door""}]"'
  lines[7] = 'Taken,u7,Guests,'
  const work = await GuestRowImport.into(system.bus, { event })
  const file = Buffer.from(['name,uid,category,access_privileges', ...lines].join('\n'))
  const list = await readList(file, guestColumns)
  const plan = await (await work.planner(mapColumns(list), list))(list.rows)
  expect(plan.bad).toEqual([])
  // All of that changes after the rows were judged.
  const [guests, crew] = (await system.api('GET', `events/${event}/guest_categories.json`)).body
  await system.api('DELETE', `events/${event}/guest_categories/${crew._id}.json`)
  await system.api('DELETE', `events/${event}/accesspoints/${door}.json`)
  const first = { guest_category_id: guests._id, last_name: 'First', uid: 'u7' }
  expect((await system.api('POST', `events/${event}/guests.json`, first)).status).toBe(201)
  const { imported, bad } = await work.run(plan.fresh, new AbortController().signal, () => {})
  expect(imported).toBe(597)
  expect(bad.map(({ row, problem }) => [row.line, problem])).toEqual([
    [5, 'Guest category is not a guest category of the event'],
    [7, expect.stringContaining('is not a check-in point of the event')],
    [9, 'Uid has already been taken'],
  ])
  expect(await countOf(event)).toBe(598)
})

test('the file of bad rows may be the one that is imported', async () => {
  const event = await makeEvent('Guests')
  const file = join(folder, 'mended.csv')
  await writeFile(file, 'name,category\nA,Guests\nB,Crew\n')
  expect(await importGuests(file, { event, errors: file }, system.bus, captured())).toBe(1)
  expect(await readFile(file, 'utf8')).toBe(
    'import_line,import_problem,name,category\n3,"There is no guest category ""Crew""",B,Crew\n',
  )
  expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([])
})

test('--create-categories creates each missing category once', async () => {
  const event = await makeEvent('Guests')
  const file = 'name,category\nA,Crew\nB,crew\nC,Guests\n,Ghosts\n'
  const first = await run(file, { event, createCategories: true })
  expect(first.out).toBe('3 imported, 0 already there, 1 bad')
  expect((await run(file, { event, createCategories: true })).out).toBe('0 imported, 3 already there, 1 bad')
  const categories = (await system.api('GET', `events/${event}/guest_categories.json`)).body
  expect(categories.filter(({ name }: { name: string }) => name.toLowerCase() === 'crew')).toHaveLength(1)
})

test('a dry run writes nothing and shows the result', async () => {
  const event = await makeEvent('Guests')
  const file = 'name,category,shoe\nA,Crew,42\nB,Guests,43\n,,\nC,,,x\n'
  const { code, out, err } = await run(file, { event, createCategories: true, dryRun: true })
  expect([code, out]).toEqual([1, '2 would be imported, 0 already there, 1 bad'])
  expect(err).toContain('metadata "shoe"')
  expect(err).toContain('guest category "Crew" would be created')
  expect(err).toContain('line 5: Row has 4 columns, the header has 3')
  expect(await listed(event)).toEqual([])
  expect((await system.api('GET', `events/${event}/guest_categories.json`)).body).toHaveLength(1)
})

test('an event that is not there is refused in one sentence', async () => {
  await expect(run(people(1), { event: 'f'.repeat(24) })).rejects.toThrow('There is no event ffffffffffffffffffffffff')
})
