// @module-tag slow
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { checkInRows } from '../export/check-ins.ts'
import { captured } from '../testing/captured-terminal.ts'
import { type ImportCheckInsOptions, importCheckIns } from './command.ts'

const system = await sharedSystem()
const folder = await mkdtemp(join(tmpdir(), 'import-check-ins-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Place {
  event: string
  door: string
  category: string
}

/** An event in Berlin with a door that the category may enter `most` times. */
async function makeEvent({ most = -1, timezone = 'Europe/Berlin' } = {}): Promise<Place> {
  const made = await system.api('POST', 'events.json', { account_id: system.account_id, title: 'Gala', timezone })
  const event = made.body._id
  const door = (await system.api('POST', `events/${event}/accesspoints.json`, { name: 'Door' })).body._id
  const links = [{ accesspoint_id: door, max_allowed_accesses: most }]
  const body = { name: 'Guests', guest_category_accesspoints: links }
  const category = (await system.api('POST', `events/${event}/guest_categories.json`, body)).body._id
  return { event, door, category }
}

async function addGuest({ event, category }: Place, guest: Record<string, unknown>): Promise<void> {
  const made = await system.api('POST', `events/${event}/guests.json`, { guest_category_id: category, ...guest })
  expect(made.status).toBe(201)
}

async function run(text: string, options: ImportCheckInsOptions) {
  const file = join(folder, `${crypto.randomUUID()}.csv`)
  await writeFile(file, text)
  const terminal = captured()
  const code = await importCheckIns(file, options, system.bus, terminal)
  return { code, out: terminal.text.out.trim(), err: terminal.text.err }
}

/** The check-ins of an event, earliest first. */
async function stored(event: string): Promise<[uid: string, at: string, status: number][]> {
  const { body } = await system.api('GET', `events/${event}/access_controls.json`)
  return body.map((each: Record<string, unknown>) => [each.guest_uid, each.access_stamp, each.access_status]).reverse()
}

test('guests are found by code, e-mail address or name, and come in at the times of the file', async () => {
  const place = await makeEvent()
  await addGuest(place, { uid: 'CODE-1', last_name: 'Fiction' })
  await addGuest(place, { uid: 'CODE-2', email: 'ida@example.test', last_name: 'Invent' })
  await addGuest(place, { uid: 'CODE-3', first_name: 'Otto', last_name: 'Erdacht' })
  const file = [
    'Code;E-Mail;Name;Time;Persons',
    'CODE-1;;;2026-05-04 18:00:00;1',
    ';IDA@example.test;;04.05.2026 18:05;',
    ';;Erdacht, Otto;2026-05-04T20:10:00+04:00;',
  ].join('\n')
  const { code, out } = await run(file, place)
  expect([code, out]).toEqual([0, '3 imported, 0 already there, 0 bad'])
  expect(await stored(place.event)).toEqual([
    ['CODE-1', '2026-05-04T16:00:00.000Z', 0],
    ['CODE-2', '2026-05-04T16:05:00.000Z', 0],
    ['CODE-3', '2026-05-04T16:10:00.000Z', 0],
  ])
})

test('running it again imports nothing twice, also from a list that has the times without seconds', async () => {
  const place = await makeEvent()
  for (const uid of ['A', 'B']) await addGuest(place, { uid })
  const exact = 'code,time\nA,2026-05-04 18:00:30\nB,2026-05-04 18:01:10\nA,2026-05-04 19:00:00\n'
  expect((await run(exact, place)).out).toBe('3 imported, 0 already there, 0 bad')
  expect((await run(exact, place)).out).toBe('0 imported, 3 already there, 0 bad')
  const minutes = 'code,time\nA,2026-05-04 18:00\nB,2026-05-04 18:02\n'
  expect((await run(minutes, place)).out).toBe('1 imported, 1 already there, 0 bad')
  expect(await stored(place.event)).toHaveLength(4)
})

test('a date and a time may have a column each, and what scans did not let in stays out', async () => {
  const place = await makeEvent()
  await addGuest(place, { uid: 'A' })
  const file = [
    'Date,Time,Check-in list,Scan type,Secret,Result',
    '2026-05-04,18:00:01,Door,Entry,A,OK',
    '2026-05-04,18:30:00,Door,Exit,A,OK',
    '2026-05-04,18:00:00,Door,Entry,A,Ticket already used',
  ].join('\n')
  expect((await run(file, place)).out).toBe('1 imported, 0 already there, 0 bad, 1 exits, 1 refused')
  expect(await stored(place.event)).toEqual([['A', '2026-05-04T16:00:01.000Z', 0]])
})

test('unknown and ambiguous rows are shown by line and reason and written to a file, and the rest is imported', async () => {
  const place = await makeEvent()
  const crew = (await system.api('POST', `events/${place.event}/guest_categories.json`, { name: 'Crew' })).body._id
  await addGuest(place, { uid: 'A', last_name: 'Twin', email: 'both@example.test' })
  await addGuest(place, { uid: 'B', last_name: 'Twin', email: 'both@example.test' })
  await addGuest({ ...place, category: crew }, { uid: 'C' })
  const errors = join(folder, 'errors.csv')
  const file = [
    'code,email,last name,time,point',
    'A,,,2026-05-04 18:00:00,door',
    'X,,,2026-05-04 18:00:00,Door',
    ',nobody@example.test,,2026-05-04 18:00:00,',
    ',both@example.test,,2026-05-04 18:00:00,',
    ',,Twin,2026-05-04 18:00:00,',
    'B,,,soon,Cellar',
    'C,,,2026-05-04 18:00:00,',
    ',,,2026-05-04 18:00:00,',
    'B,,,,',
  ].join('\n')
  const { code, out, err } = await run(file, { ...place, errors })
  expect([code, out]).toEqual([1, '1 imported, 0 already there, 8 bad'])
  for (const line of [
    'line 3: No guest has "X"',
    'line 4: No guest has "nobody@example.test"',
    'line 5: Several guests have "both@example.test"',
    'line 6: Several guests have "Twin"',
    'line 7: There is no check-in point "Cellar"; time: "soon" is not a date and time',
    'line 8: The guest may not enter "Door": give it a right there',
    'line 9: It has no code, e-mail address or name',
    'line 10: It has no time: --at gives one',
  ]) {
    expect(err).toContain(line)
  }
  expect((await readFile(errors, 'utf8')).split('\n')[1]).toBe('3,"No guest has ""X""",X,,,2026-05-04 18:00:00,Door')
  expect(await stored(place.event)).toHaveLength(1)
})

test('a guest who came in more often than allowed is stored as decided elsewhere, and pointed out', async () => {
  const place = await makeEvent({ most: 1 })
  await addGuest(place, { uid: 'A' })
  const file = 'code,time\nA,2026-05-04 18:00:00\nA,2026-05-04 19:00:00\n'
  const { code, out, err } = await run(file, place)
  expect([code, out]).toEqual([0, '2 imported, 0 already there, 0 bad'])
  expect(err).toContain('Look at line 3: The check-in is stored as refused: used_up')
  const conflicts = await system.api('GET', `events/${place.event}/access_controls.json?conflicts=true`)
  expect(conflicts.body).toMatchObject([{ access_status: 3, decided_offline: 0, reason: 'used_up' }])
  expect((await run(file, place)).out).toBe('0 imported, 2 already there, 0 bad')
})

test('--at and --point are for rows without a time and a point', async () => {
  const place = await makeEvent()
  const side = (await system.api('POST', `events/${place.event}/accesspoints.json`, { name: 'Side' })).body._id
  const link = { guest_category_id: place.category, accesspoint_id: side }
  await system.api('POST', `events/${place.event}/guest_category_accesspoints.json`, link)
  await addGuest(place, { uid: 'A' })
  const options = { ...place, at: '2026-05-04 12:00:00' }
  expect((await run('code\nA\n', options)).err).toContain('line 2: It has no check-in point: --point names one')
  expect((await run('code\nA\n', { ...options, point: 'side' })).code).toBe(0)
  expect(await stored(place.event)).toEqual([['A', '2026-05-04T10:00:00.000Z', 0]])
  await expect(run('code\nA\n', { ...options, point: 'Roof' })).rejects.toThrow(
    'There is no check-in point "Roof". The event has "Door", "Side"',
  )
  await expect(run('code\nA\n', { ...options, at: 'noon' })).rejects.toThrow('--at: "noon" is not a date and time')
})

test('an export of check-ins comes in again, with granted ones alone', async () => {
  const [from, to] = [await makeEvent({ most: 1 }), await makeEvent({ most: 1 })]
  for (const place of [from, to]) await addGuest(place, { uid: 'A' })
  await run('code,time\nA,2026-05-04 18:00:00.25\nA,2026-05-04 19:00:00\n', from)
  const rows: string[][] = []
  const caller = { account_id: system.account_id, token_id: 'export', scope: 'admin' } as const
  for await (const row of checkInRows(system.bus, caller, from.event)) rows.push(row)
  const file = rows.map((row) => row.join(',')).join('\n')
  expect((await run(file, to)).out).toBe('1 imported, 0 already there, 0 bad, 1 refused')
  expect(await stored(to.event)).toEqual([['A', '2026-05-04T16:00:00.250Z', 0]])
})

describe('a dry run', () => {
  test('stores nothing and shows the result', async () => {
    const place = await makeEvent()
    await addGuest(place, { uid: 'A' })
    const file = 'code,time,mood\nA,2026-05-04 18:00:00,good\n'
    const { out, err } = await run(file, { ...place, dryRun: true })
    expect(out).toBe('1 would be imported, 0 already there, 0 bad')
    expect(err).toMatch(/mood\s+\(left out\)/)
    expect(await stored(place.event)).toEqual([])
  })
})

test('an import is in the audit log', async () => {
  const place = await makeEvent()
  await addGuest(place, { uid: 'A' })
  await run('code,time\nA,2026-05-04 18:00:00\n', place)
  await expect
    .poll(async () => (await system.api('GET', `audit_records.json?event_id=${place.event}`)).body)
    .toContainEqual(expect.objectContaining({ action: 'checkin.access_controls.import', token_id: 'import' }))
})
