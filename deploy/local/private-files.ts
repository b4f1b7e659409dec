import { chmod, chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { execute } from './execute.ts'
import { LocalStackError } from './failure.ts'
import type { Owner } from './user.ts'

/** Writes a file that only its owner (by default: who runs this process) can read. Whoever reads it meanwhile finds it old or new, never a part. */
export async function writePrivate(path: string, content: string, owner?: Owner): Promise<void> {
  const fresh = `${path}.new`
  await rm(fresh, { force: true })
  await writeFile(fresh, content, { mode: 0o600, flag: 'wx' })
  if (owner) await chown(fresh, owner.uid, owner.gid)
  await rename(fresh, path)
}

/**
 * Makes a folder that nobody but its owner (by default: who runs this process) may enter. Where it had another owner, all in it changes hands.
 * Throws {@link LocalStackError} where that is not for this process to do.
 */
export async function ownFolder(folder: string, owner?: Owner): Promise<void> {
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
