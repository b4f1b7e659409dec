import { chmod, chown, mkdir, rename, rm, writeFile } from 'node:fs/promises'

/** A user and a group, by number. */
export interface Owner {
  uid: number
  gid: number
}

/** Writes a file that only its owner (by default: who runs this process) can read. Whoever reads it meanwhile finds it old or new, never a part. */
export async function writePrivate(path: string, content: string, owner?: Owner): Promise<void> {
  const fresh = `${path}.new`
  await rm(fresh, { force: true })
  await writeFile(fresh, content, { mode: 0o600, flag: 'wx' })
  if (owner) await chown(fresh, owner.uid, owner.gid)
  await rename(fresh, path)
}

/** Makes a folder that belongs to a user, and that nobody else may enter. */
export async function ownFolder(folder: string, { uid, gid }: Owner): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o700)
  await chown(folder, uid, gid)
}
