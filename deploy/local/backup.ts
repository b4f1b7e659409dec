import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { execute } from './execute.ts'
import { LocalStackError } from './failure.ts'
import { ensurePackages } from './packages.ts'
import { isServed, POSTGRES_USER, SOCKET_FOLDER } from './postgres.ts'
import { ownFolder } from './private-files.ts'
import { HERE, userOf } from './user.ts'

/**
 * Copies the database of the stack that runs in `dataDir` into a new folder: all of it as it was at one moment before the end. `files` of `dataDir`
 * go along where they exist. A stack starts with a copy of that folder as its own. Throws {@link LocalStackError} if no stack runs, or the folder
 * exists.
 */
export async function backUp(
  dataDir: string,
  folder: string,
  files: readonly string[],
  log: (line: string) => void,
): Promise<void> {
  if (existsSync(folder)) throw new LocalStackError(`${folder} exists already: a backup needs a new folder.`)
  if (!isServed(dataDir)) throw new LocalStackError(`No local stack runs in ${dataDir}: start it, or copy the folder.`)
  const { pgBasebackup } = await ensurePackages(log)
  const user = userOf('mongodb')
  const partial = await mkdtemp(join(dataDir, 'backup-'))
  try {
    await chmod(partial, 0o711)
    await ownFolder(join(partial, 'postgres'), user)
    // Relative to the socket's folder, since PostgreSQL's user may not be able to enter the folders above.
    const target = join('..', basename(partial), 'postgres')
    await execute(pgBasebackup, ['--pgdata', target, '--checkpoint', 'fast', '--no-password'], {
      cwd: join(dataDir, SOCKET_FOLDER),
      env: { PGHOST: HERE, PGUSER: POSTGRES_USER },
      user,
    })
    for (const file of files.filter((each) => existsSync(join(dataDir, each))))
      await copyFile(join(dataDir, file), join(partial, file))
    await execute('mv', ['--no-target-directory', partial, folder])
    await execute('sync', ['--file-system', folder])
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}
