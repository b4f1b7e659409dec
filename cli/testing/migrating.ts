import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { System } from '@gatehouse/test/harness/system.ts'
import { type MigrateOptions, runMigration } from '../migrate/command.ts'
import { captured } from './captured-terminal.ts'

/** Another system of the interface. */
type Source = Pick<System, 'url' | 'auth_token'>

/** Runs `gatehouse migrate` into the account of a system, and returns what it came to. */
export async function migrateInto(
  here: System,
  { url: from, auth_token }: Source,
  options: Partial<MigrateOptions> = {},
  terminal = captured(),
): Promise<{ code: number; out: string; err: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'migrate-'))
  try {
    const tokenFile = join(folder, 'token')
    await writeFile(tokenFile, `${auth_token}\n`)
    const code = await runMigration({ from, tokenFile, account: here.slug, ...options }, here.bus, terminal)
    return { code, ...terminal.text }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** What `differencesOf` gives if there are none. */
export const SAME = { code: 0, differing: [] }

/** What `gatehouse migrate --verify` says of an event. */
export async function differencesOf(
  here: System,
  there: Source,
  event: string,
): Promise<{ code: number; differing: string[] }> {
  const { code, err } = await migrateInto(here, there, { event: [event], verify: true })
  return { code, differing: err.split('\n').filter((line) => /is (not )?here|there$/.test(line)) }
}
