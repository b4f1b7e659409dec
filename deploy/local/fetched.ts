import { existsSync } from 'node:fs'
import { access, chmod, constants, mkdir, rename, rm, statfs } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { execute, ToolError } from './execute.ts'
import { LocalStackError } from './failure.ts'
import { takeLock } from './lock.ts'
import { findPlatform, type Platform } from './platform.ts'
import { isRoot } from './user.ts'

const MAX_WAIT_S = 900

/** The cache of fetched packages; root's is outside its home, since the servers' users must be able to enter it. */
export function cacheFolder(): string {
  const parent = isRoot() ? '/var/cache' : process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(parent, 'gatehouse')
}

/** Describes a folder of the cache for messages. */
export interface CachedFolder {
  /** In sentences: `The <name> could not be fetched`. */
  name: string
  /** The advice for other platforms: `Elsewhere <do this>`. */
  elsewhere: string
  neededMb: number
  log: (line: string) => void
}

/**
 * Ensures that a folder of the cache exists. The first time `fetch` makes it: it gets a folder to work in, and returns the folder in there to keep.
 * Concurrent callers fetch it once, and an interrupted fetch starts over. Throws {@link LocalStackError}.
 */
export async function ensureFetched(
  folder: string,
  { name, elsewhere, neededMb, log }: CachedFolder,
  fetch: (partial: string, platform: Platform) => Promise<string>,
): Promise<void> {
  if (existsSync(folder)) return
  const platform = findPlatform()
  if (!platform)
    throw new LocalStackError(
      `The ${name} are for Debian, Ubuntu and their relatives, on amd64 or arm64. Elsewhere ${elsewhere}.`,
    )
  await makeCacheFolder(name)
  const lockFile = `${folder}.lock`
  let lock = await takeLock(lockFile, 0)
  if (!lock) {
    log(`Another process fetches the ${name}; waiting for it.`)
    lock = await takeLock(lockFile, MAX_WAIT_S)
  }
  if (!lock) throw new LocalStackError(`Another process that fetches the ${name} holds ${lockFile} for too long.`)
  const partial = `${folder}.partial`
  try {
    if (existsSync(folder)) return
    await checkSpace(name, neededMb)
    const started = Date.now()
    await rm(partial, { recursive: true, force: true })
    await mkdir(partial)
    const made = await fetch(partial, platform)
    await chmod(cacheFolder(), 0o755)
    await execute('sync', ['--file-system', made])
    await rename(made, folder)
    log(`The ${name} are in ${folder} (${Math.round((Date.now() - started) / 1000)} s).`)
  } catch (error) {
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC'
    if (!isFull && !(error instanceof ToolError)) throw error
    throw new LocalStackError(`The ${name} could not be fetched: ${isFull ? FULL : explain((error as Error).message)}`)
  } finally {
    await rm(partial, { recursive: true, force: true })
    await lock.release()
  }
}

async function makeCacheFolder(name: string): Promise<void> {
  try {
    await mkdir(cacheFolder(), { recursive: true })
    await access(cacheFolder(), constants.W_OK)
  } catch (error) {
    const elsewhere = isRoot() ? '' : ' Set XDG_CACHE_HOME to a folder of your own.'
    throw new LocalStackError(
      `The ${name} can't be kept in ${cacheFolder()} (${(error as Error).message}).${elsewhere}`,
    )
  }
}

async function checkSpace(name: string, neededMb: number): Promise<void> {
  const { bavail, bsize } = await statfs(cacheFolder())
  const free = Math.floor((bavail * bsize) / 1024 ** 2)
  if (free < neededMb)
    throw new LocalStackError(`The ${name} need ${neededMb} MB in ${cacheFolder()}, which has ${free} MB free.`)
}

const FULL = 'the disk is full.'

/** The most informative line of an error, as the end of a sentence. */
function explain(output: string): string {
  if (output.includes('No space left on device')) return FULL
  const lines = output.split('\n').filter(Boolean)
  const find = (pattern: RegExp) => lines.find((line) => pattern.test(line))?.replace(/^\w:\s*/, '')
  const signature = find(/is not signed|NO_PUBKEY|GPG error|verification.*failed|couldn't be verified/i)
  if (signature) return `Debian's signature can't be verified (${signature}).`
  const network = find(/Failed to fetch|Temporary failure resolving|Could not (resolve|connect)|Unable to connect/)
  if (network) return `Debian's mirror can't be reached (${network}).`
  return find(/^E:/) ?? lines.at(-1) ?? 'no output.'
}
