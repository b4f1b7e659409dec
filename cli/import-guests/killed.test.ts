import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KillableProcess, startKillable } from '@gatehouse/test/harness/killable.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { deep, killPoints } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { captured } from '../testing/captured-terminal.ts'
import { importGuests } from './command.ts'

const DEADLINE_MS = 2_000
/** An import of one piece takes fewer answers of the store, beside those to what goes on in the background. */
const MAX_ANSWERS = 60

let system: System
let killable: KillableProcess
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-killed-'))
  system = await startSystem({ guests: 0, gateway: { deadline_ms: DEADLINE_MS } })
  killable = await startKillable('guests', system, { deadline_ms: DEADLINE_MS })
})
afterAll(async () => {
  await killable?.stop()
  await system?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('an import goes on wherever the guests process dies, and brings in each row once', deep, async () => {
  const file = join(folder, 'guests.csv')
  const rows = Array.from({ length: 20 }, (_, n) => `N${n},${n % 2 ? `u${n}` : ''}`)
  await writeFile(file, ['name,uid', ...rows].join('\n'))
  for (const nth of killPoints()) {
    expect(nth).toBeLessThan(MAX_ANSWERS)
    const { body } = await system.api('POST', 'events.json', { account_id: system.account_id, title: 'Gala' })
    await system.api('POST', `events/${body._id}/guest_categories.json`, { name: 'Guests' })
    const wasKilled = await killable.killAtAnswer(nth)
    const terminal = captured()
    expect(await importGuests(file, { event: body._id }, system.bus, terminal), terminal.text.err).toBe(0)
    const isKilled = wasKilled()
    await killable.serving()
    const listed = await system.api('GET', `events/${body._id}/guests.json`)
    const names = listed.body.map(({ last_name }: { last_name: string }) => last_name)
    expect(names.sort(), `killed at answer ${nth}`).toEqual(rows.map((row) => row.split(',')[0]).sort())
    expect(terminal.text.out.trim()).toBe('20 imported, 0 already there, 0 bad')
    if (isKilled) continue
    expect(nth, 'it was killed at least once').toBeGreaterThan(1)
    break
  }
})
