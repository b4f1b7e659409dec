import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { metadataHeader } from '@gatehouse/proto/formats/lists/guest-export.ts'
import { readList } from '@gatehouse/proto/formats/lists/list.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, expect, test } from 'vitest'
import { importGuests } from '../import-guests/command.ts'
import { guestColumns } from '../import-guests/headers.ts'
import { captured } from '../testing/captured-terminal.ts'
import { type Exported, type ExportOptions, exportEvent } from './command.ts'

const system = await sharedSystem()

const folder = await mkdtemp(join(tmpdir(), 'export-'))
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: what the interface answers
async function make(path: string, fields: object): Promise<any> {
  const answer = await system.api('POST', `events${path}.json`, fields)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

async function makeEvent() {
  const event = (await make('', { account_id: system.account_id, title: 'Gala' }))._id
  const category = (await make(`/${event}/guest_categories`, { name: 'Gäste, alle' }))._id
  await make(`/${event}/guest_categories`, { name: 'Press' })
  const door = (await make(`/${event}/accesspoints`, { name: 'Main "door"' }))._id
  return { event, category, door }
}

async function run(what: Exported, options: ExportOptions): Promise<string> {
  const terminal = captured()
  expect(await exportEvent(what, options, system.bus, terminal)).toBe(0)
  return terminal.text.out
}

test('guests exported and imported into another event are the same guests', slow, async () => {
  const { event, category, door } = await makeEvent()
  const given = [
    {
      last_name: '=SUM(A1:A9)',
      first_name: "'=already escaped",
      email: 'a@x.test',
      phone_number: '+33 6 12 34',
      company_name: 'Söhne; "Töchter", & Co',
      position: '-',
      message: 'two\nlines',
      uid: '@uid',
      rsvp_status: 'accepted',
      access_privileges_attributes: [{ accesspoint_id: door, access_once: true }],
      guest_metadata: [
        { name: 'Company', value: 'not the company' },
        { name: 'shoe', value: '42' },
        { name: 'shoe', value: '43' },
        { name: '=name', value: '\u4f1f' },
        { name: 'metadata: x', value: '0' },
      ],
    },
    { last_name: 'Plain' },
    { last_name: 'Plain' },
  ]
  for (const guest of given) await make(`/${event}/guests`, { ...guest, guest_category_id: category })
  const other = await makeEvent()
  for (const delimiter of [',', ';', '\t']) {
    const file = join(folder, 'guests.csv')
    await run('guests', { event, out: file, delimiter, bom: delimiter === ';' })
    await importGuests(file, { event: other.event }, system.bus, captured())
  }
  const kept = async (id: string) => {
    const list = (await system.api('GET', `events/${id}/guests.json?guest_metadata=true`)).body
    return (
      list
        // biome-ignore lint/suspicious/noExplicitAny: what the interface answers
        .map(({ _id, event_id, guest_category_id, source, created_at, updated_at, ...guest }: any) => ({
          ...guest,
          category: [category, other.category].includes(guest_category_id),
          access_privileges: guest.access_privileges.map(({ access_once }: { access_once: boolean }) => access_once),
          guest_metadata: guest.guest_metadata
            .map(({ name, value }: { name: string; value: string }) => `${name}=${value}`)
            .sort(),
        }))
        .sort((a: { uid: string }, b: { uid: string }) => (a.uid < b.uid ? -1 : 1))
    )
  }
  expect(await kept(other.event)).toEqual(await kept(event))
  expect(await kept(event)).toHaveLength(3)
})

test('exports, and imports that write, are in the audit log once', async () => {
  const [{ event, category }, other] = [await makeEvent(), await makeEvent()]
  await make(`/${event}/guests`, { last_name: 'Plain', guest_category_id: category })
  const file = join(folder, 'recorded.csv')
  await run('guests', { event, out: file })
  await run('check-ins', { event })
  for (const dryRun of [true, false, false])
    await importGuests(file, { event: other.event, dryRun }, system.bus, captured())
  const acts = async (id: string) =>
    (await system.api('GET', `audit_records.json?resource_id=${id}`)).body.map(
      ({ action, token_id }: { action: string; token_id: string }) => `${action} by ${token_id}`,
    )
  const creation = expect.stringMatching(/^guests.events.create by /)
  await expect
    .poll(() => acts(event))
    .toEqual(['checkin.access_controls.export by export', 'guests.guests.export by export', creation])
  await expect.poll(() => acts(other.event)).toEqual(['guests.guests.import by import', creation])
})

test('no cell begins as a formula does', async () => {
  const { event, category } = await makeEvent()
  await make(`/${event}/guests`, { last_name: '=1+1', guest_category_id: category, guest_metadata: { '@x': '+1' } })
  const text = await run('guests', { event })
  expect(text).toContain("'=1+1")
  expect(text).not.toMatch(/(^|[,\n])"?[=+\-@]/)
})

test('an export has each guest once over several pages', slow, async () => {
  const { event } = await makeEvent()
  const names = Array.from({ length: 1_203 }, (_, n) => `N${n}`)
  const file = join(folder, 'many.csv')
  await writeFile(file, ['last_name', ...names].join('\n'))
  await importGuests(file, { event, category: 'Press' }, system.bus, captured())
  const { headers, rows } = await readList(Buffer.from(await run('guests', { event })), guestColumns)
  const column = headers.indexOf('last_name')
  expect(rows.map(({ cells }) => cells[column]).sort()).toEqual(names.sort())
})

test('check-ins are exported with the name of their door, with what a device decided by itself, and with whether its clock was ahead', async () => {
  const { event, door } = await makeEvent()
  const stamp = '2026-05-01T18:00:00.123Z'
  const checkIn = await make(`/${event}/access_controls`, {
    accesspoint_id: door,
    guest_uid: 'no,body',
    access_stamp: stamp,
  })
  await make(`/${event}/access_controls`, {
    accesspoint_id: door,
    guest_uid: 'let in offline',
    access_stamp: '2026-05-01T17:00:00Z',
    decided_offline: 0,
  })
  const access_stamp = new Date(Date.now() + 3_600_000).toISOString()
  await make(`/${event}/access_controls`, { accesspoint_id: door, guest_uid: 'ahead', access_stamp })
  const { headers, rows } = await readList(Buffer.from(await run('check-ins', { event, delimiter: ';' })), guestColumns)
  const cellsOf = (row: number) => Object.fromEntries(headers.map((header, index) => [header, rows[row]?.cells[index]]))
  expect(cellsOf(0)).toMatchObject({ guest_uid: 'ahead', stamped_ahead: 'true' })
  expect(cellsOf(2)).toMatchObject({ guest_uid: 'let in offline', access_status: '1', decided_offline: '0' })
  expect(cellsOf(1)).toEqual({
    _id: checkIn._id,
    access_stamp: stamp,
    guest_uid: 'no,body',
    access_status: '1',
    decided_offline: '',
    accesspoint: 'Main "door"',
    accesspoint_id: door,
    event_id: event,
    created_at: checkIn.created_at,
    updated_at: checkIn.updated_at,
    stamped_ahead: '',
    reason: 'unknown_guest',
    persons: '1',
    direction: '',
  })
  expect(rows).toHaveLength(3)
})

test('an event without guests is a header alone; no half file is left where it fails', async () => {
  const { event } = await makeEvent()
  const file = join(folder, 'empty.csv')
  await run('guests', { event, out: file })
  expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(2)
  const gone = join(folder, 'gone.csv')
  await expect(run('guests', { event: 'f'.repeat(24), out: gone })).rejects.toThrow('There is no event')
  expect((await readdir(folder)).filter((name) => name.startsWith('gone'))).toEqual([])
})

test('a metadata name that means something else to an import is marked', () => {
  expect(metadataHeader(guestColumns, 'Diet')).toBe('Diet')
  expect(metadataHeader(guestColumns, 'E-Mail')).toBe('metadata: E-Mail')
  expect(metadataHeader(guestColumns, 'metadata: Diet')).toBe('metadata: metadata: Diet')
})
