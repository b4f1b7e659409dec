// @module-tag slow
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EVENT_PAGE } from '@gatehouse/proto/formats/archives/manifest.ts'
import { databaseOf } from '@gatehouse/test/harness/databases.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, expect, test } from 'vitest'
import { leftOf } from '../../services/guests/testing/left-of-event.ts'
import { entriesOf, writeEntries } from '../testing/archive-entries.ts'
import { captured } from '../testing/captured-terminal.ts'
import { exportEverything } from './export.ts'
import { importEverything } from './import.ts'

const system = await sharedSystem()
const other = await system.account('archives')
const root = await mkdtemp(join(tmpdir(), 'event-archive-'))
afterAll(() => rm(root, { recursive: true, force: true }))

/** Exports an event, deletes it, and imports it into another account. Returns what the import says beside its result. */
async function moved(event: TestEvent, change: (file: string) => Promise<void> = async () => {}): Promise<string> {
  const out = join(root, `${event.id}.tgz`)
  expect(await exportEverything({ event: event.id, out }, system.bus, captured())).toBe(0)
  expect((await system.api('DELETE', `events/${event.id}.json?title=Fair`)).status).toBe(204)
  await expect.poll(() => leftOf(system, event.id), { timeout: 120_000, interval: 1_000 }).toEqual([])
  await change(out)
  const terminal = captured()
  expect(await importEverything(out, { account: other.slug }, system.bus, terminal), terminal.text.err).toBe(0)
  return terminal.text.err
}

const stored = (event: TestEvent) =>
  databaseOf(system, 'guests')
    .collection<{ _id: string; ciphering?: string; platform_event_id: string | null }>('events')
    .findOne({ _id: event.id })

test('badges of an imported event are made anew', async () => {
  const event = await TestEvent.open(system)
  const category = await event.make('guest_categories.json', { name: 'Staff', badge_enabled: true })
  await event.guest(category._id, 'ada', { last_name: 'Lovelace' })
  const badges = databaseOf(system, 'badges').collection('badges')
  const made = () => badges.countDocuments({ event_id: event.id })
  await expect.poll(made, { timeout: 60_000 }).toBe(1)
  await moved(event)
  await expect.poll(made, { timeout: 60_000 }).toBe(1)
})

test('an imported event keeps its key of QR codes where it can be read, and gets another one where not', async () => {
  const event = await TestEvent.open(system, { qr_code_ciphering_enabled: true })
  const key = (await stored(event))?.ciphering
  expect(await moved(event)).not.toContain('Ciphered QR codes')
  expect((await stored(event))?.ciphering).toBe(key)
  const foreign = await TestEvent.open(system, { qr_code_ciphering_enabled: true })
  const said = await moved(foreign, async (file) => {
    const entries = await entriesOf(file)
    const line = entries[EVENT_PAGE]?.replace(/"ciphering":"[^"]+"/, '"ciphering":"AAAA"') ?? ''
    await writeEntries(file, { ...entries, [EVENT_PAGE]: line })
  })
  expect(said).toContain('Ciphered QR codes that were sent cannot be read here')
  expect((await stored(foreign))?.ciphering).not.toBe('AAAA')
})

test('an imported event names no platform event of another account', async () => {
  const platform = await TestEvent.open(system)
  const event = await TestEvent.open(system, { platform_event_id: platform.id })
  await moved(event)
  expect(await stored(event)).toMatchObject({ platform_event_id: null, account_id: other.account_id })
})
