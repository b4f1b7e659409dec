import { chmod, chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { execute } from './execute.ts'
import { LocalStackError } from './failure.ts'
import type { UserIds } from './user.ts'

/** Writes a file atomically that only its owner (default: the user of this process) can read. */
export async function writePrivate(path: string, content: string, owner?: UserIds): Promise<void> {
  const fresh = `${path}.new`
  await rm(fresh, { force: true })
  await writeFile(fresh, content, { mode: 0o600, flag: 'wx' })
  if (owner) await chown(fresh, owner.uid, owner.gid)
  await rename(fresh, path)
}

/**
 * Makes a folder that only its owner (default: the user of this process) may enter. If it had another owner, its content changes owner too. Throws
 * {@link LocalStackError} if this process has no right to do that.
 */
export async function ownFolder(folder: string, owner?: UserIds): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM') throw error
    throw new LocalStackError(
      `${folder} is another user's: start as that user, or set GATEHOUSE_DATA to a folder of your own.`,
    )
  }
  if (owner && (await stat(folder)).uid !== owner.uid)
    await execute('chown', ['--recursive', '--no-dereference', `${owner.uid}:${owner.gid}`, folder])
}
