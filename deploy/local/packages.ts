import { existsSync } from 'node:fs'
import { access, chmod, constants, mkdir, rename, rm, statfs } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { debianApt } from './apt.ts'
import { execute, ToolError } from './execute.ts'
import { LocalStackError } from './failure.ts'
import { takeLock } from './lock.ts'
import { findPlatform, type Platform } from './platform.ts'
import { PROGRAMS, unpack } from './unpack.ts'
import { isRoot } from './user.ts'

/** The programs of the local stack by their paths. */
export type Programs = Record<keyof typeof PROGRAMS, string>

const RELEASE = 'forky'
/** Part of the folder's name: another list of packages or another way to unpack them is another folder. */
const VERSION = `${RELEASE}-1`
const PACKAGES = ['postgresql-18', 'postgresql-18-documentdb', 'nats-server', 'redis-server', 'libnss-wrapper']

/**
 * What these depend on and no server loads: what sets packages up, maps as pictures (GDAL) and solids (SFCGAL), for which PostGIS has extensions
 * of their own. It is more than half of all.
 */
const UNUSED = new RegExp(
  [
    ...[
      'perl',
      '^locales',
      '^libc-(bin|l10n|gconv)',
      '^systemd',
      '^libsystemd-shared',
      '^openssl',
      '^passwd',
      '^login',
    ],
    ...['^procps', '^tzdata', 'gnupg', '^gpg', '^dirmngr', '^gpgme', '^postgresql-client-\\d', '^fonts-', 'freetype'],
    ...['gdal', 'sfcgal', 'spatialite', '^proj-data', 'poppler', 'hdf', 'netcdf', 'cfitsio', 'xerces', 'openjp'],
    ...['^libheif', '^libaom', '^librav1e', '^libdav1d', '^libsvtav1', '^libgav1', '^libde265', '^libyuv', '^libjxl'],
    ...['^libhwy', '^libblas', '^liblapack', '^libgfortran', '^libmpfr', '^libnss3', '^libdb5', '^libabsl'],
  ].join('|'),
)

const NEEDED_MB = 400
const LONGEST_WAIT_S = 900

/** The folder that the packages are kept in: root's is for the servers' users too, which may not enter its home. */
function cacheFolder(): string {
  const parent = isRoot() ? '/var/cache' : process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(parent, 'gatehouse')
}

/** The folder of the packages, which is there once all of it is. */
export function packagesFolder(): string {
  return join(cacheFolder(), `packages-${VERSION}`)
}

function programsIn(folder: string): Programs {
  const paths = Object.entries(PROGRAMS).map(([name, path]) => [name, join(folder, path)])
  return Object.fromEntries(paths) as Programs
}

/** A program of this machine's PATH. */
export function programOnPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** A server to run by itself: that of this machine, or that of the packages. Undefined where neither is there (yet). */
export function findServer(name: 'nats' | 'redis'): string | undefined {
  const packaged = programsIn(packagesFolder())[name]
  return programOnPath(`${name}-server`) ?? (existsSync(packaged) ? packaged : undefined)
}

/**
 * Gives the servers' programs, fetching them from Debian the first time (about 20 s, 170 MB). Several callers at once fetch them once.
 * Throws {@link LocalStackError} when they can't be had.
 */
export async function ensurePackages(log: (line: string) => void): Promise<Programs> {
  const folder = packagesFolder()
  if (existsSync(folder)) return programsIn(folder)
  const platform = findPlatform()
  if (!platform)
    throw new LocalStackError(
      'The local servers are for Debian, Ubuntu and their relatives, on amd64 or arm64. Elsewhere set MONGODB_URL, NATS_URL and REDIS_URL, for instance to the stores of deploy/compose.yaml, which Docker runs.',
    )
  await makeCacheFolder()
  const lockFile = join(cacheFolder(), 'packages.lock')
  let lock = await takeLock(lockFile, 0)
  if (!lock) {
    log('Another process fetches the local servers; waiting for it.')
    lock = await takeLock(lockFile, LONGEST_WAIT_S)
  }
  if (!lock) throw new LocalStackError(`Another process that fetches the local servers holds ${lockFile} for too long.`)
  try {
    if (!existsSync(folder)) await fetchInto(folder, platform, log)
    return programsIn(folder)
  } finally {
    await lock.release()
  }
}

async function makeCacheFolder(): Promise<void> {
  try {
    await mkdir(cacheFolder(), { recursive: true })
    await access(cacheFolder(), constants.W_OK)
  } catch (error) {
    const elsewhere = isRoot() ? '' : ' Set XDG_CACHE_HOME to a folder of your own.'
    throw new LocalStackError(
      `The local servers can't be kept in ${cacheFolder()} (${(error as Error).message}).${elsewhere}`,
    )
  }
}

async function fetchInto(folder: string, platform: Platform, log: (line: string) => void): Promise<void> {
  const { bavail, bsize } = await statfs(cacheFolder())
  const free = Math.floor((bavail * bsize) / 1024 ** 2)
  if (free < NEEDED_MB)
    throw new LocalStackError(`The local servers need ${NEEDED_MB} MB in ${cacheFolder()}, which has ${free} MB free.`)
  const started = Date.now()
  const partial = `${folder}.partial`
  try {
    await rm(partial, { recursive: true, force: true })
    await mkdir(partial)
    log('First start: fetching PostgreSQL with DocumentDB, NATS and Redis from Debian.')
    const apt = await debianApt(partial, RELEASE, platform)
    const files = await apt.download(PACKAGES, UNUSED)
    log('Unpacking them.')
    const root = join(partial, 'root')
    await unpack(files, root, platform)
    // The servers' users have to be able to read them, whatever this process' umask is.
    await execute('chmod', ['-R', 'go+rX', root])
    await chmod(cacheFolder(), 0o755)
    await execute('sync', ['--file-system', root])
    await rename(root, folder)
  } catch (error) {
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC'
    if (!isFull && !(error instanceof ToolError)) throw error
    throw new LocalStackError(
      `The local servers could not be fetched: ${isFull ? FULL : explain((error as Error).message)}`,
    )
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  log(`The local servers are in ${folder} (${Math.round((Date.now() - started) / 1000)} s).`)
}

const FULL = 'the disk is full.'

/** The most telling line of a failure, as the end of a sentence. */
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
