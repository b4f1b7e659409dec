import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { debianApt } from './apt.ts'
import { execute } from './execute.ts'
import { cacheFolder, ensureFetched } from './fetched.ts'
import { PROGRAMS, unpack } from './unpack.ts'

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

const SERVERS = {
  name: 'local servers',
  elsewhere:
    'set MONGODB_URL, NATS_URL and REDIS_URL, for instance to the stores of deploy/compose.yaml, which Docker runs',
  neededMb: 400,
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
  await ensureFetched(folder, { ...SERVERS, log }, async (partial, platform) => {
    log('First start: fetching PostgreSQL with DocumentDB, NATS and Redis from Debian.')
    const apt = await debianApt(partial, RELEASE, platform)
    const files = await apt.download(PACKAGES, UNUSED)
    log('Unpacking them.')
    const root = join(partial, 'root')
    await unpack(files, root, platform)
    // The servers' users have to be able to read them, whatever this process' umask is.
    await execute('chmod', ['-R', 'go+rX', root])
    return root
  })
  return programsIn(folder)
}
