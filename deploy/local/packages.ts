import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { debianApt } from './apt.ts'
import { execute } from './execute.ts'
import { cacheFolder, ensureFetched } from './fetched.ts'
import { PROGRAMS, unpack } from './unpack.ts'

/** The programs of the local stack by their paths. */
export type Programs = Record<keyof typeof PROGRAMS, string>

/** The release of Debian whose packages are fetched. */
export const RELEASE = 'forky'
/** Part of the folder's name; changes with the list of packages or the way to unpack them. */
const VERSION = `${RELEASE}-2`
const PACKAGES = ['postgresql-18', 'postgresql-18-documentdb', 'nats-server', 'redis-server', 'libnss-wrapper']

/**
 * Dependencies that no server loads: tools to set packages up, raster maps (GDAL) and solids (SFCGAL), which are for further extensions of PostGIS.
 * They are more than half of all.
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
    ...['^procps', '^tzdata', 'gnupg', '^gpg', '^dirmngr', '^gpgme', '^fonts-', 'freetype'],
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

/** The folder of the packages, which exists only when it is complete. */
export function packagesFolder(): string {
  return join(cacheFolder(), `packages-${VERSION}`)
}

function programsIn(folder: string): Programs {
  const paths = Object.entries(PROGRAMS).map(([name, path]) => [name, join(folder, path)])
  return Object.fromEntries(paths) as Programs
}

/** The path of a program on this machine's PATH. */
export function programOnPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** The program of a single server: this machine's or that of the packages; undefined without either. */
export function findServer(name: 'nats' | 'redis'): string | undefined {
  const packaged = programsIn(packagesFolder())[name]
  return programOnPath(`${name}-server`) ?? (existsSync(packaged) ? packaged : undefined)
}

/**
 * Returns the servers' programs, and fetches them from Debian the first time (about 20 s, 170 MB). Concurrent callers fetch them once. Throws
 * {@link LocalStackError} when they cannot be fetched.
 */
export async function ensurePackages(log: (line: string) => void): Promise<Programs> {
  const folder = packagesFolder()
  await ensureFetched(folder, { ...SERVERS, log }, async (partial, platform) => {
    log('First start: fetching PostgreSQL with DocumentDB, NATS and Redis from Debian (170 MB, up to a minute).')
    const apt = await debianApt(partial, RELEASE, platform)
    const files = await apt.download(PACKAGES, UNUSED)
    log('Unpacking them.')
    const root = join(partial, 'root')
    await unpack(files, root, platform)
    // The servers' users must be able to read them at any umask of this process.
    await execute('chmod', ['-R', 'go+rX', root])
    return root
  })
  return programsIn(folder)
}
