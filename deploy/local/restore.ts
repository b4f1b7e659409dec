import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { execute } from './execute.ts'
import { LocalStackError } from './failure.ts'
import { takeLock } from './lock.ts'

/**
 * Puts a backup of `backUp` into the place of a data folder, whose stack does not run. Deletes nothing: returns the folder in which what was there is
 * now, if anything was. Throws {@link LocalStackError} if the stack runs, or `backup` is no backup.
 */
export async function restore(backup: string, dataDir: string): Promise<string | undefined> {
  if (!existsSync(join(backup, 'postgres', 'PG_VERSION')))
    throw new LocalStackError(`${backup} is not a backup: it has no database.`)
  const isThere = existsSync(dataDir)
  const lock = isThere ? await takeLock(join(dataDir, 'stack.lock'), 0) : undefined
  if (lock === null) throw new LocalStackError(`A local stack runs in ${dataDir}: stop it first.`)
  const partial = `${dataDir}.partial`
  try {
    await rm(partial, { recursive: true, force: true })
    await execute('cp', ['--archive', backup, partial])
    await execute('sync', ['--file-system', partial])
    const aside = `${dataDir}.before-${new Date().toISOString().replaceAll(':', '-')}`
    if (isThere) await rename(dataDir, aside)
    await rename(partial, dataDir)
    return isThere ? aside : undefined
  } finally {
    await lock?.release()
    await rm(partial, { recursive: true, force: true })
  }
}
